// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// How long a synchronous call takes beside the same call from C: 2^10 resident bases of BN254, one thread. The two take turns;
// of many calls the fastest counts, as other programs on the machine slow both.
//
//   node bench.js C-PROGRAM        what test/run.sh .. bench does, which compiles bench.c
const { execFileSync } = require('child_process');
const sumac = require('sumac');

const CALLS = 100;
const ROUNDS = 7;
const N = 2 ** 10;

function measure(context, bases, scalars) {
    const times = [];
    for (let i = -3; i < CALLS; i++) {
        const start = process.hrtime.bigint();
        context.msmSync(bases, scalars);
        if (i >= 0) {
            times.push(Number(process.hrtime.bigint() - start) / 1e3);
        }
    }
    return times;
}

const context = new sumac.Context({ backend: 'cpu', threads: 1 });
const bases = context.knownBasesCreateSync('bn254', N, 1);
const scalars = context.knownLogarithmsSync('bn254', N, 2);
const [c, node] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
    c.push(...execFileSync(process.argv[2], [String(CALLS)], { encoding: 'utf8' }).trim().split('\n').map(Number));
    node.push(...measure(context, bases, scalars));
}
const [fastestC, fastestNode] = [Math.min(...c), Math.min(...node)];
console.log(`C ${fastestC.toFixed(1)} us, Node ${fastestNode.toFixed(1)} us: ${(fastestNode / fastestC).toFixed(3)} times`);
