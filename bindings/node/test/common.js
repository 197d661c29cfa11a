// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// Helpers of the tests: the test data, and an oracle that has nothing of the library's: points with BigInt coordinates.
const fs = require('node:fs');
const path = require('node:path');

const data = process.env.SUMAC_TEST_DATA;
const P = {
    'bn254': 21888242871839275222246405745257275088696311157297823662689037894645226208583n,
    'bls12-381': 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
};
const R = {
    'bn254': 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
    'bls12-381': 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
};

function power(base, exponent, modulus) {
    let result = 1n;
    for (let b = base % modulus, e = exponent; e > 0n; e >>= 1n, b = b * b % modulus) {
        result = e & 1n ? result * b % modulus : result;
    }
    return result;
}

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

/** The first or second group: points are pairs of [c0, c1], where c1 is 0 in the first; null is infinity. */
class Group {
    constructor(name, group) {
        Object.assign(this, { name, group, p: P[name], r: R[name], degree: group === 'g2' ? 2 : 1 });
        this.bytes = Math.ceil(this.p.toString(2).length / 64) * 8;
    }

    times([a, b], [c, d]) {
        return [mod(a * c - b * d, this.p), mod(a * d + b * c, this.p)];
    }

    minus([a, b], [c, d]) {
        return [mod(a - c, this.p), mod(b - d, this.p)];
    }

    over(a, [c, d]) {
        const inverse = power(mod(c * c + d * d, this.p), this.p - 2n, this.p);
        return this.times(a, [mod(c * inverse, this.p), mod(-d * inverse, this.p)]);
    }

    add(P_, Q) {
        if (P_ === null || Q === null) {
            return P_ ?? Q;
        }
        const [[x1, y1], [x2, y2]] = [P_, Q];
        const difference = this.minus(x2, x1);
        let slope;
        if (difference[0] || difference[1]) {
            slope = this.over(this.minus(y2, y1), difference);
        } else if (this.minus(y1, y2).some(Boolean) || !y1.some(Boolean)) {
            return null;
        } else {
            slope = this.over(this.times([3n, 0n], this.times(x1, x1)), this.times([2n, 0n], y1));
        }
        const x = this.minus(this.minus(this.times(slope, slope), x1), x2);
        return [x, this.minus(this.times(slope, this.minus(x1, x)), y1)];
    }

    multiply(k, point) {
        let [sum, base, rest] = [null, point, mod(k, this.r)];
        for (; rest > 0n; rest >>= 1n, base = this.add(base, base)) {
            sum = rest & 1n ? this.add(sum, base) : sum;
        }
        return sum;
    }

    msm(points, scalars) {
        return points.reduce((sum, point, i) => this.add(sum, this.multiply(scalars[i], point)), null);
    }

    raw(point) {
        const numbers = point === null ? [0n, 0n, 0n, 0n] : point.flat();
        return concat(numbers.filter((_, i) => this.degree === 2 || i % 2 === 0).map((n) => toBytes(n, this.bytes)));
    }

    point(raw) {
        const n = Array.from({ length: 2 * this.degree }, (_, i) => fromBytes(raw.subarray(i * this.bytes, (i + 1) * this.bytes)));
        return n.some(Boolean) ? (this.degree === 2 ? [[n[0], n[1]], [n[2], n[3]]] : [[n[0], 0n], [n[1], 0n]]) : null;
    }

    parse(point) {
        const number = (v) => (Array.isArray(v) ? v.map(BigInt) : [BigInt(v), 0n]);
        return point === null ? null : [number(point.x), number(point.y)];
    }

    scalars(numbers, length = 32) {
        return concat(numbers.map((k) => toBytes(k < 0n ? k + (1n << BigInt(8 * length)) : k, length)));
    }
}

/** Numbers that look random, the same ones each time. */
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

/** data.yaml of the consensus specification's vectors: what they use of YAML. */
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
        // An item: of the list of the key above, or of a list within a list.
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

module.exports = { data, fs, path, Group, numbers, power, mod, toBytes, fromBytes, concat, parseYaml,
    file: (...parts) => path.join(data, ...parts), read: (...parts) => new Uint8Array(fs.readFileSync(path.join(data, ...parts))) };
