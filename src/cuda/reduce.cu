/*
 * reduce: bucket sums -> module parts, in as many rounds as a bucket's number has bits.
 *
 * A module's K = 2^k sums P_0 .. P_(K-1) are wanted as sum of (i + 1)*P_i. In place, round r adds the point
 * at left + 2^r to the one at left, for left = first + e*2^(r+1), e < K/2^(r+1), and for two kinds of first.
 *
 * - 0, the tree of totals: after round r every multiple of 2^(r+1) holds the total of the 2^(r+1) points from
 *   it on.
 *
 * - 2^l with l < r: a position with lowest bit l was last written in round l - 1 and holds the total of the
 *   2^l points from it on, all of which have bit l set in their number.
 *
 * In the end position 0 holds the total T of all points and position 2^l the sum S_l of the points with bit l
 * in their number, so that sum of (i + 1)*P_i = T + sum of 2^l*S_l. That is 2K additions, all independent
 * within a round. The parts are S_0 + T, S_1, .. S_(k-1) and infinity, c = k + 1 of them, and the host
 * doubles and adds.
 *
 * Once a round has too few pairs to fill the device, it takes as long as one inversion and a few
 * multiplications one after another: longer than an addition without an inversion. The points that are still
 * live are then copied out as XYZZ and the rounds go on with them: class 0 is what the tree of totals holds,
 * every 2^level-th point, and class q the list that begins at 2^(q - 1).
 *
 * The running sum, one thread a module, is there for comparison and for windows of a few bits.
 */
#include "cuda/engine.h"
#include "cuda/scratch.h"

/* Pairs of a round that fill an H200 about twice with threads: docs/gpu-log.md. */
static const uint64_t TAIL_PAIRS = 131072;

uint32_t cuda_tail_level(uint32_t bits, uint64_t vectors)
{
    uint32_t level = 0;
    while (level < bits && ((level + 1) * vectors) << (bits - level - 1) > TAIL_PAIRS) {
        level++;
    }
    return level;
}

sumac_status cuda_reduce(const msm_job *job, const msm_pass *pass, const bucket_sums *sums,
                         module_sums *modules, void *scratch)
{
    cuda_engine *engine = engine_of(job);
    const cuda_curve *curve = cuda_curve_of(job->curve);
    const sumac_plan *plan = job->plan;
    const double begin = cuda_stage_begin(job);
    const cuda_scratch layout = cuda_scratch_of(plan, curve->affine_bytes);
    char *vectors = static_cast<char *>(scratch) + layout.vectors;
    char *parts =
        static_cast<char *>(modules->points) + pass->first_module * plan->module_parts * curve->xyzz_bytes;
    const uint32_t bits = plan->c - 1;
    if (plan->reduction == SUMAC_REDUCTION_RUNNING_SUM) {
        STATUS_TRY(
            curve->running_sum(engine, sums->points, bits, pass->modules, pass->chunk_first != 0, parts));
        return cuda_stage_end(job, pass, "reduce", begin);
    }
    CUDA_TRY(engine, cudaMemcpyAsync(vectors, sums->points, (pass->modules << bits) * curve->affine_bytes,
                                     cudaMemcpyDeviceToDevice, engine->stream));
    pair_round round = {};
    round.points = vectors;
    round.out = vectors;
    round.products = static_cast<char *>(scratch) + layout.reduce_products;
    round.vector_bits = bits;
    round.vectors = static_cast<uint32_t>(pass->modules);
    const uint32_t last_level = cuda_tail_level(bits, pass->modules);
    for (uint32_t level = 0; level < last_level; level++) {
        round.level = level;
        round.stride = static_cast<uint32_t>(1) << level;
        round.limit = (pass->modules * (level + 1)) << (bits - level - 1);
        STATUS_TRY(curve->sum_pairs(engine, &round));
    }
    const vector_tail tail = {
        .points = vectors,
        .tail = static_cast<char *>(scratch) + layout.tail,
        .bits = bits,
        .level = last_level,
        .vectors = static_cast<uint32_t>(pass->modules),
    };
    STATUS_TRY(curve->reduce_tail(engine, &tail, pass->chunk_first != 0, parts));
    return cuda_stage_end(job, pass, "reduce", begin);
}
