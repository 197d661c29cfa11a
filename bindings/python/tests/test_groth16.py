# SPDX-License-Identifier: Apache-2.0 OR MIT
"""These tests compute proofs with keys of snarkjs and gnark. They check the reference's proof for given random numbers, and
verify proofs by snarkjs and gnark."""
import json

import pytest

import sumac_msm as sumac

BOTH = [c.name for c in sumac.curves()].count
CIRCUITS = [("tiny-bn254", "bn254"), ("tiny-bls12-381", "bls12-381"), ("poseidon-bn254", "bn254")]


@pytest.fixture(params=[c for c in CIRCUITS if BOTH(c[1]) == 2], ids=lambda c: c[0])
def folder(request, data):
    return data / "groth16" / request.param[0]


def test_prove_and_verify(context, folder, tmp_path):
    key = sumac.Groth16Key(context, folder / "key.zkey")
    info, verifying = key.info, key.verifying
    assert info.g1.group == "g1" and info.g2.group == "g2" and info.has_verifying_key
    witness = key.witness(folder / "witness.wtns")
    assert witness.nbytes == info.witness_bytes
    assert (key.witness((folder / "witness.wtns").read_bytes()) == witness).all()
    key.check_witness(witness, folder / "circuit.r1cs")
    text = (folder / "public.json").read_text()
    publics = verifying.publics_decode(text)
    assert key.publics(witness) == publics
    numbers = [int(x) for x in json.loads(text)]
    assert publics == b"".join(x.to_bytes(info.g1.scalar_bytes, "little") for x in numbers)
    assert json.loads(verifying.publics_encode(numbers)) == json.loads(text)
    # The proof of snarkjs is valid, and so are the library's proofs with given and with fresh random numbers.
    other = verifying.proof_decode((folder / "proof.json").read_bytes())
    assert verifying.verify(publics, other) and verifying.verify(numbers, other)
    assert json.loads(verifying.proof_encode(other)) == json.loads((folder / "proof.json").read_text())
    proofs = key.prove(witness.tobytes() * 2)
    assert proofs.shape == (2, info.proof_bytes) and proofs[0].tobytes() != proofs[1].tobytes()
    assert verifying.verify(publics * 2, proofs) and verifying.verify([publics, publics], list(proofs))
    wrong = [numbers[0] + 1, *numbers[1:]]
    assert not verifying.verify(wrong, proofs[0]) and not verifying.verify(numbers + wrong, proofs)
    fixed = key.prove(witness, randomness=[5, 7])
    assert (key.prove(witness, randomness=[5, 7], unverified=True) == fixed).all()
    out = bytearray(info.proof_bytes)
    assert key.prove(witness, randomness=[5, 7], out=out) is out and bytes(out) == fixed.tobytes()
    wires = sumac.Vector.of(context, info.g1, witness)
    assert (key.prove(wires, randomness=[5, 7]) == fixed).all()
    for format in ("snarkjs", "gnark", "gnark-raw"):
        assert verifying.proof_decode(verifying.proof_encode(fixed, format), format) == fixed.tobytes()
        assert verifying.publics_decode(verifying.publics_encode(publics, format), format) == publics
    with pytest.raises(sumac.errors.UnknownFormat):
        verifying.proof_encode(fixed, "json")
    for arguments in ((publics, b""), ([], b""), (publics, proofs), (publics * 2, fixed), (publics, fixed.tobytes()[1:])):
        with pytest.raises(sumac.errors.BadLength):
            verifying.verify(*arguments)
    with pytest.raises(sumac.errors.BadLength):
        key.publics(witness[:-1])
    # Keys are opened from memory and from the file of save(). Verifying keys are opened without a proving key.
    key.save(tmp_path / "prepared")
    for again in (sumac.Groth16Key(context, (folder / "key.zkey").read_bytes(), check="curve", precompute_factor=1),
                  sumac.Groth16Key(context, tmp_path / "prepared", check="none")):
        assert (again.prove(witness, randomness=[5, 7]) == fixed).all()
    for file in (folder / "verification_key.json", str(folder / "key.zkey"), tmp_path / "prepared",
                 (folder / "verification_key.json").read_bytes()):
        alone = sumac.Groth16VerifyingKey(context, file)
        assert alone.verify(publics, fixed) and alone.info.wires == 0 and alone.info.publics == info.publics
    # The verifying key keeps the proving key of which it is a part.
    key.close()
    assert verifying.verify(publics, fixed)


def test_reference(context, folder):
    """With the random numbers of the reference in Python, the proof has the reference's bytes."""
    key = sumac.Groth16Key(context, folder / "key.zkey")
    numbers = [0x123456789abcdef0fedcba9876543210, 0x2468ace13579bdf]
    assert key.prove(key.witness(folder / "witness.wtns"), randomness=numbers).tobytes() == (folder / "expected.bin").read_bytes()


def test_not_satisfied(context, folder):
    key = sumac.Groth16Key(context, folder / "key.zkey")
    witness = key.witness(folder / "witness.wtns").copy()
    witness[-key.info.g1.scalar_bytes] ^= 1
    with pytest.raises(sumac.errors.NotSatisfied):
        key.prove(witness)
    with pytest.raises(sumac.errors.NotSatisfied):
        key.check_witness(witness, folder / "circuit.r1cs")


@pytest.mark.skipif(BOTH("bn254") < 2, reason="the library has not both groups of bn254")
def test_gnark(context, data):
    folder = data / "gnark" / "bn254"
    verifying = sumac.Groth16VerifyingKey(context, folder / "vk.compressed")
    with pytest.raises(sumac.errors.NotSupported):
        bare = sumac.Groth16Key(context, folder / "pk.raw")
        bare.prove(bare.witness(folder / "solution"))
    key = sumac.Groth16Key(context, folder / "pk.compressed", verifying=verifying)
    assert key.verifying is verifying
    # The verifying key lives as long as the proving key that needs it.
    verifying.close()
    proof = key.prove(key.witness(folder / "solution"))
    alone = sumac.Groth16VerifyingKey(context, (folder / "vk.raw").read_bytes())
    publics = alone.publics_decode((folder / "public").read_bytes(), "gnark")
    assert alone.verify(publics, proof)
    assert alone.verify(publics, alone.proof_decode((folder / "proof.raw").read_bytes(), "gnark-raw"))
    assert alone.proof_encode(alone.proof_decode((folder / "proof.raw").read_bytes(), "gnark"), "gnark") == \
        (folder / "proof.compressed").read_bytes()


@pytest.mark.skipif(BOTH("bn254") < 2, reason="the library has not both groups of bn254")
def test_commitments(context, data):
    """The solver's values are those that gnark's solver had, and gnark's proof is ours for gnark's r and s."""
    folder = data / "gnark" / "several-bn254"
    wires = [int.from_bytes(n, "little") for n in zip(*[iter((folder / "commitment_wires").read_bytes())] * 4)]
    verifying = sumac.Groth16VerifyingKey(context, folder / "vk.raw")
    with pytest.raises(sumac.errors.BadLength):
        sumac.Groth16Key(context, folder / "pk.raw", verifying=verifying, commitment_wires=wires[1:])
    key = sumac.Groth16Key(context, folder / "pk.raw", verifying=verifying, commitment_wires=wires)
    assert key.info.commitments == verifying.info.commitments == 3
    witness = key.witness(folder / "solution")
    value = lambda wire: bytes(witness[32 * wire:32 * wire + 32])  # noqa: E731
    point, hashed = key.commit(0, b"".join(map(value, [1, *wires[1:3]])))  # the first public input is hashed, too
    assert hashed == value(wires[0])
    proof = key.prove(witness, randomness=(folder / "randomness").read_bytes())
    assert bytes(proof[0])[256:320] == point
    assert verifying.proof_encode(proof, "gnark-raw") == (folder / "proof.raw").read_bytes()
    with pytest.raises(sumac.errors.BadArgument):
        key.commit(3, b"")
    with pytest.raises(sumac.errors.BadArgument):
        sumac.Groth16VerifyingKey(context, folder / "vk.raw", commitment_hash="md5")
    other = data / "gnark" / "sha256"
    for file in (other / "vk.raw", (other / "vk.raw").read_bytes()):
        hashing = sumac.Groth16VerifyingKey(context, file, commitment_hash="sha256")
        publics = hashing.publics_decode((other / "public").read_bytes(), "gnark")
        assert hashing.verify(publics, hashing.proof_decode((other / "proof.raw").read_bytes(), "gnark"))
