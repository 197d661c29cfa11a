/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transforms of points on the GPU, compiled per curve. A layer's products by roots are one after the other's
 * chain of some 128 doublings; so a transform of few points takes several layers at once, in which every
 * product begins at the same time, and one of many makes each product by one lane.
 */
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
    void *factors;         /* the scalars that the digits of scale are of */
    xyzz *products;        /* of layers that are made at once; null: none are */
};

/* What coefficient j is multiplied with, before a forward transform and after an inverse one: factor*ratio^j.
 * The host computes both numbers. */
static sumac_status scale_numbers(const point_transform *t, uint64_t *factor, uint64_t *ratio)
{
    const vector_transform *transform = t->transform;
    const scalar_vector_ops *host = t->run->code->scalar_vectors;
    const vector_run alone = {.threads = 1};
    const scalar_field *field = &t->run->curve->scalars;
    uint64_t half[FR_LIMBS];
    const vector_operand operand = {half, 1, 1};
    for (int i = 0; i < FR_LIMBS; i++) {
        half[i] = factor[i] = ratio[i] = field->one[i];
        if (transform->shift != NULL) {
            ratio[i] = static_cast<const uint64_t *>(transform->shift)[i];
        }
    }
    if (transform->inverse) {
        TRY(host->add(&alone, half, half, 1, &operand));
        TRY(host->invert(&alone, half, 1));
        for (uint32_t i = 0; i < transform->log2; i++) {
            TRY(host->multiply(&alone, factor, factor, 1, &operand));
        }
        TRY(host->invert(&alone, ratio, 1));
    }
    return SUMAC_OK;
}

static void *allocate(cuda_engine *engine, uint64_t bytes, sumac_status *status)
{
    void *memory = *status == SUMAC_OK ? cuda_allocate(engine, bytes) : NULL;
    if (*status == SUMAC_OK && memory == NULL) {
        *status = cuda_out_of_memory(engine, bytes, "a transform of points");
    }
    return memory;
}

/* The digits of the roots, and of the numbers that coefficients are multiplied with, if they are. */
static sumac_status begin_transform(point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    const vector_transform *transform = t->transform;
    const uint64_t roots = ((uint64_t)1 << transform->log2) / 2;
    uint64_t factor[FR_LIMBS], ratio[FR_LIMBS];
    sumac_status status = SUMAC_OK;
    t->layer.count =
        transform->shift != NULL ? transform->coefficients : transform->inverse && transform->log2 > 0;
    t->roots = static_cast<point_digits *>(allocate(engine, roots * sizeof(point_digits), &status));
    if (status == SUMAC_OK && roots > 0) {
        status = recode_scalars(t->run, t->roots, transform->roots, roots);
    }
    t->sparse = static_cast<sparse_digits *>(allocate(engine, roots * sizeof(sparse_digits), &status));
    if (status == SUMAC_OK && roots > 0) {
        status = recode_sparsely(t->run, t->sparse, t->roots, roots);
    }
    if (status != SUMAC_OK || t->layer.count == 0) {
        return status;
    }
    t->scale = static_cast<point_digits *>(allocate(engine, t->layer.count * sizeof(point_digits), &status));
    t->factors = allocate(engine, t->layer.count * t->scalars->bytes, &status);
    TRY(status);
    TRY(scale_numbers(t, factor, ratio));
    TRY(cuda_vectors.fill(t->run, t->factors, t->run->curve->scalars.one, t->scalars->bytes, t->layer.count));
    TRY(t->scalars->scale_powers(t->run, t->factors, t->layer.count, t->layer.count, factor, ratio));
    return recode_scalars(t->run, t->scale, t->factors, t->layer.count);
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
    multiply_kernel<<<blocks_for(layer.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(layer);
    return cuda_launched(engine);
}

/* The coefficients that are not looked at, or not wanted, become infinity. */
static sumac_status clear_coefficients(const point_transform *t)
{
    cuda_engine *engine = engine_of_run(t->run);
    const uint64_t n = (uint64_t)1 << t->transform->log2, used = t->transform->coefficients;
    if (used < n) {
        CUDA_TRY(engine, cudaMemset2DAsync(t->layer.points + used, n * sizeof(xyzz), 0,
                                           (n - used) * sizeof(xyzz), t->layer.rows, engine->stream));
    }
    return SUMAC_OK;
}

/* Whether there are butterflies enough for a lane each: for a warp on five of eight of the device's
 * schedulers. */
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
    const unsigned blocks = blocks_for(layer.items * QUAD, PAIR_BLOCK);
    if (t->transform->inverse) {
        butterflies_kernel<true><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(layer);
#if POINT_LANES
    } else if (by_lanes(t)) {
        layer.sparse = t->sparse;
        lanes_kernel<<<blocks_for(layer.items, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(layer);
#endif
    } else {
        butterflies_kernel<false><<<blocks, PAIR_BLOCK, 0, engine->stream>>>(layer);
    }
    return cuda_launched(engine);
}

/* What `merged` layers at once take, in a quad's products one after another: those of a multiple by a root,
 * of which a scheduler makes several warps' at once faster than one by one, and those of the sums. */
static uint64_t cost_of_merged(const point_transform *t, uint32_t merged)
{
    enum { MULTIPLE = 620, SUM = 4, ONCE = 3, EACH = 7 /* tenths, of a multiple */ };
    const uint64_t quads = (uint64_t)engine_of_run(t->run)->multiprocessors * PAIR_BLOCK / QUAD;
    const uint64_t products = (t->layer.rows << t->layer.log2 >> merged) * (terms_of(merged) - 1);
    const uint64_t waves = (products + quads - 1) / quads;
    return MULTIPLE * (ONCE + EACH * waves) / 10 +
           SUM * ((1u << merged) / parts_of(merged) + parts_of(merged));
}

/* How many of the layers that are left are made at once, so that all of them take the least time. One alone
 * is made where it lies. */
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
    products_kernel<<<blocks_for(m.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(m);
    CUDA_TRY(engine, cudaGetLastError());
    m.items = (m.rows << m.log2) * m.parts;
    merged_sums_kernel<<<blocks_for(m.items * QUAD, PAIR_BLOCK), PAIR_BLOCK, 0, engine->stream>>>(m);
    return cuda_launched(engine);
}

/* Memory for the products of the layers that are made at once. */
static sumac_status make_room(point_transform *t)
{
    uint64_t most = 0;
    sumac_status status = SUMAC_OK;
    for (uint32_t left = t->transform->log2; left > 0;) {
        const uint32_t merged = layers_at_once(t, left);
        const uint64_t products = (t->layer.rows << t->layer.log2 >> merged) * terms_of(merged);
        most = merged > 1 && products > most ? products : most;
        left -= merged;
    }
    if (most > 0) {
        t->products = static_cast<xyzz *>(allocate(engine_of_run(t->run), most * sizeof(xyzz), &status));
    }
    return status;
}

static sumac_status make_layers(point_transform *t)
{
    const uint32_t log2 = t->transform->log2;
    TRY(make_room(t));
    for (uint32_t i = 0; i < log2;) {
        const uint32_t merged = layers_at_once(t, log2 - i);
        TRY(merged == 1 ? make_layer(t, i) : make_merged(t, i, merged));
        i += merged;
    }
    return SUMAC_OK;
}

static sumac_status reorder(const point_transform *t, bool wanted)
{
    return wanted ? vector_reverse_rows(engine_of_run(t->run), t->layer.points, sizeof(xyzz), t->layer.rows,
                                        t->layer.log2)
                  : SUMAC_OK;
}

static sumac_status make_transform(point_transform *t)
{
    const vector_transform *transform = t->transform;
    const bool reversed = transform->coefficient_order == SUMAC_ORDER_BIT_REVERSED;
    const bool natural = transform->value_order == SUMAC_ORDER_NATURAL;
    TRY(begin_transform(t));
    TRY(reorder(t, transform->inverse ? natural : reversed));
    if (!transform->inverse) {
        TRY(clear_coefficients(t));
        TRY(scale_points(t));
    }
    TRY(make_layers(t));
    if (transform->inverse) {
        TRY(scale_points(t));
        TRY(clear_coefficients(t));
    }
    TRY(reorder(t, transform->inverse ? reversed : natural));
    return cuda_finished(engine_of_run(t->run));
}

sumac_status SUMAC_SYMBOL(transform_points)(const vector_run *run, void *r, const vector_transform *transform,
                                            const struct scalar_vector_ops *scalars)
{
    point_transform t = {};
    if (transform->rows == 0) {
        return SUMAC_OK;
    }
    t.run = run;
    t.transform = transform;
    t.scalars = scalars;
    t.layer.points = static_cast<xyzz *>(r);
    t.layer.rows = transform->rows;
    t.layer.log2 = transform->log2;
    t.layer.positions = digit_positions(&run->curve->scalars);
    const sumac_status status = make_transform(&t);
    (void)cudaStreamSynchronize(engine_of_run(run)->stream); /* after a failure, too */
    cuda_release(t.roots);
    cuda_release(t.sparse);
    cuda_release(t.products);
    cuda_release(t.scale);
    cuda_release(t.factors);
    return status;
}
