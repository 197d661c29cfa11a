# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Times of four calls of the package ckzg: the least of 20, with the largest of its usual tables.

  times.py TRUSTED-SETUP
"""
import random
import sys
import time

import ckzg


def timed(name, call, *arguments):
    least = float("inf")
    for _ in range(21):
        start = time.perf_counter()
        result = call(*arguments)
        least = min(least, time.perf_counter() - start)
    print(f"{name} {least * 1e3:.1f} ms")
    return result


setup = ckzg.load_trusted_setup(sys.argv[1], 8)
blob = b"".join(b"\0" + random.randbytes(31) for _ in range(4096))
commitment = timed("blob_to_kzg_commitment", ckzg.blob_to_kzg_commitment, blob, setup)
proof = ckzg.compute_blob_kzg_proof(blob, commitment, setup)
assert timed("verify_blob_kzg_proof", ckzg.verify_blob_kzg_proof, blob, commitment, proof, setup)
cells, proofs = timed("compute_cells_and_kzg_proofs", ckzg.compute_cells_and_kzg_proofs, blob, setup)
assert timed("verify_cell_kzg_proof_batch", ckzg.verify_cell_kzg_proof_batch, [commitment] * len(cells),
             list(range(len(cells))), cells, proofs, setup)
