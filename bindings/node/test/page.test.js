// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// The examples of README.md print 5 G. Every function of the addon is used. Both forms of every call have a type and a comment.
const { test } = require('node:test');
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const sumac = require('sumac-msm');
const { fs, path, Group, fromBytes } = require('./common');

const folder = path.join(__dirname, '..');
const text = (name) => fs.readFileSync(path.join(folder, name), 'utf8');

test('the examples', () => {
    const examples = Array.from(text('README.md').matchAll(/```js\n([^]*?)```/g), ([, example]) => example);
    // Node finds modules beside the folder in which it runs.
    const cwd = path.dirname(process.env.NODE_PATH);
    const printed = examples.map((example) =>
        execFileSync(process.execPath, ['--input-type=module', '-e', example], { cwd, encoding: 'utf8' }).trim());
    const group = new Group('bls12-381', 'g1');
    const five = group.raw(5n);
    const [x, y] = [five.subarray(0, 48), five.subarray(48)].map(fromBytes);
    const flags = y > group.p / 2n ? 0xa0n : 0x80n;
    assert.deepStrictEqual(printed, [`${x.toString(16)} ${y.toString(16)}`, (x | (flags << 376n)).toString(16).padStart(96, '0')]);
});

test('import and require give the same', () => {
    const program = `import * as all from 'sumac-msm'; import { createRequire } from 'node:module';
        const required = createRequire(import.meta.url)('sumac-msm');
        console.log(Object.keys(required).filter((name) => all[name] !== required[name]).join(' '));`;
    assert.strictEqual(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: path.dirname(process.env.NODE_PATH), encoding: 'utf8' }), '\n');
});

test('the addon is used as a whole', () => {
    const addon = require(require.resolve('sumac-msm').replace('index.js', 'build/Release/sumac.node'));
    const source = text('index.js');
    // The addon's own cancel() calls sumac_context_cancel().
    const made = ['sumac_context_cancel', 'sumac_vector_add', 'sumac_vector_subtract', 'sumac_vector_multiply', /^sumac_(groth16|plonk)_(proof|publics)_(en|de)code$/,
        /^sumac_(groth16|plonk)_(prove|verify|key_(open|create|save)|witness_(open|create|publics)|verifying_key_(open|create))$/];
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
    // If memory is lacking, napi_create_arraybuffer() would end the process.
    assert.ok(!text('src/addon.c').replace(/\/\*[^]*?\*\//g, '').includes('napi_create_arraybuffer'));
});

test('every call has its type', () => {
    const types = text('index.d.ts');
    const kinds = Object.values(sumac).filter((one) => typeof one === 'function' && one.prototype instanceof Object.getPrototypeOf(sumac.Bases));
    for (const kind of [...kinds, Object.getPrototypeOf(sumac.Context)]) {
        const calls = types.match(new RegExp(`interface ${kind.name === 'Caller' ? '' : kind.name}Calls \\{\n([^]*?)\n\\}`))?.[1] ?? '';
        for (const name of Object.getOwnPropertyNames(kind.prototype).filter((one) => `${one}Sync` in kind.prototype)) {
            assert.match(calls, new RegExp(`^    ${name}\\(`, 'm'), `${kind.name}.${name}`);
        }
    }
    for (const name of Object.keys(sumac)) {
        assert.match(types, new RegExp(`^export (const|function|class) ${name}\\b`, 'm'), name);
    }
});
