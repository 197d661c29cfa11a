// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// The example of README.md prints 5 G; every function of the addon is used, and both forms of every call are typed and documented.
const { test } = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const sumac = require('sumac');
const { fs, path, Group, fromBytes } = require('./common');

const folder = path.join(__dirname, '..');
const text = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

test('the example', () => {
    const [, example] = text('README.md').match(/```js\n([^]*?)```/);
    const printed = execFileSync(process.execPath, ['-e', example], { encoding: 'utf8' }).trim();
    const group = new Group('bls12-381', 'g1');
    const five = group.raw(5n);
    const [x, y] = [five.subarray(0, 48), five.subarray(48)].map(fromBytes);
    const flags = y > group.p / 2n ? 0xa0n : 0x80n;
    assert.strictEqual(printed, (x | (flags << 376n)).toString(16).padStart(96, '0'));
});

test('the addon is used as a whole', () => {
    const addon = require(require.resolve('sumac').replace('index.js', 'build/Release/sumac.node'));
    const source = text('index.js');
    // The addon's own cancel() calls sumac_context_cancel().
    const made = ['sumac_context_cancel', 'sumac_vector_add', 'sumac_vector_subtract', 'sumac_vector_multiply', /^sumac_groth16_(proof|publics)_(en|de)code$/];
    for (const name of Object.keys(addon).filter((one) => one.startsWith('sumac_'))) {
        assert.ok(source.includes(`'${name}'`) || made.some((one) => name.match(one)), name);
    }
});

test('the addons allocate in one function each, which checks sizes', () => {
    for (const file of ['src/addon.c', '../../compat/node-eth-kzg/addon.c']) {
        const source = text(file).replace(/\/\*[^]*?\*\//g, '');
        assert.deepStrictEqual(source.match(/\b(malloc|calloc|realloc|aligned_alloc|strdup|asprintf)\(/g), ['malloc('], file);
        assert.match(source, /\*checked_malloc\([^]*?SIZE_MAX[^]*?malloc\(/, file);
    }
    // napi_create_arraybuffer() would end the process if memory is lacking.
    assert.ok(!text('src/addon.c').replace(/\/\*[^]*?\*\//g, '').includes('napi_create_arraybuffer'));
});

test('every call has its type', () => {
    const types = text('index.d.ts');
    for (const kind of [sumac.Context, sumac.Call, Object.getPrototypeOf(sumac.Context)]) {
        for (const name of Object.getOwnPropertyNames(kind.prototype).filter((one) => one !== 'constructor' && !one.endsWith('Sync'))) {
            assert.match(types, new RegExp(`\\b${name}\\b[(:]`), name);
        }
    }
});
