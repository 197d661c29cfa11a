// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac

// #include "callbacks.h"
import "C"

import "unsafe"

// Groth16Info describes a key. For a verifying key Wires, Domain, Coefficients, WitnessBytes and KeyBytes are 0.
type Groth16Info struct {
	G1, G2          *Curve
	Wires           uint64 // number of wires; a witness begins with their scalars
	Publics         uint64 // number of public inputs, which are wires 1 to Publics
	Domain          uint64 // a power of two, at least the number of constraints
	Coefficients    uint64 // number of nonzero coefficients; 0 for gnark's keys
	WitnessBytes    int
	PublicsBytes    int
	ProofBytes      int
	KeyBytes        uint64
	HasVerifyingKey bool // false: the key is gnark's and was opened without a verifying key
	Commitments     int  // commitments of a proof, which gnark's circuits may have
}

func infoOf(describe func(info *C.sumac_groth16_info) C.sumac_status) Groth16Info {
	info := new(C.sumac_groth16_info)
	*info = C.sumac_groth16_info{size: C.sizeof_sumac_groth16_info}
	if describe(info) != C.SUMAC_OK {
		return Groth16Info{}
	}
	return Groth16Info{curveOf(info.g1), curveOf(info.g2), uint64(info.wires), uint64(info.publics), uint64(info.domain),
		uint64(info.coefficients), int(info.witness_bytes), int(info.publics_bytes), int(info.proof_bytes), uint64(info.key_bytes),
		info.has_verifying_key != 0, int(info.commitments)}
}

// Groth16VerifyingKey verifies proofs of one circuit. It is immutable, and any number of calls may use it at once.
type Groth16VerifyingKey struct {
	handle *handle
	c      *C.sumac_groth16_verifying_key
	info   Groth16Info
}

func (v *Groth16VerifyingKey) lifetime() *handle { return v.handle }

func wrapVerifying(c *C.sumac_groth16_verifying_key, free func(), needs ...*handle) *Groth16VerifyingKey {
	v := &Groth16VerifyingKey{c: c, info: infoOf(func(info *C.sumac_groth16_info) C.sumac_status {
		return C.sumac_groth16_verifying_key_describe(c, info)
	})}
	v.handle = own(v, "verifying key", free, needs...)
	return v
}

func (c *Context) makeVerifying(memory *scratch, f func(v **C.sumac_groth16_verifying_key) C.sumac_status) (*Groth16VerifyingKey, error) {
	var verifying *C.sumac_groth16_verifying_key
	if err := memory.do(c, func() C.sumac_status { return f(&verifying) }); err != nil {
		return nil, err
	}
	return wrapVerifying(verifying, func() { C.sumac_groth16_verifying_key_destroy(verifying) }), nil
}

// OpenGroth16VerifyingKey opens a verification_key.json of snarkjs or a verifying key of gnark. It can also read the verifying
// key of a .zkey or of a prepared key, whose other parts are then not read.
func (c *Context) OpenGroth16VerifyingKey(path string) (*Groth16VerifyingKey, error) {
	var memory scratch
	p := memory.text(path)
	return c.makeVerifying(&memory, func(v **C.sumac_groth16_verifying_key) C.sumac_status {
		return C.sumac_groth16_verifying_key_open(c.c, p, v)
	})
}

// NewGroth16VerifyingKey does the same as OpenGroth16VerifyingKey, but gets the file's bytes.
func (c *Context) NewGroth16VerifyingKey(file []byte) (*Groth16VerifyingKey, error) {
	return c.makeVerifying(&scratch{}, func(v **C.sumac_groth16_verifying_key) C.sumac_status {
		return C.sumac_groth16_verifying_key_create(c.c, start(file), C.size_t(len(file)), v)
	})
}

// NewGroth16VerifyingKeyHashing does what NewGroth16VerifyingKey does, for proofs of gnark whose commitments have the hash
// "sha256" or "keccak256" instead of the default, "xmd-sha256". Proving keys that are opened with it have the same hash.
func (c *Context) NewGroth16VerifyingKeyHashing(file []byte, hash string) (*Groth16VerifyingKey, error) {
	var memory scratch
	h := memory.text(hash)
	return c.makeVerifying(&memory, func(v **C.sumac_groth16_verifying_key) C.sumac_status {
		return C.sumac_groth16_verifying_key_create_hashing(c.c, start(file), C.size_t(len(file)), h, v)
	})
}

// Info describes the key.
func (v *Groth16VerifyingKey) Info() Groth16Info { return v.info }

// Close frees the key.
func (v *Groth16VerifyingKey) Close() { closeObject(v) }

// Groth16Key is a proving key that is resident on a backend, with its verifying key. It is immutable, and any number of calls
// may use it at once.
type Groth16Key struct {
	handle    *handle
	c         *C.sumac_groth16_key
	info      Groth16Info
	verifying *Groth16VerifyingKey
}

func (k *Groth16Key) lifetime() *handle { return k.handle }

func (c *Context) makeKey(options []KeyOption, memory *scratch,
	f func(config *C.sumac_groth16_key_config, key **C.sumac_groth16_key) C.sumac_status) (*Groth16Key, error) {
	if memory.err != nil {
		return nil, memory.err
	}
	to := keyOptions{c: new(C.sumac_groth16_key_config)}
	*to.c = C.sumac_groth16_key_config{size: C.sizeof_sumac_groth16_key_config}
	for _, option := range options {
		if option != nil {
			option.setKey(&to)
		}
	}
	if to.err != nil {
		return nil, to.err
	}
	var uses []use
	var needs []*handle
	if to.verifying != nil {
		// The verifying key is held until the new key itself uses it, so that it can't be closed in between.
		if err := to.verifying.handle.acquire(false); err != nil {
			return nil, err
		}
		defer to.verifying.handle.release()
		to.c.verifying = to.verifying.c
		uses, needs = append(uses, reading(to.verifying)), append(needs, to.verifying.handle)
	}
	var wires scratch
	defer wires.free()
	to.c.commitment_wires, to.c.commitment_wires_bytes = pinned(&wires, to.wires), C.size_t(4*len(to.wires))
	var key *C.sumac_groth16_key
	if err := c.do(func() C.sumac_status { return f(to.c, &key) }, uses...); err != nil {
		return nil, err
	}
	k := &Groth16Key{c: key, info: infoOf(func(info *C.sumac_groth16_info) C.sumac_status {
		return C.sumac_groth16_key_describe(key, info)
	})}
	k.handle = own(k, "proving key", func() { C.sumac_groth16_key_destroy(key) }, needs...)
	k.verifying = wrapVerifying(C.sumac_groth16_key_verifying(key), func() {}, k.handle)
	return k, nil
}

// OpenGroth16Key opens a .zkey of snarkjs, a proving key of gnark, or a prepared key that [Groth16Key.Save] wrote.
func (c *Context) OpenGroth16Key(path string, options ...KeyOption) (*Groth16Key, error) {
	var memory scratch
	defer memory.free()
	p := memory.text(path)
	return c.makeKey(options, &memory, func(options *C.sumac_groth16_key_config, key **C.sumac_groth16_key) C.sumac_status {
		return C.sumac_groth16_key_open(c.c, p, options, key)
	})
}

// NewGroth16Key does the same as OpenGroth16Key, but gets the file's bytes.
func (c *Context) NewGroth16Key(file []byte, options ...KeyOption) (*Groth16Key, error) {
	var memory scratch
	return c.makeKey(options, &memory, func(options *C.sumac_groth16_key_config, key **C.sumac_groth16_key) C.sumac_status {
		return C.sumac_groth16_key_create(c.c, start(file), C.size_t(len(file)), options, key)
	})
}

// Save writes the key as it is resident, with its multiples and the verifying key. With [CheckNone], opening the file takes no
// longer than copying it.
func (k *Groth16Key) Save(c *Context, path string) error {
	return c.save(k, path, func(p *C.char) C.sumac_status { return C.sumac_groth16_key_save(c.c, k.c, p) })
}

// Info describes the key.
func (k *Groth16Key) Info() Groth16Info { return k.info }

// Verifying is the verifying key, which is closed with the proving key. If a key of gnark was opened without a verifying key,
// only the curve and the number of public inputs of the result are known.
func (k *Groth16Key) Verifying() *Groth16VerifyingKey { return k.verifying }

// Close frees the key and its verifying key.
func (k *Groth16Key) Close() {
	if h := lifetimeOf(k); h != nil {
		h.close()
		k.verifying.Close()
	}
}

// OpenWitness reads a witness and returns it as [Groth16Key.Prove] accepts it. The file is a witness of circom (.wtns) or, for
// a key of gnark, a file of gnark's solver (R1CSSolution.WriteTo).
func (k *Groth16Key) OpenWitness(c *Context, path string) ([]byte, error) {
	var memory scratch
	defer memory.free()
	p := memory.text(path)
	if memory.err != nil {
		return nil, memory.err
	}
	return makeWitness(c, k, func(witness *unsafe.Pointer, size *C.size_t) C.sumac_status {
		return C.sumac_groth16_witness_open(c.c, k.c, p, witness, size)
	})
}

// ReadWitness does the same as OpenWitness, but gets the file's bytes.
func (k *Groth16Key) ReadWitness(c *Context, file []byte) ([]byte, error) {
	return makeWitness(c, k, func(witness *unsafe.Pointer, size *C.size_t) C.sumac_status {
		return C.sumac_groth16_witness_create(c.c, k.c, start(file), C.size_t(len(file)), witness, size)
	})
}

// makeWitness returns a witness that a call with a proving key has read.
func makeWitness(c *Context, k object, f func(witness *unsafe.Pointer, size *C.size_t) C.sumac_status) ([]byte, error) {
	if err := need(c, k); err != nil {
		return nil, err
	}
	return makeBytes(c, f, reading(k))
}

// makeBytes returns bytes that a call of the library has allocated.
func makeBytes(c *Context, f func(bytes *unsafe.Pointer, count *C.size_t) C.sumac_status, uses ...use) ([]byte, error) {
	var bytes unsafe.Pointer
	var count C.size_t
	if err := c.do(func() C.sumac_status { return f(&bytes, &count) }, uses...); err != nil {
		return nil, err
	}
	return takeBytes(bytes, int(count)), nil
}

// Publics returns the public inputs of a witness.
func (k *Groth16Key) Publics(c *Context, witness []byte) ([]byte, error) {
	if err := need(c, k); err != nil {
		return nil, err
	}
	publics := make([]byte, k.info.PublicsBytes)
	return deliver(publics, c.do(func() C.sumac_status {
		return C.sumac_groth16_witness_publics(c.c, k.c, start(witness), C.size_t(len(witness)), start(publics), C.size_t(len(publics)))
	}, reading(k)))
}

// CheckWitness returns an error that is [ErrNotSatisfied] if a witness does not satisfy the circuit in a .r1cs file.
func (k *Groth16Key) CheckWitness(c *Context, witness []byte, r1csPath string) error {
	if err := need(c, k); err != nil {
		return err
	}
	if err := checkLength("the witness", len(witness), k.info.WitnessBytes); err != nil {
		return err
	}
	var memory scratch
	p := memory.text(r1csPath)
	return memory.do(c, func() C.sumac_status {
		return C.sumac_groth16_witness_check(c.c, k.c, start(witness), C.size_t(len(witness)), p)
	}, reading(k))
}

// Commit computes commitment `which` and its value while a circuit is being solved. The value is the output of gnark's hint. The
// given values are the hint's other inputs in their order, as raw scalars: those that are only hashed, then those of the
// committed private wires.
func (k *Groth16Key) Commit(c *Context, which int, values []byte) (commitment, hash []byte, err error) {
	if err := need(c, k); err != nil {
		return nil, nil, err
	}
	if which < 0 {
		return nil, nil, refuse(ErrBadArgument, "there is no commitment %d", which)
	}
	commitment, hash = make([]byte, k.info.G1.PointBytes), make([]byte, k.info.G1.ScalarBytes)
	err = c.do(func() C.sumac_status {
		return C.sumac_groth16_commit(c.c, k.c, C.size_t(which), start(values), C.size_t(len(values)),
			start(commitment), C.size_t(len(commitment)), start(hash), C.size_t(len(hash)))
	}, reading(k))
	if err != nil {
		return nil, nil, err
	}
	return commitment, hash, nil
}

// Prove computes a proof for each of the concatenated witnesses. Each proof is verified before it is returned.
func (k *Groth16Key) Prove(c *Context, witnesses []byte, options ...ProveOption) ([]byte, error) {
	if err := need(c, k); err != nil {
		return nil, err
	}
	n, err := countElements("witnesses", len(witnesses), k.info.WitnessBytes)
	if err != nil {
		return nil, err
	}
	return k.prove(c, n, options, func(config *C.sumac_groth16_prove_config, proofs unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_groth16_prove(c.c, k.c, start(witnesses), C.size_t(len(witnesses)), C.size_t(n), config, proofs, size)
	}, reading(k))
}

// ProveVector does the same as Prove for `count` witnesses in a vector of scalars, which lie where the Context computes.
func (k *Groth16Key) ProveVector(c *Context, witnesses *Vector, count int, options ...ProveOption) ([]byte, error) {
	if err := need(c, k, witnesses); err != nil {
		return nil, err
	}
	if count < 0 || uint64(count) > uint64(witnesses.count) {
		return nil, refuse(ErrBadLength, "a vector of %d scalars does not have %d witnesses", witnesses.count, count)
	}
	return k.prove(c, count, options, func(config *C.sumac_groth16_prove_config, proofs unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_groth16_prove_vector(c.c, k.c, witnesses.c, C.size_t(count), config, proofs, size)
	}, reading(k), reading(witnesses))
}

func (k *Groth16Key) prove(c *Context, count int, options []ProveOption,
	f func(config *C.sumac_groth16_prove_config, proofs unsafe.Pointer, size C.size_t) C.sumac_status, uses ...use) ([]byte, error) {
	var memory scratch
	defer memory.free()
	to := proveOptions{c: new(C.sumac_groth16_prove_config)}
	*to.c = C.sumac_groth16_prove_config{size: C.sizeof_sumac_groth16_prove_config}
	for _, option := range options {
		if option != nil {
			option.setProve(&to)
		}
	}
	if to.randomness != nil {
		if err := checkLength("randomness", len(to.randomness), 2*count*k.info.G1.ScalarBytes); err != nil {
			return nil, err
		}
		to.c.randomness, to.c.randomness_bytes = pinned(&memory, to.randomness), length(to.randomness)
	}
	proofs := make([]byte, count*k.info.ProofBytes)
	return deliver(proofs, c.do(func() C.sumac_status { return f(to.c, start(proofs), C.size_t(len(proofs))) }, uses...))
}

// countProofs returns how many proofs there are. There must be one at least, and each must have public inputs.
func countProofs(publics, proofs, publicsBytes, proofBytes int) (int, error) {
	n, err := countElements("proofs", proofs, proofBytes)
	if err == nil && n == 0 {
		err = refuse(ErrBadLength, "there is no proof to verify")
	}
	if err == nil {
		err = checkLength("public inputs", publics, n*publicsBytes)
	}
	return n, err
}

// Verify says whether proofs are valid for their raw public inputs. Several proofs are verified together, which is several
// times as fast as verifying them one by one.
func (v *Groth16VerifyingKey) Verify(c *Context, publics, proofs []byte) (bool, error) {
	if err := need(c, v); err != nil {
		return false, err
	}
	n, err := countProofs(len(publics), len(proofs), v.info.PublicsBytes, v.info.ProofBytes)
	memory := scratch{err: err}
	return memory.ask(c, func(ok *C.int) C.sumac_status {
		return C.sumac_groth16_verify(c.c, v.c, start(publics), C.size_t(len(publics)), start(proofs), C.size_t(len(proofs)), C.size_t(n), ok)
	}, reading(v))
}

// These are formats in which other programs write proofs and public inputs. The first byte of a proof of gnark says which
// encoding it has, so that either of gnark's formats decodes both.
const (
	SnarkJS  = "snarkjs"   // the text of a proof.json or public.json
	Gnark    = "gnark"     // the output of WriteTo, with compressed points
	GnarkRaw = "gnark-raw" // the output of WriteRawTo
)

// EncodeProof encodes a proof in another program's format.
func (v *Groth16VerifyingKey) EncodeProof(c *Context, proof []byte, format string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return encodeText(c, v, "the proof", proof, v.info.ProofBytes, format, func(format *C.char, bytes *unsafe.Pointer, count *C.size_t) C.sumac_status {
		return C.sumac_groth16_proof_encode(c.c, v.c, start(proof), C.size_t(len(proof)), format, bytes, count)
	})
}

// EncodePublics encodes public inputs in another program's format.
func (v *Groth16VerifyingKey) EncodePublics(c *Context, publics []byte, format string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return encodeText(c, v, "public inputs", publics, v.info.PublicsBytes, format, func(format *C.char, bytes *unsafe.Pointer, count *C.size_t) C.sumac_status {
		return C.sumac_groth16_publics_encode(c.c, v.c, start(publics), C.size_t(len(publics)), format, bytes, count)
	})
}

// encodeText encodes raw bytes with a verifying key.
func encodeText(c *Context, v object, what string, raw []byte, size int, format string,
	f func(format *C.char, bytes *unsafe.Pointer, count *C.size_t) C.sumac_status) ([]byte, error) {
	if err := checkLength(what, len(raw), size); err != nil {
		return nil, err
	}
	var memory scratch
	defer memory.free()
	name := memory.text(format)
	if memory.err != nil {
		return nil, memory.err
	}
	return makeBytes(c, func(bytes *unsafe.Pointer, count *C.size_t) C.sumac_status { return f(name, bytes, count) }, reading(v))
}

// DecodeProof decodes a proof. Error messages refer to the bytes by this name.
func (v *Groth16VerifyingKey) DecodeProof(c *Context, bytes []byte, format, name string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return decodeText(c, v, v.info.ProofBytes, format, name, func(format, name *C.char, proof unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_groth16_proof_decode(c.c, v.c, start(bytes), C.size_t(len(bytes)), format, name, proof, size)
	})
}

// DecodePublics decodes public inputs. Error messages refer to the bytes by this name.
func (v *Groth16VerifyingKey) DecodePublics(c *Context, bytes []byte, format, name string) ([]byte, error) {
	if err := need(c, v); err != nil {
		return nil, err
	}
	return decodeText(c, v, v.info.PublicsBytes, format, name, func(format, name *C.char, publics unsafe.Pointer, size C.size_t) C.sumac_status {
		return C.sumac_groth16_publics_decode(c.c, v.c, start(bytes), C.size_t(len(bytes)), format, name, publics, size)
	})
}

// decodeText decodes raw bytes with a verifying key.
func decodeText(c *Context, v object, size int, format, name string,
	f func(format, name *C.char, result unsafe.Pointer, size C.size_t) C.sumac_status) ([]byte, error) {
	var memory scratch
	of, n := memory.text(format), memory.text(name)
	result := make([]byte, size)
	return deliver(result, memory.do(c, func() C.sumac_status { return f(of, n, start(result), C.size_t(size)) }, reading(v)))
}
