// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import "unsafe"

// PlonkInfo describes a key of PLONK. For a verifying key Wires, Gates, Additions, WitnessBytes and KeyBytes are 0.
type PlonkInfo struct {
	G1, G2        *Curve
	Wires         uint64 // number of wires of a witness
	Publics       uint64 // number of public inputs, which are wires 1 to Publics
	Gates         uint64
	Additions     uint64 // wires that the key adds to those of a witness
	Domain        uint64 // a power of two, at least the number of gates
	WitnessBytes  int
	PublicsBytes  int
	ProofBytes    int
	BlindingBytes int // bytes of the random numbers of a proof
	KeyBytes      uint64
	// WorkspaceBytes is what a proof takes in addition, as it was planned for the context that opened the key.
	WorkspaceBytes uint64
	Commitments    uint64   // of a circuit of gnark to its wires
	Format         string   // of the key's proofs: [SnarkJS] or [Gnark]
	Protocol       Protocol // [ProtocolPlonk] or [ProtocolFflonk]
}

func plonkInfoOf(describe func(info *C.sumac_plonk_info) C.sumac_status) PlonkInfo {
	info := new(C.sumac_plonk_info)
	*info = C.sumac_plonk_info{size: C.sizeof_sumac_plonk_info}
	if describe(info) != C.SUMAC_OK {
		return PlonkInfo{}
	}
	return PlonkInfo{curveOf(info.g1), curveOf(info.g2), uint64(info.wires), uint64(info.publics), uint64(info.gates),
		uint64(info.additions), uint64(info.domain), int(info.witness_bytes), int(info.publics_bytes), int(info.proof_bytes),
		int(info.blinding_bytes), uint64(info.key_bytes), uint64(info.workspace_bytes), uint64(info.commitments), C.GoString(info.format),
		Protocol(C.GoString(info.protocol))}
}

// PlonkVerifyingKey verifies proofs of one circuit. It is immutable, and any number of calls may use it at once.
type PlonkVerifyingKey struct {
	handle *handle
	c      *C.sumac_plonk_verifying_key
	info   PlonkInfo
}

func (v *PlonkVerifyingKey) lifetime() *handle { return v.handle }

func wrapPlonkVerifying(c *C.sumac_plonk_verifying_key, free func(), needs ...*handle) *PlonkVerifyingKey {
	v := &PlonkVerifyingKey{c: c, info: plonkInfoOf(func(info *C.sumac_plonk_info) C.sumac_status {
		return C.sumac_plonk_verifying_key_describe(c, info)
	})}
	v.handle = own(v, "verifying key", free, needs...)
	return v
}

func (c *Context) makePlonkVerifying(memory *scratch, f func(v **C.sumac_plonk_verifying_key) C.sumac_status) (*PlonkVerifyingKey, error) {
	var verifying *C.sumac_plonk_verifying_key
	if err := memory.do(c, func() C.sumac_status { return f(&verifying) }); err != nil {
		return nil, err
	}
	return wrapPlonkVerifying(verifying, func() { C.sumac_plonk_verifying_key_destroy(verifying) }), nil
}

// OpenPlonkVerifyingKey opens a verification_key.json or a .zkey of snarkjs, or a key of gnark.
func (c *Context) OpenPlonkVerifyingKey(path string) (*PlonkVerifyingKey, error) {
	var memory scratch
	p := memory.text(path)
	return c.makePlonkVerifying(&memory, func(v **C.sumac_plonk_verifying_key) C.sumac_status {
		return C.sumac_plonk_verifying_key_open(c.c, p, v)
	})
}

// NewPlonkVerifyingKey does the same as OpenPlonkVerifyingKey, but gets the file's bytes.
func (c *Context) NewPlonkVerifyingKey(file []byte) (*PlonkVerifyingKey, error) {
	return c.makePlonkVerifying(&scratch{}, func(v **C.sumac_plonk_verifying_key) C.sumac_status {
		return C.sumac_plonk_verifying_key_create(c.c, start(file), C.size_t(len(file)), v)
	})
}

// Info describes the key.
func (v *PlonkVerifyingKey) Info() PlonkInfo { return v.info }

// Close frees the key.
func (v *PlonkVerifyingKey) Close() { closeObject(v) }

// PlonkKey is a proving key of PLONK that is resident on a backend, with its verifying key. It is immutable, and any number of
// calls may use it at once. PLONK is experimental.
type PlonkKey struct {
	handle    *handle
	c         *C.sumac_plonk_key
	info      PlonkInfo
	verifying *PlonkVerifyingKey
}

func (k *PlonkKey) lifetime() *handle { return k.handle }

func (c *Context) makePlonkKey(options []PlonkKeyOption, memory *scratch,
	f func(config *C.sumac_plonk_key_config, key **C.sumac_plonk_key) C.sumac_status) (*PlonkKey, error) {
	config := new(C.sumac_plonk_key_config)
	*config = C.sumac_plonk_key_config{size: C.sizeof_sumac_plonk_key_config}
	for _, option := range options {
		if option != nil {
			option.setPlonkKey(config)
		}
	}
	var key *C.sumac_plonk_key
	if err := memory.do(c, func() C.sumac_status { return f(config, &key) }); err != nil {
		return nil, err
	}
	k := &PlonkKey{c: key, info: plonkInfoOf(func(info *C.sumac_plonk_info) C.sumac_status {
		return C.sumac_plonk_key_describe(key, info)
	})}
	k.handle = own(k, "proving key", func() { C.sumac_plonk_key_destroy(key) })
	k.verifying = wrapPlonkVerifying(C.sumac_plonk_key_verifying(key), func() {}, k.handle)
	return k, nil
}

// OpenPlonkKey opens a .zkey of snarkjs, a proving key of gnark with its trace, or a prepared key that [PlonkKey.Save] wrote.
func (c *Context) OpenPlonkKey(path string, options ...PlonkKeyOption) (*PlonkKey, error) {
	var memory scratch
	p := memory.text(path)
	return c.makePlonkKey(options, &memory, func(options *C.sumac_plonk_key_config, key **C.sumac_plonk_key) C.sumac_status {
		return C.sumac_plonk_key_open(c.c, p, options, key)
	})
}

// NewPlonkKey does the same as OpenPlonkKey, but gets the file's bytes.
func (c *Context) NewPlonkKey(file []byte, options ...PlonkKeyOption) (*PlonkKey, error) {
	return c.makePlonkKey(options, &scratch{}, func(options *C.sumac_plonk_key_config, key **C.sumac_plonk_key) C.sumac_status {
		return C.sumac_plonk_key_create(c.c, start(file), C.size_t(len(file)), options, key)
	})
}

// PlonkSetup makes the proving key of a circuit (.r1cs) from powers of tau (.ptau), with the bytes that snarkjs makes.
func (c *Context) PlonkSetup(r1csPath, ptauPath, zkeyPath string, options ...PlonkSetupOption) error {
	var memory scratch
	r1cs, ptau, zkey := memory.text(r1csPath), memory.text(ptauPath), memory.text(zkeyPath)
	config := new(C.sumac_plonk_setup_config)
	*config = C.sumac_plonk_setup_config{size: C.sizeof_sumac_plonk_setup_config}
	for _, option := range options {
		option.setPlonkSetup(config, &memory)
	}
	return memory.do(c, func() C.sumac_status { return C.sumac_plonk_setup(c.c, r1cs, ptau, config, zkey) })
}

// Save writes a prepared key, with its multiples and the verifying key, but without values on cosets.
func (k *PlonkKey) Save(c *Context, path string) error {
	return c.save(k, path, func(p *C.char) C.sumac_status { return C.sumac_plonk_key_save(c.c, k.c, p) })
}

// Info describes the key.
func (k *PlonkKey) Info() PlonkInfo { return k.info }

// Verifying is the verifying key, which is closed with the proving key.
func (k *PlonkKey) Verifying() *PlonkVerifyingKey { return k.verifying }

// Close frees the key and its verifying key.
func (k *PlonkKey) Close() {
	if h := lifetimeOf(k); h != nil {
		h.close()
		k.verifying.Close()
	}
}

// OpenWitness reads a witness of circom (.wtns) or a solution of gnark, and returns it as [PlonkKey.Prove] accepts it.
func (k *PlonkKey) OpenWitness(c *Context, path string) ([]byte, error) {
	var memory scratch
	defer memory.free()
	p := memory.text(path)
	if memory.err != nil {
		return nil, memory.err
	}
	return makeWitness(c, k, func(witness *unsafe.Pointer, size *C.size_t) C.sumac_status {
		return C.sumac_plonk_witness_open(c.c, k.c, p, witness, size)
	})
}

// ReadWitness does the same as OpenWitness, but gets the file's bytes.
func (k *PlonkKey) ReadWitness(c *Context, file []byte) ([]byte, error) {
	return makeWitness(c, k, func(witness *unsafe.Pointer, size *C.size_t) C.sumac_status {
		return C.sumac_plonk_witness_create(c.c, k.c, start(file), C.size_t(len(file)), witness, size)
	})
}

// Publics returns the public inputs of a witness.
func (k *PlonkKey) Publics(c *Context, witness []byte) ([]byte, error) {
	if err := need(c, k); err != nil {
		return nil, err
	}
	publics := make([]byte, k.info.PublicsBytes)
	return deliver(publics, c.do(func() C.sumac_status {
		return C.sumac_plonk_witness_publics(c.c, k.c, start(witness), C.size_t(len(witness)), start(publics), C.size_t(len(publics)))
	}, reading(k)))
}

// Commit computes the value of commitment `which` while a circuit of gnark is being solved. The value is the output of gnark's hint.
// The given values are the hint's other inputs in their order, as raw scalars. The two random numbers, raw, hide the wires, and belong
// to the witness.
func (k *PlonkKey) Commit(c *Context, which int, values []byte) (numbers, hash []byte, err error) {
	if err := need(c, k); err != nil {
		return nil, nil, err
	}
	if which < 0 {
		return nil, nil, refuse(ErrBadArgument, "there is no commitment %d", which)
	}
	numbers, hash = make([]byte, 2*k.info.G1.ScalarBytes), make([]byte, k.info.G1.ScalarBytes)
	err = c.do(func() C.sumac_status {
		return C.sumac_plonk_commit(c.c, k.c, C.size_t(which), start(values), C.size_t(len(values)),
			start(numbers), C.size_t(len(numbers)), start(hash), C.size_t(len(hash)))
	}, reading(k))
	if err != nil {
		return nil, nil, err
	}
	return numbers, hash, nil
}

// Prove computes a proof for each of the concatenated witnesses. Each proof is verified before it is returned.
func (k *PlonkKey) Prove(c *Context, witnesses []byte, options ...PlonkProveOption) ([]byte, error) {
	if err := need(c, k); err != nil {
		return nil, err
	}
	n, err := countElements("witnesses", len(witnesses), k.info.WitnessBytes)
	if err != nil {
		return nil, err
	}
	var memory scratch
	defer memory.free()
	to := plonkProveOptions{c: new(C.sumac_plonk_prove_config)}
	*to.c = C.sumac_plonk_prove_config{size: C.sizeof_sumac_plonk_prove_config}
	for _, option := range options {
		if option != nil {
			option.setPlonkProve(&to)
		}
	}
	if to.blinding != nil {
		if err := checkLength("blinding", len(to.blinding), n*k.info.BlindingBytes); err != nil {
			return nil, err
		}
		to.c.blinding, to.c.blinding_bytes = pinned(&memory, to.blinding), length(to.blinding)
	}
	proofs := make([]byte, n*k.info.ProofBytes)
	return deliver(proofs, c.do(func() C.sumac_status {
		return C.sumac_plonk_prove(c.c, k.c, start(witnesses), C.size_t(len(witnesses)), C.size_t(n), to.c, start(proofs), C.size_t(len(proofs)))
	}, reading(k)))
}

// Verify says whether proofs are valid for their raw public inputs. Several proofs are verified together.
func (v *PlonkVerifyingKey) Verify(c *Context, publics, proofs []byte) (bool, error) {
	if err := need(c, v); err != nil {
		return false, err
	}
	n, err := countProofs(len(publics), len(proofs), v.info.PublicsBytes, v.info.ProofBytes)
	memory := scratch{err: err}
	return memory.ask(c, func(ok *C.int) C.sumac_status {
		return C.sumac_plonk_verify(c.c, v.c, start(publics), C.size_t(len(publics)), start(proofs), C.size_t(len(proofs)), C.size_t(n), ok)
	}, reading(v))
}

// EncodeProof encodes a proof: as the text of proof.json ([SnarkJS]) or, for a key of gnark, as gnark does ([Gnark], [GnarkRaw]).
func (v *PlonkVerifyingKey) EncodeProof(c *Context, proof []byte, format string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return encodeText(c, v, "the proof", proof, v.info.ProofBytes, format, func(format *C.char, bytes *unsafe.Pointer, count *C.size_t) C.sumac_status {
		return C.sumac_plonk_proof_encode(c.c, v.c, start(proof), C.size_t(len(proof)), format, bytes, count)
	})
}

// EncodePublics encodes public inputs: as the text of public.json, or as gnark does.
func (v *PlonkVerifyingKey) EncodePublics(c *Context, publics []byte, format string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return encodeText(c, v, "public inputs", publics, v.info.PublicsBytes, format, func(format *C.char, bytes *unsafe.Pointer, count *C.size_t) C.sumac_status {
		return C.sumac_plonk_publics_encode(c.c, v.c, start(publics), C.size_t(len(publics)), format, bytes, count)
	})
}

// DecodeProof decodes a proof. Error messages refer to the bytes by this name.
func (v *PlonkVerifyingKey) DecodeProof(c *Context, bytes []byte, format, name string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return decodeText(c, v, v.info.ProofBytes, format, name, func(format, name *C.char, proof unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_plonk_proof_decode(c.c, v.c, start(bytes), C.size_t(len(bytes)), format, name, proof, size)
	})
}

// DecodePublics decodes public inputs. Error messages refer to the bytes by this name.
func (v *PlonkVerifyingKey) DecodePublics(c *Context, bytes []byte, format, name string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return decodeText(c, v, v.info.PublicsBytes, format, name, func(format, name *C.char, publics unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_plonk_publics_decode(c.c, v.c, start(bytes), C.size_t(len(bytes)), format, name, publics, size)
	})
}
