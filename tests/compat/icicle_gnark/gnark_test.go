// SPDX-License-Identifier: Apache-2.0 OR MIT

// Tests of libsumac_icicle_gnark through gnark and icicle-gnark's Go packages. gnark-crypto computes what is expected. run.sh
// makes a module of them.
package icicle_gnark_test

import (
	"fmt"
	"math/big"
	"os"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fp"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/consensys/gnark/backend/accelerated/icicle"
	icicle_groth16 "github.com/consensys/gnark/backend/accelerated/icicle/groth16"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
	"github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/core"
	icicle_bn254 "github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/curves/bn254"
	"github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/curves/bn254/g2"
	"github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/curves/bn254/msm"
	"github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/curves/bn254/ntt"
	vecops "github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/curves/bn254/vecOps"
	icicle_runtime "github.com/ingonyama-zk/icicle-gnark/v3/wrappers/golang/runtime"
)

func init() { logger.Disable() }

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ---- gnark's prover ----

// A circuit of n products and of two commitments, the second one to the first.
type circuit struct {
	X frontend.Variable
	Y frontend.Variable `gnark:",public"`
	n int
}

func (c *circuit) Define(api frontend.API) error {
	committer := api.(frontend.Committer)
	x := c.X
	for range c.n {
		x = api.Mul(api.Add(x, c.Y), x)
	}
	first, err := committer.Commit(c.X, x, c.Y)
	if err != nil {
		return err
	}
	second, err := committer.Commit(first, api.Mul(x, c.X))
	if err != nil {
		return err
	}
	api.AssertIsDifferent(api.Mul(first, second), c.Y)
	return nil
}

// TestProve lets gnark prove with the tag icicle, with keys that stay on the device and with others, in several goroutines.
// gnark verifies.
func TestProve(t *testing.T) {
	for _, id := range []ecc.ID{ecc.BN254, ecc.BLS12_381, ecc.BLS12_377, ecc.BW6_761} {
		for _, pinned := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v,pinned=%v", id, pinned), func(t *testing.T) {
				system, err := frontend.Compile(id.ScalarField(), r1cs.NewBuilder, &circuit{n: 700})
				ok(t, err)
				pk, vk, err := icicle_groth16.Setup(system)
				ok(t, err)
				full, err := frontend.NewWitness(&circuit{X: 3, Y: 5}, id.ScalarField())
				ok(t, err)
				public, err := full.Public()
				ok(t, err)
				var all sync.WaitGroup
				for range 4 {
					all.Go(func() {
						proof, err := icicle_groth16.Prove(system, pk, full, icicle.WithPinKeysToGPU(pinned))
						if err == nil {
							err = groth16.Verify(proof, vk, public)
						}
						if err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// ---- Single functions, over BN254 ----

// onDevice runs a function as gnark does: in a goroutine that has its thread alone, with a device of type "CUDA".
func onDevice(t testing.TB, goroutines int, f func() error) {
	device := icicle_runtime.CreateDevice("CUDA", 0)
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			if e := icicle_runtime.SetDevice(&device); e != icicle_runtime.Success {
				t.Error(e.AsString())
			}
			if err := f(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func check(e icicle_runtime.EIcicleError, what string) error {
	if e != icicle_runtime.Success {
		return fmt.Errorf("%s: %s", what, e.AsString())
	}
	return nil
}

func randomScalars(n int) []fr.Element {
	scalars := make([]fr.Element, n)
	for i := range scalars {
		scalars[i].SetRandom()
	}
	return scalars
}

func point(p icicle_bn254.Projective) (q bn254.G1Affine) {
	x, _ := fp.LittleEndian.Element((*[fp.Bytes]byte)(p.X.ToBytesLittleEndian()))
	y, _ := fp.LittleEndian.Element((*[fp.Bytes]byte)(p.Y.ToBytesLittleEndian()))
	z, _ := fp.LittleEndian.Element((*[fp.Bytes]byte)(p.Z.ToBytesLittleEndian()))
	z.Inverse(&z)
	q.X.Mul(&x, &z)
	q.Y.Mul(&y, &z)
	return q
}

// msmCase computes sums of both groups, of resident and of host operands, in batches, and with cut scalars.
func msmCase(n, batch int, shared, resident bool) error {
	scalars := randomScalars(n * batch)
	count := n
	if !shared {
		count *= batch
	}
	_, _, g1, g2Generator := bn254.Generators()
	points := bn254.BatchScalarMultiplicationG1(&g1, randomScalars(count))
	points[0] = bn254.G1Affine{}
	cfg := msm.GetDefaultMSMConfig()
	cfg.AreBasesMontgomeryForm, cfg.AreScalarsMontgomeryForm = true, true
	var s, p core.HostOrDeviceSlice = core.HostSliceFromElements(scalars), core.HostSliceFromElements(points)
	if resident {
		var sd, pd core.DeviceSlice
		core.HostSliceFromElements(scalars).CopyToDevice(&sd, true)
		core.HostSliceFromElements(points).CopyToDevice(&pd, true)
		defer sd.Free()
		defer pd.Free()
		s, p = sd, pd
	}
	results := make(core.HostSlice[icicle_bn254.Projective], batch)
	if err := check(msm.Msm(s, p, &cfg, results), "msm"); err != nil {
		return err
	}
	for j := range batch {
		var expected bn254.G1Affine
		from := points[:n]
		if !shared {
			from = points[j*n : (j+1)*n]
		}
		if _, err := expected.MultiExp(from, scalars[j*n:(j+1)*n], ecc.MultiExpConfig{NbTasks: 1}); err != nil {
			return err
		}
		if got := point(results[j]); got != expected {
			return fmt.Errorf("%d scalars, sum %d of %d: another point", n, j, batch)
		}
	}
	// In G2, with scalars of which only the lowest bits count.
	const bits = 100
	twists := bn254.BatchScalarMultiplicationG2(&g2Generator, randomScalars(n))
	cut := make([]fr.Element, n)
	for i := range cut {
		var integer big.Int
		scalars[i].BigInt(&integer)
		cut[i].SetBigInt(integer.And(&integer, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))))
	}
	cfg2 := g2.G2GetDefaultMSMConfig()
	cfg2.AreBasesMontgomeryForm, cfg2.AreScalarsMontgomeryForm, cfg2.Bitsize = true, true, bits
	result := make(core.HostSlice[g2.G2Projective], 1)
	if err := check(g2.G2Msm(core.HostSliceFromElements(scalars[:n]), core.HostSliceFromElements(twists), &cfg2, result), "G2"); err != nil {
		return err
	}
	var expected bn254.G2Affine
	if _, err := expected.MultiExp(twists, cut, ecc.MultiExpConfig{NbTasks: 1}); err != nil {
		return err
	}
	// The result's Z is 1.
	var x [2 * fp.Bytes]byte
	copy(x[:], result[0].X.ToBytesLittleEndian())
	a0, _ := fp.LittleEndian.Element((*[fp.Bytes]byte)(x[:fp.Bytes]))
	a1, _ := fp.LittleEndian.Element((*[fp.Bytes]byte)(x[fp.Bytes:]))
	if a0 != expected.X.A0 || a1 != expected.X.A1 {
		return fmt.Errorf("%d scalars in G2: another point", n)
	}
	return nil
}

func TestMSM(t *testing.T) {
	onDevice(t, 8, func() error {
		for _, n := range []int{1, 2, 65, 200} {
			for _, batch := range []int{1, 3} {
				for flags := range 4 {
					if err := msmCase(n, batch, flags&1 != 0, flags&2 != 0); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// The root of the domain is the cube of gnark-crypto's, so that its value i is value 3i of gnark-crypto.
const power = 3

func initDomain(t *testing.T, size uint64) {
	generator, err := fft.Generator(size)
	ok(t, err)
	generator.Exp(generator, big.NewInt(power))
	bits := generator.Bits()
	var root icicle_bn254.ScalarField
	root.FromLimbs(core.ConvertUint64ArrToUint32Arr(bits[:]))
	onDevice(t, 1, func() error {
		return check(ntt.InitDomain(root, core.GetDefaultNTTInitDomainConfig()), "init domain")
	})
}

func powersOf(values []fr.Element) []fr.Element {
	result := make([]fr.Element, len(values))
	for i := range result {
		result[i] = values[power*i%len(values)]
	}
	return result
}

func reversed(values []fr.Element, wanted bool) []fr.Element {
	values = append([]fr.Element{}, values...)
	if wanted {
		fft.BitReverse(values)
	}
	return values
}

// nttCase compares both directions with gnark-crypto's transforms, in all orders, on cosets and in batches.
func nttCase(n uint64, ordering core.Ordering, inverse, coset, resident, columns bool) error {
	domain := fft.NewDomain(n)
	rows := 3
	inReversed := ordering == core.KRN || ordering == core.KRR || ordering == core.KMN
	outReversed := ordering == core.KNR || ordering == core.KRR || ordering == core.KNM
	var input, expected []fr.Element
	for range rows {
		row := randomScalars(int(n))
		given := row
		if inverse {
			given = powersOf(row)
		}
		input = append(input, reversed(given, inReversed)...)
		var options []fft.Option
		if coset {
			options = append(options, fft.OnCoset())
		}
		if inverse {
			domain.FFTInverse(row, fft.DIF, options...)
		} else {
			domain.FFT(row, fft.DIF, options...)
		}
		fft.BitReverse(row)
		if !inverse {
			row = powersOf(row)
		}
		expected = append(expected, reversed(row, outReversed)...)
	}
	transpose := func(m []fr.Element, rows, columns int) []fr.Element {
		result := make([]fr.Element, len(m))
		for i := range m {
			result[i%columns*rows+i/columns] = m[i]
		}
		return result
	}
	if columns {
		input, expected = transpose(input, rows, int(n)), transpose(expected, rows, int(n))
	}
	cfg := ntt.GetDefaultNttConfig()
	cfg.Ordering, cfg.BatchSize, cfg.ColumnsBatch = ordering, int32(rows), columns
	if coset {
		bits := domain.FrMultiplicativeGen.Bits()
		copy(cfg.CosetGen[:], core.ConvertUint64ArrToUint32Arr(bits[:]))
	}
	direction := core.KForward
	if inverse {
		direction = core.KInverse
	}
	output := make(core.HostSlice[fr.Element], len(input))
	if resident {
		var memory core.DeviceSlice
		core.HostSliceFromElements(input).CopyToDevice(&memory, true)
		defer memory.Free()
		if err := check(ntt.Ntt(memory, direction, &cfg, memory), "ntt"); err != nil {
			return err
		}
		output.CopyFromDevice(&memory)
	} else if err := check(ntt.Ntt(core.HostSliceFromElements(input), direction, &cfg, output), "ntt"); err != nil {
		return err
	}
	for i := range output {
		if output[i] != expected[i] {
			return fmt.Errorf("n %d, ordering %d, inverse %v, coset %v, resident %v, columns %v: element %d differs", n, ordering, inverse, coset,
				resident, columns, i)
		}
	}
	return nil
}

func TestNTT(t *testing.T) {
	initDomain(t, 1<<12)
	initDomain(t, 1<<3) // this does not replace the larger one
	onDevice(t, 8, func() error {
		for _, n := range []uint64{1, 2, 16, 1 << 10} {
			for ordering := core.KNN; ordering <= core.KMN; ordering++ {
				for flags := range 16 {
					if err := nttCase(n, ordering, flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// TestVectors computes element by element, into each of the operands, and converts.
func TestVectors(t *testing.T) {
	onDevice(t, 8, func() error {
		const n = 300
		a, b := randomScalars(n), randomScalars(n)
		for operation := core.Sub; operation <= core.Mul; operation++ {
			for into := range 3 {
				var memory [3]core.DeviceSlice
				for i, host := range [][]fr.Element{a, b, a} {
					core.HostSliceFromElements(host).CopyToDevice(&memory[i], true)
					defer memory[i].Free()
					if i < 2 {
						if err := check(icicle_bn254.FromMontgomery(memory[i]), "from Montgomery"); err != nil {
							return err
						}
					}
				}
				if err := check(vecops.VecOp(memory[0], memory[1], memory[into], core.DefaultVecOpsConfig(), operation), "vectors"); err != nil {
					return err
				}
				if err := check(icicle_bn254.ToMontgomery(memory[into]), "to Montgomery"); err != nil {
					return err
				}
				got := make(core.HostSlice[fr.Element], n)
				got.CopyFromDevice(&memory[into])
				for i := range got {
					var expected fr.Element
					switch operation {
					case core.Sub:
						expected.Sub(&a[i], &b[i])
					case core.Add:
						expected.Add(&a[i], &b[i])
					case core.Mul:
						expected.Mul(&a[i], &b[i])
					}
					if got[i] != expected {
						return fmt.Errorf("operation %d into %d: element %d differs", operation, into, i)
					}
				}
			}
		}
		return nil
	})
}

// TestPoints adds points one by one.
func TestPoints(t *testing.T) {
	_, _, generator, _ := bn254.Generators()
	points := bn254.BatchScalarMultiplicationG1(&generator, randomScalars(2))
	points = append(points, bn254.G1Affine{}, points[0])
	var opposite bn254.G1Affine
	opposite.Neg(&points[0])
	points = append(points, opposite)
	projective := func(p bn254.G1Affine) (q icicle_bn254.Projective) {
		var affine icicle_bn254.Affine
		x, y := p.X.Bits(), p.Y.Bits()
		affine.FromLimbs(core.ConvertUint64ArrToUint32Arr(x[:]), core.ConvertUint64ArrToUint32Arr(y[:]))
		q.FromAffine(affine)
		return q
	}
	for i := range points {
		for j := range points {
			var negative, sum, difference bn254.G1Affine
			negative.Neg(&points[j])
			sum.Add(&points[i], &points[j])
			difference.Add(&points[i], &negative)
			p, q := projective(points[i]), projective(points[j])
			if point(p.Add(&q)) != sum || point(p.Sub(&q)) != difference {
				t.Error(i, j)
			}
			if p.ProjectiveEq(&q) != (points[i] == points[j]) {
				t.Error(i, j, "equal")
			}
		}
	}
}

// TestBad gives calls what they must refuse.
func TestBad(t *testing.T) {
	initDomain(t, 1<<12)
	onDevice(t, 1, func() error {
		var memory core.DeviceSlice
		scalars := randomScalars(64)
		core.HostSliceFromElements(scalars).CopyToDevice(&memory, true)
		defer memory.Free()
		expect := func(name string, got, expected icicle_runtime.EIcicleError) {
			if got != expected {
				t.Errorf("%s: %s", name, got.AsString())
			}
		}
		cfg := ntt.GetDefaultNttConfig()
		odd := memory.RangeTo(63, false)
		expect("63 elements", ntt.Ntt(odd, core.KForward, &cfg, odd), icicle_runtime.InvalidArgument)
		cfg.Ordering = 6
		expect("an ordering", ntt.Ntt(memory, core.KForward, &cfg, memory), icicle_runtime.InvalidArgument)
		large := make(core.HostSlice[fr.Element], 1<<13)
		cfg = ntt.GetDefaultNttConfig()
		expect("beyond the domain", ntt.Ntt(large, core.KForward, &cfg, large), icicle_runtime.InvalidArgument)
		for i := range unsafe.Slice((*uint64)(unsafe.Pointer(&large[5])), 4) {
			unsafe.Slice((*uint64)(unsafe.Pointer(&large[5])), 4)[i] = ^uint64(0)
		}
		expect("a scalar beyond r", ntt.Ntt(large[:64], core.KForward, &cfg, large[:64]), icicle_runtime.InvalidArgument)
		var three icicle_bn254.ScalarField
		three.FromLimbs([]uint32{3, 0, 0, 0, 0, 0, 0, 0})
		expect("no root", ntt.InitDomain(three, core.GetDefaultNTTInitDomainConfig()), icicle_runtime.InvalidArgument)
		// A count that the memory does not have.
		var wide core.DeviceSlice = memory
		type header struct {
			inner            unsafe.Pointer
			capacity, length int
		}
		(*header)(unsafe.Pointer(&wide)).length = 128
		expect("128 of 64 elements", ntt.Ntt(wide, core.KForward, &cfg, wide), icicle_runtime.InvalidPointer)
		expect("converted", icicle_bn254.ToMontgomery(wide), icicle_runtime.InvalidPointer)
		// A point off the curve.
		_, _, generator, _ := bn254.Generators()
		generator.X = generator.Y
		sums := msm.GetDefaultMSMConfig()
		sums.AreBasesMontgomeryForm = true
		result := make(core.HostSlice[icicle_bn254.Projective], 1)
		expect("a point off the curve", msm.Msm(core.HostSliceFromElements(scalars[:1]), core.HostSlice[bn254.G1Affine]{generator}, &sums, result),
			icicle_runtime.InvalidArgument)
		_, _, generator, _ = bn254.Generators()
		sums.Bitsize = -1
		expect("bits", msm.Msm(core.HostSliceFromElements(scalars[:1]), core.HostSlice[bn254.G1Affine]{generator}, &sums, result), icicle_runtime.InvalidArgument)
		// Devices and memory.
		for _, name := range []string{"METAL", "CPU1", ""} {
			device := icicle_runtime.CreateDevice(name, 0)
			expect(name, icicle_runtime.SetDevice(&device), icicle_runtime.InvalidDevice)
		}
		device := icicle_runtime.CreateDevice("CUDA", 1000)
		expect("device 1000", icicle_runtime.SetDevice(&device), icicle_runtime.InvalidDevice)
		expect("freed twice", icicle_runtime.Free(unsafe.Pointer(&scalars[0])), icicle_runtime.InvalidPointer)
		_, e := icicle_runtime.Malloc(1 << 60)
		expect("2^60 bytes", e, icicle_runtime.OutOfMemory)
		_, e = icicle_runtime.CopyToDevice((*header)(unsafe.Pointer(&memory)).inner, unsafe.Pointer(&large[0]), 64*32+1)
		expect("a copy", e, icicle_runtime.InvalidPointer)
		// Memory of one device is not that of another.
		cpu := icicle_runtime.CreateDevice("CPU", 0)
		expect("CPU", icicle_runtime.SetDevice(&cpu), icicle_runtime.Success)
		if icicle_runtime.IsActiveDeviceMemory((*header)(unsafe.Pointer(&memory)).inner) {
			t.Error("memory of another device")
		}
		cuda := icicle_runtime.CreateDevice("CUDA", 0)
		return check(icicle_runtime.SetDevice(&cuda), "CUDA")
	})
}

// TestMemory makes 10,000 calls in 8 goroutines. The process then has as much memory as after the first ones.
func TestMemory(t *testing.T) {
	initDomain(t, 1<<12)
	run := func(calls int) {
		onDevice(t, 8, func() error {
			for range calls / 8 / 4 {
				var memory core.DeviceSlice
				core.HostSliceFromElements(randomScalars(64)).CopyToDevice(&memory, true)
				cfg := ntt.GetDefaultNttConfig()
				err := check(ntt.Ntt(memory, core.KForward, &cfg, memory), "ntt")
				if err == nil {
					err = check(vecops.VecOp(memory, memory, memory, core.DefaultVecOpsConfig(), core.Mul), "vectors")
				}
				if err == nil {
					_, _, generator, _ := bn254.Generators()
					sums := msm.GetDefaultMSMConfig()
					sums.AreBasesMontgomeryForm = true
					result := make(core.HostSlice[icicle_bn254.Projective], 1)
					err = check(msm.Msm(memory.RangeTo(1, false), core.HostSlice[bn254.G1Affine]{generator}, &sums, result), "msm")
				}
				memory.Free()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	resident := func() (bytes int) {
		text, err := os.ReadFile("/proc/self/statm")
		ok(t, err)
		var total, pages int
		_, err = fmt.Sscan(string(text), &total, &pages)
		ok(t, err)
		return pages * os.Getpagesize()
	}
	run(2000)
	before := resident()
	run(10000)
	if after := resident(); after > before+32<<20 {
		t.Errorf("10,000 calls: the process had %d bytes, and has %d", before, after)
	}
}
