# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests make keys and proofs of PLONK and FFLONK. For given random numbers they are those of snarkjs, and snarkjs' own are verified."""
import hashlib

import pytest

import sumac_msm as sumac

BOTH = [c.name for c in sumac.curves()].count
CIRCUITS = [("tiny-bn254", "plonk"), ("forms-bn254", "plonk"), ("tiny-bls12-381", "plonk"), ("forms-bn254", "fflonk")]


def blinding_of(key):
    """The data were made with these random numbers (tests/compat/plonk)."""
    return [1000003**i + i for i in range(1, key.info.blinding_bytes // 32 + 1)]


@pytest.fixture(params=[c for c in CIRCUITS if BOTH(c[0].partition("-")[2]) == 2], ids="-".join)
def made(request, context, data, tmp_path):
    name, protocol = request.param
    prefix = "" if protocol == "plonk" else protocol + "-"
    circuit, folder, powers = (data / "plonk" / part for part in (name, prefix + name, prefix + name.partition("-")[2] + ".ptau"))
    sumac.plonk_setup(context, circuit / "circuit.r1cs", powers, tmp_path / "key", protocol=protocol)
    assert hashlib.sha256((tmp_path / "key").read_bytes()).digest() == (folder / "key.sha256").read_bytes()
    key = sumac.PlonkKey(context, tmp_path / "key", check="curve", compact=1)
    assert key.info.protocol == key.verifying.info.protocol == protocol
    return circuit, folder, key, tmp_path / "key"


def test_prove_and_verify(context, made):
    circuit, folder, key, path = made
    verifying, blinding = key.verifying, blinding_of(key)
    witness = key.witness(circuit / "witness.wtns")
    assert (key.witness((circuit / "witness.wtns").read_bytes()) == witness).all() and witness.nbytes == key.info.witness_bytes
    publics = key.publics(witness)
    proof = key.prove(witness, blinding=blinding)
    assert verifying.proof_encode(proof) == (folder / "proof.json").read_bytes()
    assert verifying.publics_encode(publics) == (folder / "public.json").read_bytes()
    assert verifying.publics_decode((folder / "public.json").read_bytes()) == publics
    assert verifying.proof_decode((folder / "proof.json").read_bytes()) == proof.tobytes()
    proofs = key.prove(witness.tobytes() * 2)
    assert proofs.shape == (2, key.info.proof_bytes) and proofs[0].tobytes() != proofs[1].tobytes()
    for file in folder / "verification_key.json", path, path.read_bytes():
        other = sumac.PlonkVerifyingKey(context, file)
        assert other.info.publics == key.info.publics and other.verify(publics * 2, proofs)
    wrong = bytes([publics[0] ^ 1]) + publics[1:]
    assert not verifying.verify(wrong, proof) and not verifying.verify(wrong + publics, proofs)
    again = sumac.PlonkKey(context, path.read_bytes())
    assert (again.prove(witness, blinding=blinding) == proof).all()
    assert again.info.key_bytes > key.info.key_bytes


def test_refused(context, made):
    _, _, key, _ = made
    with pytest.raises(sumac.errors.NotSatisfied, match="gate"):
        key.prove(bytes([1]) + bytes(31) + bytes([5]) + bytes(key.info.witness_bytes - 33))
    for arguments in ((b"", b""), (b"", bytes(key.info.proof_bytes))):
        with pytest.raises(sumac.errors.BadLength):
            key.verifying.verify(*arguments)
    with pytest.raises(sumac.errors.BadLength):
        key.prove(bytes(key.info.witness_bytes), blinding=[1])


@pytest.mark.skipif(BOTH("bn254") != 2, reason="BN254 is not built")
def test_gnark(data, context):
    """A proof with gnark's random numbers has gnark's bytes."""
    folder = data / "gnark-plonk" / "several-bn254"
    read = lambda name: (folder / name).read_bytes()  # noqa: E731
    key = sumac.PlonkKey(context, folder / "key")
    assert (key.info.commitments, key.info.format, key.info.publics) == (3, "gnark", 2)
    witness = key.witness(folder / "solution")
    proof = bytes(key.prove(witness, blinding=read("blinding"))[0])
    verifying = key.verifying
    assert verifying.proof_encode(proof, "gnark") == read("proof")
    assert verifying.proof_decode(read("proof.raw"), "gnark-raw") == proof
    publics = key.publics(witness)
    assert verifying.publics_encode(publics, "gnark") == read("public")
    assert sumac.PlonkVerifyingKey(context, read("key")).verify(publics, proof)
    numbers, value = key.commit(0, [5])
    assert (len(numbers), len(value)) == (64, 32)
    with pytest.raises(sumac.errors.BadArgument):
        key.commit(3, [5])
