// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// These are helpers of the tests: the test data, and points by their logarithms, which are BigInts.
const fs = require('node:fs');
const path = require('node:path');
const sumac = require('sumac-msm');

const context = new sumac.Context({ backend: 'cpu', threads: 1 });
const data = process.env.SUMAC_TEST_DATA;
const P = {
    'bn254': 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
    'bls12-381': 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
};
const R = {
    'bn254': 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
    'bls12-381': 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
};

const mod = (a, m) => ((a % m) + m) % m;

function toBytes(number, length) {
    const bytes = new Uint8Array(length);
    for (let i = 0, rest = number; i < length; i++, rest >>= 8n) {
        bytes[i] = Number(rest & 255n);
    }
    return bytes;
}

function fromBytes(bytes) {
    return bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

function concat(arrays) {
    return new Uint8Array(Buffer.concat(arrays));
}

/**
 * The first or second group of a curve. Points are given by their logarithms to the base of the generator. The library's
 * reference code, which contains no MSM, computes them. The points of the vectors come from another source.
 */
class Group {
    constructor(name, group) {
        Object.assign(this, { name, group, p: P[name], r: R[name], degree: group === 'g2' ? 2 : 1, curve: sumac.curve(name, group) });
        this.bytes = Math.ceil(this.p.toString(2).length / 64) * 8;
    }

    /** Return raw points, which are multiples of the generator. */
    raw(...logarithms) {
        return concat(logarithms.map((k) => context.knownAnswerSync(this.curve, this.scalars([mod(k, this.r)]), this.scalars([1n]))));
    }

    msm(logarithms, scalars) {
        return this.raw(logarithms.reduce((sum, k, i) => sum + k * scalars[i], 0n));
    }

    /** Convert a point of the vectors to a raw point. It is null, or has coordinates of one or two numbers. */
    parse(point) {
        const coordinates = point === null ? Array(2 * this.degree).fill(0) : [point.x, point.y].flat();
        return concat(coordinates.map((n) => toBytes(BigInt(n), this.bytes)));
    }

    /** Return the coordinates of raw points, multiplied by a number. */
    multiplied(raw, factor) {
        return concat(Array.from({ length: raw.length / this.bytes }, (_, i) =>
            toBytes(fromBytes(raw.subarray(i * this.bytes, (i + 1) * this.bytes)) * factor % this.p, this.bytes)));
    }

    scalars(numbers, length = 32) {
        return concat(numbers.map((k) => toBytes(k < 0n ? k + (1n << BigInt(8 * length)) : k, length)));
    }
}

/** Return pseudorandom numbers that are the same in each run. */
function numbers(count, below, seed = 1n) {
    let state = seed;
    return Array.from({ length: count }, () => {
        let wide = 0n;
        for (let i = 0; i < 6; i++) {
            state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 64n - 1n);
            wide = (wide << 64n) | state;
        }
        return wide % below;
    });
}

/** Parse data.yaml of the consensus specification's vectors, which use only a part of YAML. */
function parseYaml(text) {
    const value = (word) => (word === 'null' || word === '' ? null : word === 'true' ? true : word === 'false' ? false
        : word.startsWith("'") ? word.slice(1, -1) : Number(word));
    const lines = text.replace(/\[([^\]]*)\]/g, (list) => list.replace(/\s+/g, ' ')).split('\n').filter(Boolean);
    const root = {};
    const stack = [[-1, root, null]];
    for (const line of lines) {
        let indent = line.search(/\S/);
        let rest = line.slice(indent);
        const key = rest.match(/^(\w+):\s*(.*)$/);
        if (key) {
            while (stack.at(-1)[0] >= indent) {
                stack.pop();
            }
            const parent = stack.at(-1)[1];
            const inline = key[2].startsWith('[') ? key[2].slice(1, -1).split(',').map((s) => s.trim()).filter(Boolean).map(value)
                : value(key[2]);
            parent[key[1]] = inline;
            if (key[2] === '') {
                parent[key[1]] = {};
                stack.push([indent, parent[key[1]], [parent, key[1]]]);
            }
            continue;
        }
        // An item belongs to the list of the key above, or to a list within a list.
        const [holder, name] = stack.at(-1)[2];
        if (!Array.isArray(holder[name])) {
            holder[name] = [];
        }
        let list = holder[name];
        while (rest.startsWith('- - ')) {
            list.push([]);
            [list, rest, indent] = [list.at(-1), rest.slice(2), indent + 2];
        }
        if (indent > stack.at(-1)[0] + 1 && !line.trimStart().startsWith('- - ') && Array.isArray(list.at(-1))) {
            list = list.at(-1);
        }
        list.push(value(rest.slice(2)));
    }
    return root;
}

module.exports = { data, fs, path, Group, numbers, mod, toBytes, fromBytes, concat, parseYaml,
    file: (...parts) => path.join(data, ...parts), read: (...parts) => new Uint8Array(fs.readFileSync(path.join(data, ...parts))) };
