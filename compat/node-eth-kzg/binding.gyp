# SPDX-License-Identifier: Apache-2.0 OR MIT
# This builds the addon with the library that pkg-config finds.
{
    "targets": [{
        "target_name": "eth_kzg",
        "sources": ["addon.c"],
        "cflags": ["-std=gnu11", "<!@(pkg-config --cflags sumac_eth_kzg)"],
        "libraries": ["<!@(pkg-config --libs sumac_eth_kzg)"],
    }],
}
