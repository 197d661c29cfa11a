// SPDX-License-Identifier: Apache-2.0 OR MIT
// This is the interface of node-eth-kzg. Each method exists by its name and, with `async` before the name, in a form that works
// outside the event loop. The arguments are copied before a method returns.
"use strict";

const fs = require("fs");
const path = require("path");

// An addon that was built here precedes the one in npm's packages.
const own = path.join(__dirname, "build/Release/eth_kzg.node");
const native = fs.existsSync(own) ? require(own) : require("sumac-msm/native")("eth_kzg.node", __dirname);

class CellsAndProofs {
  constructor(cells, proofs) {
    this.cells = cells;
    this.proofs = proofs;
  }
}

const cellsAndProofs = ([cells, proofs]) => new CellsAndProofs(cells, proofs);
const asItIs = (result) => result;

class DasContextJs {
  #context;

  constructor({ usePrecomp = true } = {}) {
    this.#context = native.createContext(Boolean(usePrecomp));
  }

  static create(options) {
    return new DasContextJs(options);
  }

  static {
    for (const name of native.methods) {
      const shape = name.endsWith("CellsAndKzgProofs") ? cellsAndProofs : asItIs;
      const methods = {
        [name](...args) {
          return shape(native.run(this.#context, name, args));
        },
        async ["async" + name[0].toUpperCase() + name.slice(1)](...args) {
          return shape(await native.start(this.#context, name, args));
        },
      };
      for (const [key, value] of Object.entries(methods)) {
        Object.defineProperty(DasContextJs.prototype, key, { value, configurable: true, writable: true });
      }
    }
  }
}

const BYTES_PER_COMMITMENT = 48;
const BYTES_PER_PROOF = 48;
const BYTES_PER_FIELD_ELEMENT = 32;
const BYTES_PER_BLOB = 131072;
const MAX_NUM_COLUMNS = 128;
const BYTES_PER_CELL = 2048;

// Node finds the names for `import` in this literal, so each property must have the shorthand form.
module.exports = {
  BYTES_PER_COMMITMENT,
  BYTES_PER_PROOF,
  BYTES_PER_FIELD_ELEMENT,
  BYTES_PER_BLOB,
  MAX_NUM_COLUMNS,
  BYTES_PER_CELL,
  CellsAndProofs,
  DasContextJs,
};
