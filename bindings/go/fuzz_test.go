// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// functions has the functions that are not methods.
var functions = map[string]any{
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

// TestFuzz makes the random calls of tools/fuzz_calls.py. Each call returns a result or an error, even with objects that are
// closed, nil or zero.
//
// SUMAC_FUZZ_CALLS is the number of calls, and SUMAC_FUZZ_SEED is the seed of the random numbers. tools/fuzz-bindings.sh makes
// many calls under the address sanitizer.
func TestFuzz(t *testing.T) {
	for _, name := range []string{"bn254", "bls12-381"} {
		curve(t, name, "g2")
	}
	setting := func(name, otherwise string) string {
		if text := os.Getenv(name); text != "" {
			return text
		}
		return otherwise
	}
	const script = "../../tools/fuzz_calls.py"
	if _, err := os.Stat(script); err != nil {
		t.Skip("the module alone does not have ", script)
	}
	folder := t.TempDir()
	generator := exec.Command("python3", "-B", script, "go", data(t), folder, setting("SUMAC_FUZZ_CALLS", "1500"), setting("SUMAC_FUZZ_SEED", "1"))
	if output, err := generator.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	t.Chdir(folder) // the calls' random paths name files in it
	f := newFuzzer(t, folder)
	limitMemory(t)
	lines := bufio.NewScanner(bytes.NewReader(must(os.ReadFile("calls.json"))(t)))
	for lines.Scan() {
		var line []any
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		ok(t, decoder.Decode(&line))
		f.call(line[1].(string), line[2], line[3].([]any), lines.Text())
	}
	var never []string
	good, bad := 0, 0
	for name, counts := range f.counts {
		if counts[1] == 0 {
			never = append(never, name)
		}
		good, bad = good+counts[1], bad+counts[0]
	}
	t.Logf("%d calls of %d functions: %d results, %d errors %v; never with a result: %v", good+bad, len(f.counts), good, bad, f.statuses, never)
}

// limitMemory lets the process grow by half a gigabyte and write files of moderate size. Larger requests then fail on any
// machine.
func limitMemory(t *testing.T) {
	ballast := make([]byte, 256<<20) // Go reuses these addresses later; without them it would end the program at the limit
	ballast[0] = 1
	var pages uint64
	_ = must(fmt.Sscan(string(must(os.ReadFile("/proc/self/statm"))(t)), &pages))(t)
	for resource, most := range map[int]uint64{syscall.RLIMIT_AS: pages*uint64(os.Getpagesize()) + 1<<29, syscall.RLIMIT_FSIZE: 64 << 20} {
		ok(t, syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: math.MaxUint64}))
		t.Cleanup(func() { ok(t, syscall.Setrlimit(resource, &syscall.Rlimit{Cur: math.MaxUint64, Max: math.MaxUint64})) })
	}
}

type fuzzer struct {
	t               *testing.T
	objects, closed map[string][]reflect.Value // by the names of their types
	lasting         map[string]int             // number of initial objects, which calls may not close
	results         [][]byte
	folder          string
	began           time.Time
	counts          map[string]*[2]int
	statuses        map[sumac.Status]int
}

var errorType = reflect.TypeFor[error]()

func newFuzzer(t *testing.T, folder string) *fuzzer {
	f := &fuzzer{t: t, folder: folder, results: [][]byte{nil}, lasting: map[string]int{}, counts: map[string]*[2]int{}, statuses: map[sumac.Status]int{}}
	f.began = time.Now().Add(time.Hour)
	f.closed = f.makeObjects()
	for _, kept := range f.closed {
		for _, object := range kept {
			if closer, is := object.Interface().(interface{ Close() }); is {
				closer.Close()
			}
		}
	}
	f.objects = f.makeObjects()
	for kind, kept := range f.objects {
		f.lasting[kind] = len(kept)
	}
	return f
}

// kinds converts Go's names of types to those of fuzz_calls.py.
var kinds = strings.NewReplacer("KZG", "Kzg", "FK", "Fk", "Call", "PreparedMsm")

func nameOf(pointer reflect.Type) string { return kinds.Replace(pointer.Elem().Name()) }

// makeObjects makes the initial objects of the calls, in the order that fuzz_calls.py expects.
func (f *fuzzer) makeObjects() map[string][]reflect.Value {
	t, all := f.t, map[string][]reflect.Value{}
	add := func(objects ...any) {
		for _, object := range objects {
			kind := nameOf(reflect.TypeOf(object))
			all[kind] = append(all[kind], reflect.ValueOf(object))
		}
	}
	c := must(sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(1), sumac.Progress(f.progress)))(t)
	add(c, must(sumac.NewPool(2, sumac.Backend("cpu"), sumac.Threads(1), sumac.Progress(f.progress)))(t), must(c.NewPinned(64))(t))
	for w, name := range [][2]string{{"bn254", "g1"}, {"bls12-381", "g1"}, {"bn254", "g2"}} {
		file := func(name string) string { return fmt.Sprint(filepath.Join(f.folder, name), w) }
		get := func(name string) []byte { return must(os.ReadFile(file(name)))(t) }
		g := must(sumac.FindCurve(name[0], name[1]))(t)
		points, scalars := get("points"), get("scalars")
		bases := must(c.NewBases(g, points))(t)
		ok(t, bases.Save(c, file("table"), ""))
		ok(t, os.WriteFile(file("partial"), must(bases.MSMPartial(c, scalars))(t), 0o600))
		fk20 := must(c.NewFK20(bases, 8, 1, 0))(t)
		ok(t, fk20.Save(c, file("fk20")))
		add(g, bases, fk20, must(bases.Plan(c, 8))(t), must(bases.Prepare(c, 8))(t), must(c.NewPairingPoints(g, get("g2"), sumac.CheckDefault))(t),
			must(c.NewScalars(g, scalars))(t), must(c.NewPoints(g, points))(t), must(c.NewScalars(g, scalars[:g.ScalarBytes]))(t),
			must(c.NewPoints(g, points[:g.PointBytes]))(t), must(c.NewScalars(g, scalars))(t))
	}
	in := func(name string) string { return filepath.Join(f.folder, name) }
	setup := must(c.OpenKZGSetup(in("trusted_setup.txt"), sumac.CheckNone, sumac.Cells(true)))(t)
	key := must(c.OpenGroth16Key(in("key.zkey")))(t)
	add(must(c.NewScalars(curve(t, "bn254", "g1"), must(os.ReadFile(in("witness")))(t)))(t), setup, key, must(c.OpenGroth16VerifyingKey(in("key.zkey")))(t),
		must(c.OpenPlonkKey(in("plonk_key.zkey")))(t), must(c.OpenPlonkVerifyingKey(in("plonk_key.zkey")))(t))
	return all
}

func (f *fuzzer) progress(float64) error {
	if time.Since(f.began) > 200*time.Millisecond {
		return errors.New("long enough")
	}
	return nil
}

// receiver returns the object on which a method is called. If the method is Close and no object may be closed, it returns none.
func (f *fuzzer) receiver(name string, on map[string]any) (receiver reflect.Value) {
	owner, _, _ := strings.Cut(name, ".")
	kind := kinds.Replace(owner)
	kept := f.objects[kind]
	if !strings.HasSuffix(name, ".Close") && name != "Context.Discard" {
		return f.object(on, kept[0].Type())
	}
	if len(kept) > f.lasting[kind] {
		receiver, f.objects[kind] = kept[len(kept)-1], kept[:len(kept)-1]
	}
	return receiver
}

func errorOf(function reflect.Type) bool {
	return function.NumOut() != 0 && function.Out(function.NumOut()-1) == errorType
}

func (f *fuzzer) call(name string, on any, given []any, line string) {
	var arguments []reflect.Value
	function := reflect.ValueOf(functions[name])
	if on != nil {
		receiver := f.receiver(name, on.(map[string]any))
		if !receiver.IsValid() {
			return
		}
		method, _ := receiver.Type().MethodByName(name[strings.Index(name, ".")+1:])
		if function = method.Func; !errorOf(function.Type()) && (receiver.IsNil() || receiver.Elem().IsZero()) {
			receiver = f.objects[nameOf(receiver.Type())][0] // a method that returns no error needs a valid object
		}
		arguments = append(arguments, receiver)
	}
	if !function.IsValid() {
		f.t.Fatalf("%s is not among the functions that are called", name)
	}
	for _, one := range given {
		arguments = append(arguments, f.value(one, function.Type().In(len(arguments))))
	}
	f.began = time.Now()
	watchdog := time.AfterFunc(10*time.Minute, func() { panic("a call does not end: " + line) })
	results := func() []reflect.Value {
		defer func() {
			if p := recover(); p != nil {
				f.t.Fatalf("%s panics: %v", line, p)
			}
		}()
		if function.Type().IsVariadic() {
			return function.CallSlice(arguments)
		}
		return function.Call(arguments)
	}()
	watchdog.Stop()
	if f.counts[name] == nil {
		f.counts[name] = &[2]int{}
	}
	if errorOf(function.Type()) && !results[len(results)-1].IsNil() {
		f.counts[name][0]++
		var failed *sumac.Error
		if err := results[len(results)-1].Interface().(error); !errors.As(err, &failed) || failed.Error() == "" || failed.Status == sumac.ErrInternal {
			f.t.Errorf("%s: %v", line, err)
		} else {
			f.statuses[failed.Status]++
		}
		return
	}
	f.counts[name][1]++
	if name == "Context.With" || name == "Pinned.Bytes" {
		return // the context of With stays open, and memory is freed together with its object
	}
	for _, result := range results {
		f.keep(result)
	}
}

// keep adds a call's result to the objects of later calls.
func (f *fuzzer) keep(result reflect.Value) {
	switch value := result.Interface().(type) {
	case []byte:
		f.results = append([][]byte{value}, f.results[:min(len(f.results), 20)]...)
	case *sumac.Context:
		if value != nil {
			value.Close()
		}
	default:
		if result.Kind() != reflect.Pointer || result.IsNil() || f.lasting[nameOf(result.Type())] == 0 {
			return
		}
		kind := nameOf(result.Type())
		f.objects[kind] = append(f.objects[kind][:min(len(f.objects[kind]), f.lasting[kind]+5)], result)
	}
}

func (f *fuzzer) object(given map[string]any, t reflect.Type) reflect.Value {
	number := int(must(given["o"].(json.Number).Int64())(f.t))
	switch kind := nameOf(t); {
	case number == -1:
		return f.closed[kind][0]
	case number == -2 && len(f.results)%2 == 0:
		return reflect.New(t.Elem()) // a zero value
	case number == -2:
		return reflect.Zero(t)
	default:
		return f.objects[kind][number%len(f.objects[kind])]
	}
}

func (f *fuzzer) bytes(given any) []byte {
	of, is := given.(map[string]any)
	if !is {
		return nil
	}
	number := func(name string) (int, bool) {
		value, is := of[name].(json.Number)
		if !is {
			return 1, false
		}
		return int(must(value.Int64())(f.t)), true
	}
	times, _ := number("times")
	var one []byte
	if at, is := number("b"); is {
		one = f.results[at%len(f.results)]
	} else {
		one = must(os.ReadFile(filepath.Join(f.folder, of["b"].(string))))(f.t)
	}
	made := bytes.Repeat(one[:min(len(one), 8<<20)], times) // copies of this must fit in the memory that limitMemory() allows
	if size, is := number("size"); is {
		made = append(made[:min(size, len(made))], make([]byte, max(0, size-len(made)))...)
	}
	if fill, is := number("fill"); is {
		made = bytes.Repeat([]byte{byte(fill)}, len(made))
	}
	if flip, is := number("flip"); is && len(made) != 0 {
		made[flip/8%len(made)] ^= 1 << (flip % 8)
	}
	return made
}

// value converts an argument to a value of type t.
func (f *fuzzer) value(given any, t reflect.Type) reflect.Value {
	made := reflect.New(t).Elem()
	if t == reflect.TypeFor[context.Context]() {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		f.t.Cleanup(cancel)
		return reflect.ValueOf(ctx)
	}
	switch of := given.(type) {
	case bool:
		if t.Kind() == reflect.Bool {
			made.SetBool(of)
		}
	case string:
		if strings.HasPrefix(of, "@") {
			made.SetString(filepath.Join(f.folder, of[1:]))
		} else {
			made.SetString(of)
		}
	case json.Number:
		whole, is := new(big.Int).SetString(of.String(), 10)
		if !is {
			whole = big.NewInt(0)
		}
		n := whole.Uint64() // a number that the type can't hold wraps around
		if whole.Sign() < 0 {
			n = -n
		}
		switch {
		case t == reflect.TypeFor[[]*big.Int]():
			return reflect.ValueOf([]*big.Int{whole})
		case t.Kind() == reflect.Bool:
			made.SetBool(n != 0)
		case t.Kind() == reflect.Float64:
			made.SetFloat(float64(n))
		default:
			return reflect.ValueOf(n).Convert(t)
		}
	case []any:
		if t.Kind() == reflect.Slice {
			made.Set(reflect.MakeSlice(t, len(of), len(of)))
			for i, one := range of {
				made.Index(i).Set(f.value(one, t.Elem()))
			}
		}
	case map[string]any:
		switch {
		case of["o"] != nil:
			return f.object(of, t)
		case of["s"] != nil && t.Kind() == reflect.Slice:
			return f.options(of["s"].(map[string]any), t)
		case of["s"] != nil:
			f.fill(made, of["s"].(map[string]any))
		case t.Kind() == reflect.Pointer: // a blob
			made.Set(reflect.New(t.Elem()))
			copy(made.Elem().Slice(0, t.Elem().Len()).Bytes(), f.bytes(given))
		case t.Kind() == reflect.Array:
			copy(made.Slice(0, t.Len()).Bytes(), f.bytes(given))
		case t.Elem().Kind() == reflect.Array:
			all, size := f.bytes(given), t.Elem().Len()
			made.Set(reflect.MakeSlice(t, len(all)/size, len(all)/size)) // append() would waste memory, which is limited
			for i := range made.Len() {
				copy(made.Index(i).Slice(0, size).Bytes(), all[i*size:])
			}
		default:
			made.SetBytes(f.bytes(given))
		}
	}
	return made
}

// optionTypes are the types of options, by their names in C.
var optionTypes = map[string]reflect.Type{}

func init() {
	for _, option := range []any{sumac.Tuning(""), sumac.Check(0), sumac.OutsideSubgroup(false), sumac.Form(0), sumac.MemoryLimit(0),
		sumac.PrecomputeFactor(0), sumac.TableBytes(0), sumac.ScalarBits(0), sumac.ScalarBytes(0), sumac.ScalarSigned(false), sumac.N(0),
		sumac.First(0), sumac.Backend(""), sumac.Threads(0), sumac.Devices{}, sumac.DeviceWeights{}, sumac.ReplicaLimit(0), sumac.Stride(0),
		sumac.Tables(0), sumac.TypicalBatch(0), sumac.TypicalN(0), sumac.Replicated(false), sumac.PageLocked(false), sumac.Batch(0),
		sumac.BaseSets(0), sumac.ScalarForm(0), sumac.ResultForm(0), sumac.CutScalars(false), sumac.Offsets{}, sumac.Chunk(0),
		sumac.Checkpoint(""), sumac.Cells(false), sumac.CommitmentWires{}, sumac.Randomness{}, sumac.Blinding{}, sumac.Compact(false), sumac.Unverified(false), sumac.Length(0), sumac.Inverse(false),
		sumac.ValueOrder(0), sumac.CoefficientOrder(0), sumac.Shift{}, sumac.Root{}, sumac.Coefficients(0)} {
		t := reflect.TypeOf(option)
		optionTypes[strings.ToLower(t.Name())] = t
	}
	optionTypes["infinityoffset"] = reflect.TypeFor[sumac.InfinityAt]()
	optionTypes["format"] = reflect.TypeFor[sumac.BasesFormat]()
	optionTypes["checkpointmilliseconds"] = reflect.TypeFor[sumac.CheckpointInterval]()
	optionTypes["verifying"] = reflect.TypeFor[*sumac.Groth16VerifyingKey]()
}

// options makes the options of a call as a slice of type t. Fields have their names in C. Fields that are no options of this
// type are skipped.
func (f *fuzzer) options(fields map[string]any, t reflect.Type) reflect.Value {
	made := reflect.MakeSlice(t, 0, 0)
	for name, value := range fields {
		if option := optionTypes[strings.ReplaceAll(name, "_", "")]; option != nil && option.Implements(t.Elem()) {
			made = reflect.Append(made, f.value(value, option))
		}
	}
	if progress := reflect.ValueOf(sumac.Progress(f.progress)); progress.Type().Implements(t.Elem()) {
		made = reflect.Append(made, progress)
	}
	return made
}

// fill sets the fields of a struct by their names in C. It skips names that the Go struct lacks.
func (f *fuzzer) fill(made reflect.Value, fields map[string]any) {
	for name, value := range fields {
		field := made.FieldByNameFunc(func(own string) bool { return strings.EqualFold(own, strings.ReplaceAll(name, "_", "")) })
		if field.IsValid() && field.CanSet() {
			field.Set(f.value(value, field.Type()))
		}
	}
}
