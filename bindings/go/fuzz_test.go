// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sumac"
)

// Everything that belongs to no object.
var functions = map[string]any{
	"Bytes":         sumac.Bytes[[4]uint64],
	"CheckBackend":  sumac.CheckBackend,
	"Curves":        sumac.Curves,
	"FindCurve":     sumac.FindCurve,
	"Formats":       sumac.Formats,
	"Integers":      sumac.Integers,
	"NewContext":    sumac.NewContext,
	"NewPool":       sumac.NewPool,
	"PartialBytes":  sumac.PartialBytes,
	"Version":       sumac.Version,
	"VersionNumber": sumac.VersionNumber,
}

// Not called: RunAt takes addresses, which nobody checks; what errors have is looked at after each call; closing is the fuzzer's own.
var notCalled = []string{"Call.RunAt", "Error.Error", "Error.Is", "Error.Unwrap", "PanicError.Error", "WrongCellError.Error"}

// TestFuzz makes random calls of everything that the module has, found by reflection: with right arguments, numbers at the ends
// of their types, slices of any length, and objects that are closed, nil or zero. Each ends in a result or an error.
//
// SUMAC_FUZZ_CALLS is how many calls are made, and SUMAC_FUZZ_SEED where they begin; tools/fuzz-bindings.sh makes many under the
// address sanitizer.
func TestFuzz(t *testing.T) {
	calls, seed := fromEnvironment(t, "SUMAC_FUZZ_CALLS", 1500), fromEnvironment(t, "SUMAC_FUZZ_SEED", 1)
	f := newFuzzer(t, int64(seed))
	all := f.find()
	checkFunctions(t)
	t.Chdir(f.folder) // names that are taken for paths are files there
	limitMemory(t)
	weights := 0
	for _, one := range all {
		weights += one.weight
	}
	for made := 0; made < calls; {
		at := f.random.Intn(weights)
		one := all[slices.IndexFunc(all, func(c fuzzed) bool { at -= c.weight; return at < 0 })]
		if strings.HasPrefix(one.name, "KZGSetup.") && f.random.Intn(100) >= 5 {
			continue // blobs are large: what works on them takes its time
		}
		f.call(one)
		made++
	}
	var never, onlyBad []string
	good, bad := 0, 0
	for _, one := range all {
		counts := f.counts[one.name]
		if counts == nil {
			never = append(never, one.name)
			continue
		}
		if good += counts[1]; counts[1] == 0 {
			onlyBad = append(onlyBad, one.name)
		}
		bad += counts[0]
	}
	t.Logf("%d calls of %d functions: %d results, %d errors %v", good+bad, len(f.counts), good, bad, f.statuses)
	t.Logf("never called: %v; never with a result: %v; slowest: %s", never, onlyBad, f.slowest)
	if calls >= 50000 && len(never) != 0 {
		t.Errorf("never called: %v", never)
	}
}

func fromEnvironment(t *testing.T, name string, otherwise int) int {
	if text := os.Getenv(name); text != "" {
		return must(strconv.Atoi(text))(t)
	}
	return otherwise
}

// All functions of the package are in the list.
func checkFunctions(t *testing.T) {
	packages := must(parser.ParseDir(token.NewFileSet(), ".", func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }, 0))(t)
	for _, file := range packages["sumac"].Files {
		for _, declaration := range file.Decls {
			if f, is := declaration.(*ast.FuncDecl); is && f.Recv == nil && f.Name.IsExported() && functions[f.Name.Name] == nil {
				t.Errorf("%s is not among the functions that are called", f.Name.Name)
			}
		}
	}
}

// Half a gigabyte more than the process has, and files of moderate size, so that what asks for more is refused, on any machine.
func limitMemory(t *testing.T) {
	ballast := make([]byte, 256<<20) // Go keeps the addresses: it ends a program that gets no more of them
	ballast[0] = 1
	var pages uint64
	_ = must(fmt.Sscan(string(must(os.ReadFile("/proc/self/statm"))(t)), &pages))(t)
	most := pages*uint64(os.Getpagesize()) + 1<<29
	ok(t, syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: math.MaxUint64}))
	ok(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64 << 20, Max: math.MaxUint64}))
	t.Cleanup(func() {
		ok(t, syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: math.MaxUint64, Max: math.MaxUint64}))
		ok(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: math.MaxUint64, Max: math.MaxUint64}))
	})
}

type fuzzed struct {
	name     string
	function reflect.Value // of a method the receiver is the first argument
	method   bool
	weight   int
}

type fuzzer struct {
	t        *testing.T
	random   *rand.Rand
	objects  map[reflect.Type][]reflect.Value
	strings  []string
	good     [][]byte
	folder   string
	curve    *sumac.Curve
	sizes    []int // bytes that something in the call takes, perhaps
	numbers  []int // likewise
	count    int   // of the slices before in the call; -1: none
	began    time.Time
	counts   map[string]*[2]int
	statuses map[sumac.Status]int
	slowest  string
	longest  time.Duration
}

const fuzzKept = 6

var errorType = reflect.TypeFor[error]()

// The closed ones, and those to begin with.
func newFuzzer(t *testing.T, seed int64) *fuzzer {
	f := &fuzzer{t: t, random: rand.New(rand.NewSource(seed)), objects: map[reflect.Type][]reflect.Value{}, folder: t.TempDir(), count: -1,
		counts: map[string]*[2]int{}, statuses: map[sumac.Status]int{},
		strings: []string{"", "bn254", "bls12-381", "g1", "g2", "cpu", "cuda", "auto", "raw", "zcash-compressed", "eip2537", "no such", "a\x00b", "combine"}}
	f.began = time.Now().Add(time.Hour)
	c := must(sumac.NewContext(&sumac.ContextConfig{Backend: "cpu", Threads: 1, Progress: f.progress}))(t)
	closed := must(sumac.NewContext(&sumac.ContextConfig{Backend: "cpu", Threads: 1}))(t)
	closed.Close()
	f.keep(reflect.ValueOf(closed), false)
	f.keep(reflect.ValueOf(c), false)
	for _, curve := range sumac.Curves() {
		f.keep(reflect.ValueOf(curve), false)
		for _, n := range []int{0, 1, 8} {
			bases := must(c.NewKnownBases(curve, n, 1, nil))(t)
			ok(t, bases.Save(c, filepath.Join(f.folder, "table")))
			ok(t, bases.SaveAs(c, "raw", filepath.Join(f.folder, "raw")))
			f.keep(reflect.ValueOf(bases), false)
		}
		f.keep(reflect.ValueOf(must(c.NewVector(curve, sumac.ScalarVector, 8))(t)), false)
		f.keep(reflect.ValueOf(must(c.NewVector(curve, sumac.PointVector, 8))(t)), false)
	}
	f.strings = append(f.strings, filepath.Join(f.folder, "table"), filepath.Join(f.folder, "raw"))
	for i := range 4 {
		f.strings = append(f.strings, filepath.Join(f.folder, fmt.Sprint("written", i)))
	}
	if curve, err := sumac.FindCurve("bn254", "g1"); err == nil {
		srs := must(c.NewKnownBases(curve, 8, 1, nil))(t)
		f.keep(reflect.ValueOf(must(c.NewFK20(srs, 8, 2, 0))(t)), false)
	}
	if _, err := sumac.FindCurve("bn254", "g2"); err == nil && os.Getenv("SUMAC_TEST_DATA") != "" {
		r1cs, wtns, zkey := filepath.Join(f.folder, "circuit.r1cs"), filepath.Join(f.folder, "circuit.wtns"), filepath.Join(f.folder, "circuit.zkey")
		for path, name := range map[string]string{r1cs: "circuit.r1cs", wtns: "witness.wtns", zkey: "key.zkey"} { // calls write to them
			ok(t, os.WriteFile(path, read(t, "groth16", "tiny-bn254", name), 0o600))
		}
		key := must(c.OpenGroth16Key(zkey, nil))(t)
		witness := must(key.OpenWitness(c, wtns))(t)
		f.good = append(f.good, witness, must(key.Prove(c, witness, nil))(t), must(os.ReadFile(zkey))(t))
		f.keep(reflect.ValueOf(key), false)
		f.keep(reflect.ValueOf(key.Verifying()), false)
		f.strings = append(f.strings, r1cs, wtns, zkey)
	}
	// A setup whose secret is 1: of the values the first alone counts.
	if g1, err := sumac.FindCurve("bls12-381", "g1"); err == nil {
		g2 := must(sumac.FindCurve("bls12-381", "g2"))(t)
		first := sumac.Bytes48(must(c.EncodePoints(g1, must(g1.Generator())(t), "zcash-compressed"))(t))
		second := sumac.Bytes96(must(c.EncodePoints(g2, must(g2.Generator())(t), "zcash-compressed"))(t))
		lagrange := slices.Repeat([]sumac.Bytes48{{0xc0}}, 4096)
		lagrange[0] = first
		setup := must(c.NewKZGSetup(slices.Repeat([]sumac.Bytes48{first}, 4096), lagrange, slices.Repeat([]sumac.Bytes96{second}, 65), sumac.CheckNone))(t)
		ok(t, setup.MakeTables(c, 1<<20))
		f.keep(reflect.ValueOf(setup), false)
	}
	return f
}

// All functions and methods, of the types that they lead to.
func (f *fuzzer) find() (all []fuzzed) {
	seen := map[reflect.Type]bool{}
	var types []reflect.Type
	look := func(t reflect.Type) {
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		own := strings.HasSuffix(t.PkgPath(), "sumac") || t.Kind() == reflect.Pointer && strings.HasSuffix(t.Elem().PkgPath(), "sumac")
		if own && !seen[t] && t.NumMethod() != 0 {
			seen[t] = true
			types = append(types, t)
		}
	}
	lookAt := func(function reflect.Type) {
		for i := range function.NumIn() + function.NumOut() {
			t := function.Out
			if i < function.NumIn() {
				t = function.In
			} else {
				i -= function.NumIn()
			}
			look(t(i))
		}
	}
	add := func(name string, function reflect.Value, method bool) {
		if !slices.Contains(notCalled, name) {
			all = append(all, fuzzed{name, function, method, 1 + 2*function.Type().NumIn()})
			lookAt(function.Type())
		}
	}
	for name, function := range functions {
		add(name, reflect.ValueOf(function), false)
	}
	types = append(types, reflect.TypeFor[sumac.Status](), reflect.TypeFor[*sumac.Error](), reflect.TypeFor[*sumac.WrongCellError]())
	for len(types) != 0 {
		t := types[0]
		types = types[1:]
		name := t.Name()
		if t.Kind() == reflect.Pointer {
			name = t.Elem().Name()
		}
		for i := range t.NumMethod() {
			add(name+"."+t.Method(i).Name, t.Method(i).Func, true)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all
}

func (f *fuzzer) progress(float64) error {
	if time.Since(f.began) > 50*time.Millisecond {
		return errors.New("long enough")
	}
	return nil
}

func (f *fuzzer) call(one fuzzed) {
	f.sizes, f.numbers, f.count = nil, nil, -1
	function := one.function.Type()
	fails := function.NumOut() != 0 && function.Out(function.NumOut()-1) == errorType
	var arguments []reflect.Value
	for i := range function.NumIn() {
		arguments = append(arguments, f.draw(function.In(i), one.method && i == 0 && !fails))
	}
	if strings.HasSuffix(one.name, ".Close") || one.name == "Context.Discard" {
		arguments[0] = f.toClose(function.In(0))
	}
	if one.name == "Pool.Take" || one.name == "Pool.Try" { // its contexts that were kept are given back
		f.dropContexts()
	}
	f.began = time.Now()
	watchdog := time.AfterFunc(10*time.Minute, func() { panic("a call does not end: " + one.name) })
	results := func() []reflect.Value {
		defer func() {
			if p := recover(); p != nil {
				f.t.Fatalf("%s panics: %v", one.name, p)
			}
		}()
		if function.IsVariadic() {
			return one.function.CallSlice(arguments)
		}
		return one.function.Call(arguments)
	}()
	watchdog.Stop()
	if took := time.Since(f.began); took > f.longest {
		f.longest, f.slowest = took, fmt.Sprintf("%s, %v", one.name, took)
	}
	if f.counts[one.name] == nil {
		f.counts[one.name] = &[2]int{}
	}
	if fails && !results[len(results)-1].IsNil() {
		f.counts[one.name][0]++
		var failed *sumac.Error
		if err := results[len(results)-1].Interface().(error); !errors.As(err, &failed) || failed.Error() == "" || failed.Status == sumac.Internal {
			f.t.Errorf("%s: %v", one.name, err)
		} else {
			f.statuses[failed.Status]++
		}
		return
	}
	f.counts[one.name][1]++
	if one.name == "Context.With" || one.name == "Pinned.Bytes" {
		return // the same context, which stays open; memory that goes with its object
	}
	for _, result := range results {
		f.take(result)
	}
}

// Keep what a call made, for others.
func (f *fuzzer) take(result reflect.Value) {
	switch value := result.Interface().(type) {
	case []byte:
		if len(f.good) < 12 {
			f.good = append(f.good, value)
		} else {
			f.good[f.random.Intn(len(f.good))] = value
		}
		return
	case string:
		if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
			f.good = append(f.good[:min(len(f.good), 11)], []byte(value))
		}
		return
	case *sumac.Context: // the fuzzer's own are enough to work with; others have as many threads as were drawn
		if len(f.objects[result.Type()]) != 0 && value != nil && value.Threads() > 4 {
			value.Close()
			return
		}
	}
	if isObject(result.Type()) && !result.IsNil() {
		f.keep(result, true)
	}
}

func isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && t.NumMethod() != 0 && strings.HasSuffix(t.Elem().PkgPath(), "sumac") && !t.Implements(errorType)
}

// The first context is closed, and the second is what calls are made with. The first ones of all types stay.
func (f *fuzzer) keep(object reflect.Value, replace bool) {
	t := object.Type()
	kept := f.objects[t]
	if !replace || len(kept) < fuzzKept+lasting(t) {
		f.objects[t] = append(kept, object)
		return
	}
	at := lasting(t) + f.random.Intn(len(kept)-lasting(t))
	if closer, is := kept[at].Interface().(interface{ Close() }); is && f.random.Intn(2) == 0 {
		closer.Close() // else the garbage collector does it
	}
	kept[at] = object
}

func lasting(t reflect.Type) int {
	switch t {
	case reflect.TypeFor[*sumac.Context]():
		return 2
	case reflect.TypeFor[*sumac.Bases](), reflect.TypeFor[*sumac.Vector]():
		return 12
	case reflect.TypeFor[*sumac.Curve]():
		return 100
	}
	return 1
}

// One that is not among them, or nil.
func (f *fuzzer) toClose(t reflect.Type) reflect.Value {
	kept := f.objects[t]
	if len(kept) <= lasting(t) {
		return reflect.Zero(t)
	}
	at := lasting(t) + f.random.Intn(len(kept)-lasting(t))
	object := kept[at]
	if f.chance(70) {
		f.objects[t] = slices.Delete(kept, at, at+1)
	}
	return object
}

func (f *fuzzer) dropContexts() {
	t := reflect.TypeFor[*sumac.Context]()
	for _, object := range f.objects[t][2:] {
		object.Interface().(*sumac.Context).Close()
	}
	f.objects[t] = f.objects[t][:2]
}

func (f *fuzzer) chance(percent int) bool { return f.random.Intn(100) < percent }

func pick[T any](f *fuzzer, values []T) T { return values[f.random.Intn(len(values))] }

// A value for an argument; a receiver whose method can't fail is there.
func (f *fuzzer) draw(t reflect.Type, sound bool) reflect.Value {
	switch t {
	case reflect.TypeFor[context.Context]():
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		if f.chance(10) {
			cancel()
		} else {
			f.t.Cleanup(cancel)
		}
		return reflect.ValueOf(ctx)
	case reflect.TypeFor[[]byte]():
		return reflect.ValueOf(f.bytes())
	case reflect.TypeFor[*big.Int]():
		return reflect.ValueOf(new(big.Int).Sub(new(big.Int).SetUint64(f.number()), big.NewInt(5)))
	case reflect.TypeFor[sumac.At](): // on the CPU there is no other memory: refused
		return reflect.ValueOf(sumac.At{Scalars: 64, Results: 64, ScalarsOnDevice: true, ResultsOnDevice: f.chance(50)})
	case reflect.TypeFor[func(float64) error]():
		return reflect.ValueOf(f.progress)
	case reflect.TypeFor[func(sumac.TraceEvent)]():
		return reflect.ValueOf(func(sumac.TraceEvent) {})
	}
	switch t.Kind() {
	case reflect.Bool:
		return reflect.ValueOf(f.chance(50)).Convert(t)
	case reflect.String:
		return reflect.ValueOf(pick(f, f.strings)).Convert(t)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n := f.number()
		if f.chance(4) {
			n = -n
		}
		return reflect.ValueOf(n).Convert(t) // those that a type does not hold wrap round
	case reflect.Float64:
		return reflect.ValueOf(pick(f, []float64{0, -1, 1e-9, 2, 1e300, math.Inf(1), math.NaN()})).Convert(t)
	case reflect.Array:
		return f.array(t)
	case reflect.Slice:
		return f.slice(t)
	case reflect.Struct:
		value := reflect.New(t).Elem()
		for i := range t.NumField() {
			if t.Field(i).IsExported() && f.chance(15) {
				value.Field(i).Set(f.draw(t.Field(i).Type, false))
			}
		}
		return value
	case reflect.Pointer:
		if isObject(t) {
			return f.object(t, sound)
		}
		if f.chance(30) {
			return reflect.Zero(t)
		}
		value := reflect.New(t.Elem())
		value.Elem().Set(f.draw(t.Elem(), false))
		switch config := value.Interface().(type) {
		case *sumac.ContextConfig:
			config.Progress = f.progress
		case *sumac.BasesConfig: // tables of one base are made without a report: most are small
			if f.chance(95) {
				config.TableLimit, config.PrecomputeFactor = min(config.TableLimit, 1<<20), min(config.PrecomputeFactor, 8)
			}
		}
		return value
	}
	f.t.Fatalf("what is drawn for %v?", t)
	return reflect.Value{}
}

func (f *fuzzer) object(t reflect.Type, sound bool) reflect.Value {
	kept := f.objects[t]
	open := kept
	if f.chance(60) {
		open = kept[:min(len(kept), lasting(t))]
	}
	if t == reflect.TypeFor[*sumac.Context]() {
		open = kept[1:2]
		if f.chance(10) {
			open = kept
		}
	}
	if len(open) == 0 || !sound && f.chance(4) {
		if sound || f.chance(50) {
			return reflect.New(t.Elem()) // never made
		}
		return reflect.Zero(t)
	}
	object := pick(f, open)
	switch o := object.Interface().(type) {
	case *sumac.Curve:
		f.curve = o
		for _, k := range []int{1, 2, 4} {
			f.sizes = append(f.sizes, k*o.PointBytes, k*o.ScalarBytes, k*o.PointBytes/2)
		}
	case *sumac.Bases:
		f.curve = o.Curve()
		f.numbers = append(f.numbers, o.Count())
		f.sizes = append(f.sizes, o.Count()*f.curve.ScalarBytes, o.Count()*f.curve.ScalarBytes, f.curve.PointBytes, sumac.PartialBytes(f.curve, 1))
	case *sumac.Vector:
		f.curve = o.Curve()
		f.numbers = append(f.numbers, o.Count())
		f.sizes = append(f.sizes, o.Count()*f.curve.ScalarBytes, o.Count()*f.curve.PointBytes, f.curve.ScalarBytes)
	case *sumac.Groth16Key:
		info := o.Info()
		f.sizes = append(f.sizes, info.WitnessBytes, info.PublicsBytes, info.ProofBytes)
	case *sumac.Groth16VerifyingKey:
		info := o.Info()
		f.sizes = append(f.sizes, info.PublicsBytes, info.ProofBytes, 2*info.ProofBytes)
	}
	return object
}

func (f *fuzzer) number() uint64 {
	n := uint64(f.random.Intn(9))
	if len(f.numbers) != 0 && f.chance(40) {
		n = uint64(pick(f, f.numbers))
	} else if f.chance(40) {
		n = pick(f, []uint64{0, 1, 2, 3, 7, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1})
	}
	if f.chance(8) {
		n += uint64(f.random.Intn(3)) - 1
	}
	return n
}

func (f *fuzzer) bytes() []byte {
	if f.chance(20) && len(f.good) != 0 {
		bytes := slices.Clone(pick(f, f.good))
		if f.chance(30) && len(bytes) != 0 {
			bytes[f.random.Intn(len(bytes))] ^= 1 << f.random.Intn(8)
		}
		return bytes
	}
	size := f.random.Intn(200)
	switch {
	case f.count >= 0 && f.chance(40):
		size = f.count
	case len(f.sizes) != 0 && f.chance(85):
		size = pick(f, f.sizes)
	}
	if f.chance(10) {
		size = max(0, size-1+2*f.random.Intn(2))
	}
	f.count = size
	if size == 0 && f.chance(50) {
		return nil
	}
	bytes := make([]byte, size)
	switch f.random.Intn(4) {
	case 0:
		f.random.Read(bytes)
	case 1:
		if f.curve != nil {
			if generator, err := f.curve.Generator(); err == nil {
				for i := range bytes {
					bytes[i] = generator[i%len(generator)]
				}
			}
		}
	case 2:
		for i := 0; i < size; i += 32 {
			bytes[i] = byte(f.random.Int())
		}
	}
	return bytes
}

// Draw an array of bytes: infinity, elements less than r, or anything.
func (f *fuzzer) array(t reflect.Type) reflect.Value {
	value := reflect.New(t).Elem()
	if t.Elem().Kind() != reflect.Uint8 {
		return value
	}
	bytes := value.Slice(0, t.Len()).Bytes()
	f.random.Read(bytes)
	if f.chance(65) {
		if t.Len() == 48 || t.Len() == 96 {
			clear(bytes)
			bytes[0] = 0xc0
		}
		for i := 0; i < t.Len() && t.Len()%32 == 0; i += 32 {
			bytes[i] = 0
		}
	}
	return value
}

func (f *fuzzer) slice(t reflect.Type) reflect.Value {
	count := f.random.Intn(4)
	switch {
	case f.count >= 0 && f.count < 130 && f.chance(70):
		count = f.count
	case f.chance(10):
		count = int(min(f.number(), 128))
	}
	if t.Elem().Kind() == reflect.Array && t.Elem().Len() > 1<<16 {
		count = min(count, 2)
	}
	f.count = count
	if count == 0 && f.chance(50) {
		return reflect.Zero(t)
	}
	value := reflect.MakeSlice(t, count, count)
	rising := f.chance(60)
	for i := range count {
		if rising && t.Elem().Kind() == reflect.Uint64 {
			value.Index(i).SetUint(uint64(i))
		} else {
			value.Index(i).Set(f.draw(t.Elem(), false))
		}
	}
	f.count = count
	return value
}
