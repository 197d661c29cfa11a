/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * This file computes bucket sums in XYZZ; it is compiled per curve. accumulate_xyzz_quads.cu says when it is used. A
 * group of quads adds up a task's points, which it reads from the table. One launch does all tasks; if buckets may have
 * several tasks, a second launch adds up the tasks' sums.
 *
 * Bucket b's first task is u_b = floor(start_b / 2^task_bits) + b. u_(b+1) - u_b is at least ceil(m_b / 2^task_bits)
 * and at least 1, so the tasks follow from the starts of the buckets. Some tasks have nothing to do.
 */
#include "cuda/device/kernels.cuh"
#include "cuda/device/quads.cuh"

/* ---- Sums of affine points ---- */

/*
 * A quad (quads.cuh) adds affine points to a sum one after another. A point takes three successive products of a lane,
 * while quad_add() takes four: the first products of the next point are computed while a point is added.
 *
 * (X, Y, ZZ, ZZZ) + (x, y) has U = x*ZZ, S = y*ZZZ, P = U - X, R = S - Y, and with the next point's x', y'
 *     lane X         lane Y       lane ZZ         lane ZZZ
 *     PP = P^2       RR = R^2     -               ZZZ from the two factors that the previous point left
 *     Q = X*PP       V = y'*ZZZ   ZZ3 = ZZ*PP     PPP = P*PP       X3 = RR - PPP - 2Q
 *     R*(Q - X3)     Y*PPP        U' = x'*ZZ3     S' = V*PPP       Y3 = the difference of the first two
 * The product ZZZ3 = ZZZ*PPP is left for the next step: lane ZZZ keeps both factors. If nothing is added, P is set to
 * 1, and X and Y stay.
 */
struct mixed_sum {
    fe coordinate; /* X, Y, ZZ, and one factor of ZZZ */
    fe next;       /* U, S of the point to be added, -, and the other factor of ZZZ */
    bool is_empty; /* infinity: ZZ, ZZZ and their factors are 1, X and Y anything */
};

/* Load a point's x in lane ZZ and its y in lane Y; other lanes get zero, and so do all if the point is null. */
static __device__ __forceinline__ void mixed_fetch(fe *r, const affine *point)
{
    fe_set_zero(r);
    if (point != NULL && (quad_lane() == QUAD_Y || quad_lane() == QUAD_ZZ)) {
        fe_load(r, quad_lane() == QUAD_Y ? &point->y : &point->x);
    }
}

/* Begin a sum with a point that mixed_fetch() read. All lanes of the warp call this and the functions below. */
static __device__ __forceinline__ void mixed_begin(mixed_sum *s, const fe *point, bool exists)
{
    fe_exchange(&s->coordinate, point, 2);
    if (quad_lane() == QUAD_Y) {
        s->coordinate = *point;
    } else if (quad_lane() >= QUAD_ZZ) {
        fe_set_one(&s->coordinate);
    }
    fe_set_one(&s->next);
    s->is_empty = !exists;
}

/* Begin a sum with a point in XYZZ. */
static __device__ __forceinline__ void mixed_resume(mixed_sum *s, const fe *coordinate)
{
    s->coordinate = *coordinate;
    fe_set_one(&s->next);
    s->is_empty = (quad_ballot(fe_is_zero(coordinate)) >> QUAD_ZZ & 1) != 0;
    if (s->is_empty) {
        fe_set_one(&s->coordinate);
    }
}

/* Compute U and S of the first point that mixed_add() is to add. */
static __device__ __forceinline__ void mixed_expect(mixed_sum *s, const fe *point)
{
    fe other, product;
    fe_from_lane(&other, &s->coordinate, QUAD_ZZZ);
    if (quad_lane() == QUAD_ZZ) {
        other = s->coordinate;
    }
    fe_mul_called(&product, point, &other); /* -, S, U, - */
    fe_from_lane(&other, &product, QUAD_ZZ);
    if (quad_lane() != QUAD_ZZZ) {
        s->next = quad_lane() == QUAD_X ? other : product;
    }
}

/* Set r to the lane's coordinate of the sum. Call this after the last point. */
static __device__ __forceinline__ void mixed_end(fe *r, const mixed_sum *s)
{
    fe product;
    fe_mul_called(&product, &s->coordinate, &s->next);
    *r = quad_lane() == QUAD_ZZZ ? product : s->coordinate;
    if (s->is_empty) {
        fe_set_zero(r);
    }
}

/* In quads with P = 0 (is_met) the sum becomes twice itself or infinity. The other quads keep their sum. This is rarely
 * needed. */
static __device__ __noinline__ mixed_sum mixed_meet(mixed_sum s, fe difference, bool is_met)
{
    fe all, x, y, zz, zzz, sum = s.coordinate;
    const bool are_same = (quad_ballot(fe_is_zero(&difference)) >> QUAD_Y & 1) != 0;
    mixed_end(&all, &s);
    fe_from_lane(&x, &all, QUAD_X);
    fe_from_lane(&y, &all, QUAD_Y);
    fe_from_lane(&zz, &all, QUAD_ZZ);
    fe_from_lane(&zzz, &all, QUAD_ZZZ);
    if (is_met && are_same) {
        quad_double(&sum, &x, &y, &zz, &zzz);
    } else if (is_met) {
        fe_set_zero(&sum);
    }
    mixed_sum met;
    mixed_resume(&met, &sum);
    return is_met ? met : s;
}

/* Add the point whose U and S have been computed to the sum, if there is such a point. `next` is the following point,
 * as it was fetched. */
static __device__ __forceinline__ void mixed_add(mixed_sum *s, bool exists, const fe *next)
{
    const uint32_t lane = quad_lane();
    fe difference, product, left, right, crossed, kept, other;
    fe_sub(&difference, &s->next, &s->coordinate); /* P, R, -, - */
    const bool are_equal = (quad_ballot(fe_is_zero(&difference)) >> QUAD_X & 1) != 0;
    const bool is_met = exists && !s->is_empty && are_equal;
    if (SUMAC_UNLIKELY(__any_sync(0xffffffff, is_met))) {
        *s = mixed_meet(*s, difference, is_met);
    }
    const bool adds = exists && !s->is_empty && !is_met, begins = exists && s->is_empty && !is_met;
    if (!adds && lane == QUAD_X) {
        fe_set_one(&difference);
    }
    left = lane == QUAD_ZZZ ? s->coordinate : difference;
    right = lane == QUAD_ZZZ ? s->next : difference;
    if (begins && lane < QUAD_ZZ) {
        s->coordinate = s->next;
    }
    s->is_empty = s->is_empty && !begins;
    fe_mul_called(&product, &left, &right); /* PP, RR, -, ZZZ */
    fe_from_lane(&other, &product, lane == QUAD_Y ? QUAD_ZZZ : QUAD_X);
    fe_from_lane(&kept, &product, lane == QUAD_X ? QUAD_Y : QUAD_ZZZ);       /* RR, -, -, ZZZ */
    fe_from_lane(&crossed, &difference, lane == QUAD_ZZZ ? QUAD_X : QUAD_Y); /* R, -, -, P */
    left = lane == QUAD_Y ? *next : lane == QUAD_ZZZ ? crossed : s->coordinate;
    fe_mul_called(&product, &left, &other);                               /* Q, V, ZZ3, PPP */
    fe_from_lane(&other, &product, lane == QUAD_ZZZ ? QUAD_Y : QUAD_ZZZ); /* PPP, PPP, -, V */
    fe_sub(&difference, &kept, &other);
    fe_sub(&difference, &difference, &product);
    fe_sub(&difference, &difference, &product);
    difference = adds ? difference : s->coordinate; /* X3 in lane X */
    kept = lane == QUAD_X ? difference : kept;
    fe_sub(&difference, &product, &difference);
    left = lane == QUAD_X ? crossed : lane == QUAD_Y ? s->coordinate : lane == QUAD_ZZ ? *next : product;
    right = lane == QUAD_X ? difference : lane == QUAD_ZZ ? product : other;
    s->next = product;
    fe_mul_called(&product, &left, &right); /* R*(Q - X3), Y*PPP, U', S' */
    fe_from_lane(&other, &product, lane == QUAD_X ? QUAD_ZZ : QUAD_X);
    fe_from_lane(&left, &product, QUAD_ZZZ);
    fe_sub(&product, &other, &product);
    product = adds ? product : s->coordinate; /* Y3 in lane Y */
    s->coordinate = lane == QUAD_Y ? product : lane == QUAD_ZZ ? s->next : kept;
    s->next = lane == QUAD_X ? other : lane == QUAD_Y ? left : s->next;
}

/* ---- Tasks ---- */

static __device__ __forceinline__ uint64_t first_task(const quad_tasks &w, uint64_t b)
{
    return (w.starts[b] >> w.task_bits) + b;
}

/* Return the number of tasks of a bucket with `entries` entries. */
static __device__ __forceinline__ uint32_t tasks_of(const quad_tasks &w, uint32_t entries)
{
    return (uint32_t)((entries + ((uint64_t)1 << w.task_bits) - 1) >> w.task_bits);
}

/* This struct fetches the points of a task's entries. */
struct entry_group {
    const affine *table;
    const uint32_t *entries;
    uint32_t count;

    /* Fetch point k as mixed_fetch() does; return whether y changes its sign. */
    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        const uint32_t entry = k < count ? entries[k] : 0;
        mixed_fetch(r, k < count ? table + (entry >> 1) : NULL);
        return entry & 1;
    }

    /* Return whether the point exists and is not infinity. */
    __device__ __forceinline__ bool complete(fe *r, uint32_t negative) const
    {
        if (quad_lane() == QUAD_Y) {
            apply_sign(r, negative);
        }
        return quad_ballot(!fe_is_zero(r)) != 0;
    }
};

/* This struct gives add_group() the sums of tasks. */
struct part_group {
    const xyzz *parts;
    uint32_t count;

    __device__ __forceinline__ uint32_t fetch(fe *r, uint32_t k) const
    {
        fe_set_zero(r);
        if (k < count) {
            load_coordinate(r, parts + k);
        }
        return 0;
    }

    __device__ __forceinline__ void complete(fe *, uint32_t) const
    {
    }
};

/* This is the task of a group. */
struct quad_task {
    entry_group points;
    xyzz *out;    /* null: nothing to do */
    xyzz *before; /* the earlier sum, to which the task adds, or null */
};

static __device__ __forceinline__ quad_task task_of_group(const quad_tasks &w)
{
    const uint64_t number = (blockIdx.x * (uint64_t)QUADS + threadIdx.x / QUAD) >> w.level;
    uint64_t b = 0, high = w.buckets;
    while (high - b > 1) {
        const uint64_t middle = (b + high) / 2;
        const bool holds = first_task(w, middle) <= number;
        b = holds ? middle : b;
        high = holds ? high : middle;
    }
    const uint32_t start = w.starts[b], entries = w.starts[b + 1] - start;
    const uint64_t first = (number - first_task(w, b)) << w.task_bits; /* index in the bucket */
    const uint32_t left = first < entries ? entries - (uint32_t)first : 0, most = 1u << w.task_bits;
    const bool is_only = tasks_of(w, entries) <= 1;
    xyzz *sum = (xyzz *)w.sums + b;
    quad_task task = {};
    task.points.table = (const affine *)w.table;
    task.points.entries = w.entries + start + first;
    task.points.count = left < most ? left : most;
    task.out = left == 0 && first > 0 ? NULL : is_only ? sum : (xyzz *)w.parts + number;
    task.before = w.adds && first == 0 ? sum : NULL;
    return task;
}

/* Set *sum to the sum of the quad's points, which are every 2^level-th point of the task. In quad 0 the sum includes
 * *task.before, unless that is null. */
static __device__ __forceinline__ void sum_entries(fe *sum, const quad_tasks &w, const quad_task &task)
{
    const entry_group &points = task.points;
    const uint32_t quad = quad_of(w.level), stride = 1u << w.level;
    const uint32_t steps = __reduce_max_sync(0xffffffff, (points.count + stride - 1) >> w.level);
    mixed_sum s;
    fe point, coming;
    uint32_t k = quad, fetched = points.fetch(&point, k);
    bool exists = points.complete(&point, fetched);
    if (w.adds) {
        fe_set_zero(sum);
        if (task.before != NULL && quad == 0) {
            load_coordinate(sum, task.before);
        }
        mixed_resume(&s, sum);
    } else {
        mixed_begin(&s, &point, exists);
        k += stride;
        fetched = points.fetch(&point, k);
        exists = points.complete(&point, fetched);
    }
    mixed_expect(&s, &point);
    k += stride;
    fetched = points.fetch(&coming, k);
#pragma unroll 1
    for (uint32_t step = w.adds ? 0 : 1; step < steps; step++) {
        const bool is_added = exists;
        point = coming;
        exists = points.complete(&point, fetched);
        k += stride;
        fetched = points.fetch(&coming, k);
        mixed_add(&s, is_added, &point);
    }
    mixed_end(sum, &s);
}

static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    tasks_kernel(const __grid_constant__ quad_tasks w)
{
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    await_kernel_before();
    const quad_task task = task_of_group(w);
    const part_group nothing = {};
    fe sum;
    sum_entries(&sum, w, task);
    add_group(&sum, nothing, 0, 0, w.level, (fe *)warp_sums);
    if (task.out != NULL && quad_of(w.level) == 0) {
        store_coordinate(task.out, &sum);
    }
}

/* A block handles every gridDim.x-th bucket, so that neighbouring buckets with several tasks go to different blocks. */
static __global__ void __launch_bounds__(PAIR_BLOCK, QUADS_BLOCKS_PER_SM)
    join_kernel(const __grid_constant__ quad_tasks w)
{
    __shared__ __align__(16) unsigned char warp_sums[WARPS * QUAD * sizeof(fe)];
    __shared__ uint32_t counts[PAIR_BLOCK];
    await_kernel_before();
    for (uint64_t round = blockIdx.x; round < w.buckets; round += (uint64_t)gridDim.x * PAIR_BLOCK) {
        const uint64_t bucket = round + threadIdx.x * (uint64_t)gridDim.x;
        counts[threadIdx.x] = bucket < w.buckets ? tasks_of(w, w.starts[bucket + 1] - w.starts[bucket]) : 0;
        if (!__syncthreads_or(counts[threadIdx.x] > 1)) {
            continue;
        }
        for (uint32_t i = 0; i < PAIR_BLOCK; i++) {
            const uint64_t b = round + i * (uint64_t)gridDim.x;
            if (counts[i] <= 1) {
                continue; /* the whole block */
            }
            const part_group points = {(const xyzz *)w.parts + first_task(w, b), counts[i]};
            fe sum;
            (void)points.fetch(&sum, quad_of(QUAD_GROUP_LEVELS));
            add_group(&sum, points, 1, (counts[i] + QUADS - 1) / QUADS, QUAD_GROUP_LEVELS, (fe *)warp_sums);
            if (threadIdx.x / QUAD == 0) {
                store_coordinate((xyzz *)w.sums + b, &sum);
            }
            __syncthreads(); /* the warps' sums have been read */
        }
        __syncthreads(); /* counts have been read */
    }
}

sumac_status SUMAC_SYMBOL(sum_buckets)(cuda_engine *engine, cudaStream_t stream, const quad_tasks *tasks)
{
    TRY(launch_early(engine, stream, tasks_kernel, blocks_for(tasks->count << tasks->level, QUADS),
                     PAIR_BLOCK, *tasks));
    return tasks->several ? launch_early(engine, stream, join_kernel,
                                         blocks_to_fill(engine, 2, tasks->buckets, 1), PAIR_BLOCK, *tasks)
                          : SUMAC_OK;
}
