/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transforms of points on the GPU, compiled per curve. A layer's products by roots are one after the other's
 * chain of some 128 doublings; so a transform of few points takes several layers at once, in which every
 * product begins at the same time, and one of many makes each product by one lane.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/vector/point_layers.cuh"

/* ---- A transform ---- */

/* A transform under way: the digits of its scalars in the device's memory. */
struct point_transform {
    const vector_run *run;
    const vector_transform *transform;
    const scalar_vector_ops *scalars;
    point_layer layer;
    point_digits *roots, *scale;
    sparse_digits *sparse; /* of the roots */
    uint64_t *factors;     /* the scalars that the digits of scale are of */
    xyzz *products;        /* of layers that are made at once; null: none are */
};

/* Memory of the device, which end_transform() gives back. */
template <typename element>
static sumac_status allocate(const point_transform *t, element **memory, uint64_t count)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint64_t bytes = count * sizeof(element);
    *memory = static_cast<element *>(cuda_allocate(engine, bytes));
    return *memory == NULL ? cuda_out_of_memory(engine, bytes, "a transform of points") : SUMAC_OK;
}

/* The digits of the roots, and of the numbers that coefficients are multiplied with, if they are. */
static sumac_status begin_transform(point_transform *t)
{
    const vector_transform *transform = t->transform;
    const uint64_t roots = ((uint64_t)1 << transform->log2) / 2;
    uint64_t factor[FR_LIMBS], ratio[FR_LIMBS];
    t->layer.count =
        transform->shift != NULL ? transform->coefficients : transform->inverse && transform->log2 > 0;
    TRY(allocate(t, &t->roots, roots));
    TRY(allocate(t, &t->sparse, roots));
    if (roots > 0) {
        TRY(recode_scalars(t->run, t->roots, transform->roots, roots));
        TRY(recode_sparsely(t->run, t->sparse, t->roots, roots));
    }
    if (t->layer.count == 0) {
        return SUMAC_OK;
    }
    TRY(allocate(t, &t->scale, t->layer.count));
    TRY(allocate(t, &t->factors, t->layer.count * FR_LIMBS));
    TRY(vector_scale_numbers(t->run, transform, factor, ratio));
    TRY(cuda_vectors.fill(t->run, t->factors, t->run->curve->scalars.one, t->scalars->bytes, t->layer.count));
    TRY(t->scalars->scale_powers(t->run, t->factors, t->layer.count, t->layer.count, factor, ratio));
    return recode_scalars(t->run, t->scale, t->factors, t->layer.count);
}

/* Wait, as memory may still be in use after a failure, and give it back. */
[[maybe_unused]] static void end_transform(point_transform *t)
{
    (void)cudaStreamSynchronize(engine_of_run(t->run)->stream);
    for (void *memory :
         {static_cast<void *>(t->roots), static_cast<void *>(t->sparse), static_cast<void *>(t->products),
          static_cast<void *>(t->scale), static_cast<void *>(t->factors)}) {
        cuda_release(memory);
    }
}

static sumac_status scale_points(const point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    point_layer layer = t->layer;
    if (layer.count == 0) {
        return SUMAC_OK;
    }
    layer.digits = t->scale;
    layer.items = layer.rows * t->transform->coefficients;
    return cuda_launch(engine, engine->stream, multiply_kernel, blocks_for(layer.items * QUAD, PAIR_BLOCK),
                       PAIR_BLOCK, layer);
}

/* Tell whether there are butterflies enough for a lane each: for a warp on five of eight of the device's schedulers. */
static bool by_lanes(const point_transform *t)
{
    const uint64_t butterflies = (t->layer.rows << t->layer.log2) / 2;
    return POINT_LANES && !t->transform->inverse &&
           8 * butterflies >= 5 * (uint64_t)engine_of_run(t->run)->multiprocessors * PAIR_BLOCK;
}

static sumac_status make_layer(const point_transform *t, uint32_t number)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint32_t log2 = t->transform->log2;
    point_layer layer = t->layer;
    layer.digits = t->roots;
    layer.items = (layer.rows << log2) / 2;
    layer.half = (uint64_t)1 << (t->transform->inverse ? number : log2 - 1 - number);
    layer.sparse = layer.rows * layer.half % WARP_QUADS == 0 ? t->sparse : NULL;
#if POINT_LANES
    if (by_lanes(t)) {
        layer.sparse = t->sparse;
        return cuda_launch(engine, engine->stream, lanes_kernel, blocks_for(layer.items, PAIR_BLOCK),
                           PAIR_BLOCK, layer);
    }
#endif
    return cuda_launch(engine, engine->stream,
                       t->transform->inverse ? butterflies_kernel<true> : butterflies_kernel<false>,
                       blocks_for(layer.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, layer);
}

/* The time of `merged` layers at once, in a quad's products one after another: those of a multiple by a root, of
 * which a scheduler makes several warps' at once faster than one by one, and those of the sums. */
static uint64_t cost_of_merged(const point_transform *t, uint32_t merged)
{
    enum { MULTIPLE = 620, SUM = 4, ONCE = 3, EACH = 7 /* tenths, of a multiple */ };
    const uint64_t quads = (uint64_t)engine_of_run(t->run)->multiprocessors * PAIR_BLOCK / QUAD;
    const uint64_t products = (t->layer.rows << t->layer.log2 >> merged) * (terms_of(merged) - 1);
    const uint64_t waves = (products + quads - 1) / quads;
    return MULTIPLE * (ONCE + EACH * waves) / 10 +
           SUM * ((1u << merged) / parts_of(merged) + parts_of(merged));
}

/* The number of layers to make at once, of those that are left, so that all of them take the least time. A single
 * layer is made in place. */
static uint32_t layers_at_once(const point_transform *t, uint32_t left)
{
    uint64_t least[64] = {0};
    uint32_t chosen[64] = {0};
    if (t->transform->inverse || by_lanes(t)) {
        return 1;
    }
    for (uint32_t layers = 1; layers <= left; layers++) {
        for (uint32_t merged = 1; merged <= layers && merged <= MOST_MERGED; merged++) {
            const uint64_t cost = cost_of_merged(t, merged) + least[layers - merged];
            if (merged == 1 || cost < least[layers]) {
                least[layers] = cost;
                chosen[layers] = merged;
            }
        }
    }
    return chosen[left];
}

static sumac_status make_merged(const point_transform *t, uint32_t first, uint32_t merged)
{
    cuda_engine *engine = engine_of_run(t->run);
    merged_layers m = {};
    m.points = t->layer.points;
    m.products = t->products;
    m.digits = t->roots;
    m.rows = t->layer.rows;
    m.log2 = t->layer.log2;
    m.merged = merged;
    m.spacing = (uint64_t)1 << (m.log2 - first - merged);
    m.sparse = m.rows * m.spacing % WARP_QUADS == 0 ? t->sparse : NULL;
    m.positions = t->layer.positions;
    m.terms = terms_of(merged);
    m.parts = parts_of(merged);
    m.items = (m.rows << m.log2 >> merged) * m.terms;
    TRY(cuda_launch(engine, engine->stream, products_kernel, blocks_for(m.items * QUAD, PAIR_BLOCK),
                    PAIR_BLOCK, m));
    m.items = (m.rows << m.log2) * m.parts;
    return cuda_launch(engine, engine->stream, merged_sums_kernel, blocks_for(m.items * QUAD, PAIR_BLOCK),
                       PAIR_BLOCK, m);
}

/* All layers, with memory for the products of those that are made at once. */
static sumac_status make_layers(point_transform *t)
{
    const uint32_t log2 = t->transform->log2;
    uint64_t most = 0;
    for (uint32_t left = log2, merged; left > 0; left -= merged) {
        merged = layers_at_once(t, left);
        const uint64_t products = (t->layer.rows << log2 >> merged) * terms_of(merged);
        most = merged > 1 && products > most ? products : most;
    }
    if (most > 0) {
        TRY(allocate(t, &t->products, most));
    }
    for (uint32_t i = 0, merged; i < log2; i += merged) {
        merged = layers_at_once(t, log2 - i);
        TRY(merged == 1 ? make_layer(t, i) : make_merged(t, i, merged));
    }
    return SUMAC_OK;
}

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars)
{
    CLEANUP(end_transform) point_transform t = {};
    t.run = run;
    t.transform = transform;
    t.scalars = scalars;
    t.layer.points = static_cast<xyzz *>(r);
    t.layer.rows = transform->rows;
    t.layer.log2 = transform->log2;
    t.layer.positions = digit_positions(&run->curve->scalars);
    if (transform->rows == 0) {
        return SUMAC_OK;
    }
    TRY(begin_transform(&t));
    return vector_transform_by(
        engine_of_run(run), r, sizeof(xyzz), transform, [&]() { return scale_points(&t); },
        [&]() { return make_layers(&t); });
}
