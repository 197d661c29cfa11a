// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// TestBadInput checks that wrong arguments give an error with a sentence, and that the next call works.
func TestBadInput(t *testing.T) {
	c := newContext(t)
	g := curve(t, "bn254", "g1")
	g2 := curve(t, "bn254", "g2")
	generator := must(g.Generator())(t)
	points := bytes.Repeat(generator, 4)
	bases := must(c.NewBases(g, points))(t)
	scalars := make([]byte, 4*32)
	vector := must(c.NewVector(g, sumac.ScalarVector, 4))(t)
	pointVector := must(c.NewVector(g, sumac.PointVector, 4))(t)
	off := append([]byte{}, points...)
	off[64] ^= 1
	large := append([]byte{}, points...)
	large[31] = 0xff
	none := must(c.NewBases(g, nil))(t)
	closed := must(c.NewBases(g, points))(t)
	closed.Close()
	closedContext := must(sumac.NewContext(sumac.Backend("cpu")))(t)
	closedContext.Close()
	path := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(path, make([]byte, 100), 0o600))
	e := func(_ any, err error) error { return err }
	offPath, scalarsPath := filepath.Join(t.TempDir(), "off"), filepath.Join(t.TempDir(), "scalars")
	ok(t, os.WriteFile(offPath, off, 0o600))
	ok(t, os.WriteFile(scalarsPath, scalars, 0o600))
	msmFiles := func(options ...sumac.FilesOption) error {
		_, _, err := c.MSMFiles(g, offPath, scalarsPath, options...)
		return err
	}
	unchecked := must(c.NewBases(g, off, sumac.CheckNone))(t)
	if taken := must(unchecked.MSM(c, g.Scalars(big.NewInt(0), big.NewInt(1), big.NewInt(0), big.NewInt(0))))(t); !bytes.Equal(taken, off[64:128]) {
		t.Error("points that are not checked are taken as they are")
	}
	ok(t, must(c.NewVector(g, sumac.PointVector, 4))(t).Set(c, off, 0, sumac.CheckNone))
	if raw := must(c.DecodePoints(g, off, "raw", sumac.CheckNone))(t); !bytes.Equal(raw, off) {
		t.Error("records that are not checked are taken as they are")
	}
	ok(t, msmFiles(sumac.CheckNone))
	made := func(options ...sumac.ContextOption) error {
		_, err := sumac.NewContext(options...)
		return err
	}
	msm := func(scalars []byte, options ...sumac.MSMOption) error { return e(bases.MSM(c, scalars, options...)) }
	for name, one := range map[string]struct {
		err    error
		status sumac.Status
	}{
		"unknown curve":            {e(sumac.FindCurve("bn2", "")), sumac.ErrUnknownCurve},
		"unknown group":            {e(sumac.FindCurve("bn254", "g3")), sumac.ErrUnknownCurve},
		"curve with a zero byte":   {e(sumac.FindCurve("bn254\x00", "")), sumac.ErrBadArgument},
		"no root of unity":         {e(g.RootOfUnity(60)), sumac.ErrNotSupported},
		"coordinates":              {e(g.Point(g.Order())), sumac.ErrBadLength},
		"integers":                 {e(sumac.Integers(scalars, 0)), sumac.ErrBadArgument},
		"unknown backend":          {made(sumac.Backend("abacus")), sumac.ErrUnknownBackend},
		"unknown variant":          {made(sumac.Backend("cpu"), sumac.Tuning("variant=abacus")), sumac.ErrBadArgument},
		"device of the CPU":        {made(sumac.Backend("cpu"), sumac.Devices{7}), sumac.ErrBackendUnavailable},
		"no devices":               {made(sumac.Backend("cpu"), sumac.Devices{}), sumac.ErrBadArgument},
		"weights":                  {made(sumac.Backend("cpu"), sumac.Devices{0, 0}, sumac.DeviceWeights{1}), sumac.ErrBadLength},
		"a list and all":           {made(sumac.Backend("cpu"), sumac.Devices{0}, sumac.AllDevices(true)), sumac.ErrBadArgument},
		"half a point":             {e(c.NewBases(g, points[:97])), sumac.ErrBadLength},
		"off the curve":            {e(c.NewBases(g, off)), sumac.ErrNotOnCurve},
		"off the curve, options":   {e(c.NewBases(g, off, sumac.PrecomputeFactor(2))), sumac.ErrNotOnCurve},
		"off the curve, file":      {e(c.OpenBases(g, offPath, "", 0, sumac.All)), sumac.ErrNotOnCurve},
		"off the curve, vector":    {pointVector.Set(c, off, 0), sumac.ErrNotOnCurve},
		"off the curve, layout":    {pointVector.Set(c, off, 0), sumac.ErrNotOnCurve},
		"off the curve, records":   {e(c.DecodePoints(g, off, "raw", sumac.CheckDefault)), sumac.ErrNotOnCurve},
		"off the curve, MSM":       {msmFiles(nil), sumac.ErrNotOnCurve},
		"off the curve, MSM too":   {msmFiles(sumac.Chunk(2)), sumac.ErrNotOnCurve},
		"negative check":           {e(c.NewBases(g, points, sumac.Check(-1))), sumac.ErrBadArgument},
		"not less than p":          {e(c.NewBases(g, large)), sumac.ErrBadEncoding},
		"unknown check":            {e(c.NewBases(g, points, sumac.Check(77))), sumac.ErrBadArgument},
		"unknown form":             {e(c.NewBases(g, points, sumac.Form(77))), sumac.ErrBadArgument},
		"unknown tables":           {e(c.NewBases(g, points, sumac.Tables(-1))), sumac.ErrBadArgument},
		"negative stride":          {e(c.NewBases(g, points, sumac.Stride(-64))), sumac.ErrBadArgument},
		"nil curve":                {e(c.NewBases(nil, points)), sumac.ErrBadArgument},
		"zero curve":               {e(c.NewBases(&sumac.Curve{}, points)), sumac.ErrBadArgument},
		"nil context":              {e(bases.MSM(nil, scalars)), sumac.ErrBadArgument},
		"zero context":             {e(bases.MSM(&sumac.Context{}, scalars)), sumac.ErrBadArgument},
		"closed context":           {e(bases.MSM(closedContext, scalars)), sumac.ErrBadArgument},
		"closed context, by With":  {e(bases.MSM(closedContext.With(t.Context()), scalars)), sumac.ErrBadArgument},
		"closed bases":             {e(closed.MSM(c, scalars)), sumac.ErrBadArgument},
		"nil bases":                {e((*sumac.Bases)(nil).MSM(c, scalars)), sumac.ErrBadArgument},
		"zero bases":               {e((&sumac.Bases{}).MSM(c, scalars)), sumac.ErrBadArgument},
		"closed bases, prepared":   {e(closed.Prepare(c, 4)), sumac.ErrBadArgument},
		"half a scalar":            {msm(scalars[:33]), sumac.ErrBadLength},
		"more scalars than bases":  {msm(make([]byte, 5*32)), sumac.ErrBadLength},
		"fewer scalars than bases": {msm(scalars[:3*32]), sumac.ErrBadLength},
		"no scalars":               {msm(nil), sumac.ErrBadLength},
		"fewer than N":             {msm(scalars[:3*32], sumac.N(4)), sumac.ErrBadLength},
		"more than N":              {msm(scalars, sumac.N(3)), sumac.ErrBadLength},
		"negative N":               {msm(scalars, sumac.N(-3)), sumac.ErrBadArgument},
		"a batch of one offset":    {msm(nil, sumac.Offsets{0}), sumac.ErrBadLength},
		"partly, of one offset":    {e(bases.MSMPartial(c, nil, sumac.Offsets{0})), sumac.ErrBadLength},
		"at, of one offset":        {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, sumac.Offsets{0}), sumac.ErrBadLength},
		"at, of two in a batch":    {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, sumac.Offsets{0, 4}, sumac.Batch(2)), sumac.ErrBadLength},
		"at, of no offsets":        {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, sumac.Offsets{}), sumac.ErrBadLength},
		"at, of falling offsets":   {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, sumac.Offsets{0, 3, 2}), sumac.ErrBadArgument},
		"batch of 0 partials":      {e(c.CombinePartials(g, 0)), sumac.ErrBadArgument},
		"logarithms of all memory": {e(c.KnownLogarithms(g, 1<<40, 0)), sumac.ErrNotSupported},
		"no whole batch":           {msm(scalars, sumac.Batch(3)), sumac.ErrBadLength},
		"batch of nothing":         {e(none.MSM(c, nil, sumac.Batch(1<<32-1))), sumac.ErrBadLength},
		"batch of nothing, partly": {e(none.MSMPartial(c, nil, sumac.Batch(1<<32-1))), sumac.ErrBadLength},
		"batch of no partials":     {e(c.CombinePartials(g, 1<<32-1)), sumac.ErrBadLength},
		"prepared for nothing":     {e(bases.Prepare(c, 0, sumac.Batch(1<<32-1))), sumac.ErrBadLength},
		"window":                   {msm(scalars, sumac.Tuning("c=99")), sumac.ErrBadArgument},
		"scalar bytes":             {msm(make([]byte, 160), sumac.ScalarBytes(40)), sumac.ErrBadArgument},
		"signed and Montgomery":    {msm(scalars, sumac.ScalarSigned(true), sumac.ScalarForm(sumac.Montgomery)), sumac.ErrBadArgument},
		"unknown plan":             {msm(scalars, sumac.Tuning("plan=abacus")), sumac.ErrUnknownPlan},
		"plan with a zero byte":    {msm(scalars, sumac.Tuning("plan=auto\x00")), sumac.ErrBadArgument},
		"negative first":           {msm(scalars, sumac.First(-1)), sumac.ErrBadArgument},
		"no offsets":               {msm(scalars, sumac.Offsets{}), sumac.ErrBadLength},
		"offsets that fall":        {msm(scalars, sumac.Offsets{0, 3, 2, 4}), sumac.ErrBadArgument},
		"offsets beyond scalars":   {msm(scalars, sumac.Offsets{0, 5}), sumac.ErrBadLength},
		"offsets without end":      {msm(scalars, sumac.Offsets{0, 1 << 63}), sumac.ErrBadLength},
		"offsets before scalars":   {msm(scalars, sumac.Offsets{0, 3}), sumac.ErrBadLength},
		"offsets of another batch": {msm(scalars, sumac.Offsets{0, 4}, sumac.Batch(2)), sumac.ErrBadLength},
		"prepared offsets":         {e(bases.Prepare(c, 4, sumac.Offsets{0, 4})), sumac.ErrNotSupported},
		"prepared, negative":       {e(bases.Prepare(c, -4)), sumac.ErrBadArgument},
		"device memory of the CPU": {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64, ScalarsOnDevice: true}, 4), sumac.ErrNotSupported},
		"bases from a device":      {e(c.NewBasesAt(g, 1<<20, 4)), sumac.ErrNotSupported},
		"stream of the CPU":        {c.SetStream(1), sumac.ErrNotSupported},
		"no such file":             {e(c.OpenBases(g, path+".none", "", 0, sumac.All)), sumac.ErrCannotOpen},
		"path with a zero byte":    {e(c.OpenBases(g, path+"\x00", "", 0, sumac.All)), sumac.ErrBadArgument},
		"file of another length":   {e(c.OpenBases(g, path, "raw", 0, sumac.All)), sumac.ErrBadFile},
		"unknown format":           {e(c.OpenBases(g, path, "abacus", 0, sumac.All)), sumac.ErrUnknownFormat},
		"no table":                 {e(c.OpenBases(g, path, "table", 0, sumac.All)), sumac.ErrBadFile},
		"half a record":            {e(c.DecodePoints(g, points[:65], "raw", 0)), sumac.ErrBadLength},
		"no record":                {e(c.DecodePoints(g, points, "abacus", 0)), sumac.ErrUnknownFormat},
		"part of nothing":          {e(c.OpenBases(g, path, "raw", -1, 4)), sumac.ErrBadArgument},
		"bases beyond the last":    {bases.Get(c, make([]byte, 128), 3), sumac.ErrBadLength},
		"partial of another size":  {e(c.CombinePartials(g, 1, generator)), sumac.ErrBadLength},
		"partial of no partial":    {e(c.CombinePartials(g, 1, make([]byte, sumac.PartialBytes(g, 1)))), sumac.ErrBadFile},
		"logarithms":               {e(c.KnownLogarithms(g, -1, 0)), sumac.ErrNotSupported},
		"logarithms and scalars":   {e(c.KnownAnswer(g, scalars, scalars[32:])), sumac.ErrBadLength},
		"negative count":           {e(c.NewVector(g, sumac.ScalarVector, -1)), sumac.ErrBadArgument},
		"unknown elements":         {e(c.NewVector(g, 7, 1)), sumac.ErrBadArgument},
		"half an element":          {vector.Set(c, scalars[:33], 0), sumac.ErrBadLength},
		"elements beyond the last": {vector.Set(c, scalars, 1), sumac.ErrBadArgument},
		"scalar not less than r":   {vector.Set(c, bytes.Repeat([]byte{0xff}, 32), 0), sumac.ErrBadEncoding},
		"sum of unlike":            {vector.Add(c, pointVector, 1, vector), sumac.ErrBadArgument},
		"sum into nil":             {vector.Add(c, vector, 1, nil), sumac.ErrBadArgument},
		"sum of nil":               {vector.Add(c, nil, 1, vector), sumac.ErrBadArgument},
		"fill with half":           {vector.Fill(c, scalars[:16]), sumac.ErrBadLength},
		"shift of half":            {vector.NTT(c, sumac.Shift(scalars[:16])), sumac.ErrBadLength},
		"root of half":             {vector.NTT(c, sumac.Root(scalars[:16])), sumac.ErrBadLength},
		"length of no power":       {vector.NTT(c, sumac.Length(3)), sumac.ErrBadArgument},
		"row that there is not":    {vector.Gather(c, 1, []uint64{0, 1, 2, 4}, must(c.NewVector(g, sumac.ScalarVector, 4))(t)), sumac.ErrBadArgument},
		"slice that is too long":   {vector.Copy(c, sumac.Slice{Runs: 1, Length: 9}, pointVector, sumac.Slice{Runs: 1, Length: 9}), sumac.ErrBadArgument},
		"scalars as an SRS":        {c.CommitSRS(nil, vector, 4, pointVector), sumac.ErrBadArgument},
		"polynomials of 9":         {c.CommitSRS(bases, vector, 9, pointVector), sumac.ErrBadArgument},
		"openings of nothing":      {c.OpenSRS(bases, vector, 4, vector, nil, nil), sumac.ErrBadArgument},
		"FK20 of no power":         {e(c.NewFK20(bases, 3, 1, 0)), sumac.ErrBadArgument},
		"pairing of one":           {e(c.PairingCheck(g, points, must(g2.Generator())(t), 0)), sumac.ErrBadLength},
		"key of zeros":             {e(c.NewGroth16Key(make([]byte, 100))), sumac.ErrBadFile},
		"key of nothing":           {e(c.NewGroth16Key(nil)), sumac.ErrBadFile},
		"key with a zero key":      {e(c.NewGroth16Key(nil, &sumac.Groth16VerifyingKey{})), sumac.ErrBadArgument},
		"setup of a closed one":    {e(closedContext.OpenKZGSetup(path)), sumac.ErrBadArgument},
		"negative memory":          {e(c.NewPinned(-1)), sumac.ErrBadArgument},
	} {
		t.Run(name, func(t *testing.T) { fails(t, one.err, one.status) })
	}
	// Methods that return no error accept nil and zero receivers.
	for _, object := range []interface{ Close() }{(*sumac.Context)(nil), &sumac.Context{}, (*sumac.Bases)(nil), &sumac.Bases{}, (*sumac.Vector)(nil), (*sumac.Pool)(nil),
		(*sumac.Call)(nil), (*sumac.KZGSetup)(nil), (*sumac.FK20)(nil), (*sumac.PairingPoints)(nil), (*sumac.Groth16Key)(nil), (*sumac.Groth16VerifyingKey)(nil), (*sumac.PlonkKey)(nil), (*sumac.PlonkVerifyingKey)(nil), (*sumac.Pinned)(nil)} {
		object.Close()
	}
	same(t, must(bases.MSM(c, g.Scalars(number(t, "1")), sumac.N(1)))(t), generator)
}

func TestMissingEngine(t *testing.T) {
	_, err := sumac.NewContext(sumac.Backend("cuda"))
	if err == nil {
		t.Skip("there is a GPU")
	}
	var e *sumac.Error
	if fails(t, err, sumac.ErrBackendUnavailable); !errors.As(err, &e) || !e.Status.MachineFault() || sumac.ErrBadLength.MachineFault() {
		t.Error(err)
	}
	_, err = sumac.NewPool(3, sumac.Backend("cuda"))
	fails(t, err, sumac.ErrBackendUnavailable)
}

// TestComplete checks that the package calls every function of the headers.
func TestComplete(t *testing.T) {
	var all strings.Builder
	for _, pattern := range []string{"*.go", "callbacks.c"} {
		for _, path := range must(filepath.Glob(pattern))(t) {
			if !strings.HasSuffix(path, "_test.go") {
				all.Write(must(os.ReadFile(path))(t))
			}
		}
	}
	called := make(map[string]bool)
	for _, name := range regexp.MustCompile(`sumac_[a-z0-9_]+\(`).FindAllString(all.String(), -1) {
		called[name] = true
	}
	other := map[string]bool{
		"sumac_pool_take(":    true, // it would block a thread
		"sumac_vector_group(": true, // the wrapper keeps the curve
		"sumac_bases_count(":  true, // the wrapper asks for a description
		"sumac_vectors_ntt(":  true, // a loop in Go does the same
	}
	headers := must(filepath.Glob("../../include/sumac/*.h"))(t)
	if len(headers) < 15 {
		t.Skip("the headers are not beside the module")
	}
	declared := regexp.MustCompile(`SUMAC_API[^;{]*?(sumac_[a-z0-9_]+\()`)
	for _, path := range headers {
		if filepath.Base(path) == "mpi.h" {
			continue
		}
		for _, found := range declared.FindAllStringSubmatch(string(must(os.ReadFile(path))(t)), -1) {
			if name := found[1]; !called[name] && !other[name] {
				t.Errorf("%s is not called", name)
			}
		}
	}
}
