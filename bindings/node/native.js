// SPDX-License-Identifier: Apache-2.0 OR MIT
'use strict';
// This file finds an addon. An addon that was built here comes first. Otherwise it is in one of the packages with built addons,
// of which npm installs the one for this system.
const fs = require('fs');
const path = require('path');

// A package manager that can't distinguish C libraries installs both packages. The package for musl does not load on a system
// with glibc.
const built = (name) => ['musl', 'gnu'].map((libc) => `@sumac-msm/${process.platform}-${process.arch}-${libc}/${name}`);

/** Load an addon for the package in a folder. If it or the library is missing, the error says in one line what to do. */
module.exports = (name, folder) => {
    const own = path.join(folder, 'build/Release', name);
    let cause;
    for (const place of fs.existsSync(own) ? [own] : built(name)) {
        try {
            return require(place);
        } catch (error) {
            cause = cause?.code === 'ERR_DLOPEN_FAILED' ? cause : error;
        }
    }
    const what = cause.code === 'MODULE_NOT_FOUND'
        ? `there is no built addon for ${process.platform} on ${process.arch}; run \`make\` in ${folder}, which needs sumac's library`
        : `${cause.message.split('\n')[0]}; install sumac's library, or set LD_LIBRARY_PATH=PREFIX/lib if it is installed in a PREFIX of its own`;
    throw Object.assign(new Error(`sumac: ${what}`, { cause }), { code: cause.code });
};
