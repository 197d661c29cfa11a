# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests run the consensus specification's vectors of blobs and cells."""
import pathlib

import pytest

import sumac_msm as sumac

yaml = pytest.importorskip("yaml")
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

pytestmark = pytest.mark.skipif(("bls12-381", "g2") not in [(c.name, c.group) for c in sumac.curves()],
                                reason="the library has not both groups of bls12-381")


@pytest.fixture(scope="module")
def setup(data):
    context = sumac.Context(backend="cpu", threads=2)
    return sumac.KzgSetup.open(context, data / "kzg" / "trusted_setup.txt", check="none", cells=1)


def as_bytes(value):
    if isinstance(value, str):
        return bytes.fromhex(value[2:])
    return [as_bytes(v) for v in value] if isinstance(value, list) and value and isinstance(value[0], (str, list)) else value


# For each name of the specification, a function makes the call, and converts its outcome to the form of the vector.
CALLS = {
    "blob_to_kzg_commitment": lambda s, i: s.commit(i["blob"]).tobytes(),
    "compute_blob_kzg_proof": lambda s, i: s.compute_blob_proof(i["blob"], i["commitment"]).tobytes(),
    "compute_kzg_proof": lambda s, i: [a.tobytes() for a in s.compute_proof(i["blob"], i["z"])],
    "compute_challenge": lambda s, i: sumac.blob_challenge(s._context, i["blob"], i["commitment"]),
    "compute_cells": lambda s, i: [c.tobytes() for c in s.compute_cells(i["blob"])[0]],
    "compute_cells_and_kzg_proofs": lambda s, i: [[x.tobytes() for x in a[0]] for a in s.compute_cells_and_proofs(i["blob"])],
    "recover_cells_and_kzg_proofs": lambda s, i: [[x.tobytes() for x in a[0]] for a in s.recover_cells_and_proofs(
        i["cell_indices"], i["cells"], checked=False)],
    "verify_kzg_proof": lambda s, i: s.verify_proof(i["commitment"], i["z"], i["y"], i["proof"]),
    "verify_blob_kzg_proof": lambda s, i: s.verify_blob_proof(i["blob"], i["commitment"], i["proof"]),
    "verify_blob_kzg_proof_batch": lambda s, i: s.verify_blob_proof(i["blobs"], i["commitments"], i["proofs"]),
    "verify_cell_kzg_proof_batch": lambda s, i: s.verify_cell_proofs(i["commitments"], i["cell_indices"], i["cells"], i["proofs"]),
    "compute_verify_cell_kzg_proof_batch_challenge": lambda s, i: sumac.cell_challenge(
        s._context, i["commitments"], i["commitment_indices"], i["cell_indices"],
        [b"".join(cell) for cell in i["cosets_evals"]], i["proofs"]),
}


def cases_of(function, data):
    path = data / "tests" / function
    for case in sorted(path.glob("*/*/data.yaml")):
        yield case.parent.name, yaml.load(case.read_text(), Loader)


@pytest.mark.parametrize("function", CALLS)
def test_consensus(setup, data, function):
    count = 0
    for name, case in cases_of(function, data):
        given = {key: as_bytes(value) for key, value in case["input"].items()}
        expected = as_bytes(case["output"])
        try:
            outcome = CALLS[function](setup, given)
        except (sumac.Error, ValueError):
            outcome = None
        assert outcome == expected, name
        count += 1
    assert count >= 3


def test_batches(setup, data):
    blob = (data / "kzg" / "blob.bin").read_bytes()
    commitment = bytes.fromhex((data / "kzg" / "commitment.txt").read_text().split()[-1].removeprefix("0x"))
    commitments = setup.commit([blob, blob])
    assert commitments.shape == (2, 48) and commitments[1].tobytes() == commitment
    proofs = setup.compute_blob_proof(blob + blob, commitments)
    assert setup.verify_blob_proof(blob + blob, commitments, proofs)
    assert not setup.verify_blob_proof(blob + blob, commitments, [commitment, commitment])
    zero = b"".join([bytes(32)] * 2)
    opened, values = setup.compute_proof(blob + blob, zero)
    assert setup.verify_proof(commitments, zero, values, opened)
    cells, cell_proofs = setup.compute_cells_and_proofs(blob)
    assert (setup.compute_cells(blob) == cells).all() and (setup.compute_cell_proofs(blob) == cell_proofs).all()
    indices = list(range(1, 128, 2))
    recovered, recovered_proofs = setup.recover_cells_and_proofs(indices, cells[0, 1::2].tobytes())
    assert (recovered == cells).all() and (recovered_proofs == cell_proofs).all()
    more = list(range(100))
    wrong = cells[0, :100].copy()
    wrong[3, 31] ^= 1
    with pytest.raises(sumac.errors.Mismatch) as caught:
        setup.recover_cells_and_proofs(more, wrong, proofs=False)
    assert (caught.value.blob, caught.value.cell) == (0, 3)
    assert setup.recover_cells_and_proofs(more, wrong, proofs=False, checked=False)[1] is None
    assert setup.verify_cell_proofs([commitment] * 64, indices, cells[0, 1::2].tobytes(), cell_proofs[0, 1::2].tobytes())


def test_setups(setup, data, tmp_path):
    assert setup.table_bytes > 0
    setup.save(tmp_path / "setup")
    context = sumac.Context(backend="cpu", threads=1)
    again = sumac.KzgSetup.open(context, tmp_path / "setup", check="none")
    assert again.table_bytes == setup.table_bytes
    lines = (data / "kzg" / "trusted_setup.txt").read_text().split()
    points = [bytes.fromhex(line) for line in lines[2:]]
    lagrange, second, monomial = points[:4096], points[4096:4096 + 65], points[4096 + 65:]
    blob = (data / "kzg" / "blob.bin").read_bytes()
    made = sumac.KzgSetup(context, monomial, b"".join(lagrange), second, check="curve")
    assert made.table_bytes == 0
    assert (made.commit(blob) == setup.commit(blob)).all()
    with pytest.raises(sumac.errors.BadArgument):
        made.compute_cells_and_proofs(blob)
    with pytest.raises(sumac.errors.BadLength):
        sumac.KzgSetup(context, monomial[1:], lagrange, second)
    with pytest.raises(sumac.errors.CannotOpen) as caught:
        sumac.KzgSetup.open(context, tmp_path / "none")
    assert isinstance(caught.value, OSError) and str(pathlib.Path(tmp_path / "none")) in str(caught.value)
