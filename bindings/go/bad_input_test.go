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

// Wrong arguments give an error with a sentence, and the next call works.
func TestBadInput(t *testing.T) {
	c := newContext(t)
	g := curve(t, "bn254", "g1")
	g2 := curve(t, "bn254", "g2")
	generator := must(g.Generator())(t)
	points := bytes.Repeat(generator, 4)
	bases := must(c.NewBases(g, points, nil))(t)
	scalars := make([]byte, 4*32)
	vector := must(c.NewVector(g, sumac.ScalarVector, 4))(t)
	pointVector := must(c.NewVector(g, sumac.PointVector, 4))(t)
	off := append([]byte{}, points...)
	off[64] ^= 1
	large := append([]byte{}, points...)
	large[31] = 0xff
	none := must(c.NewBases(g, nil, nil))(t)
	closed := must(c.NewBases(g, points, nil))(t)
	closed.Close()
	closedContext := must(sumac.NewContext(&sumac.ContextConfig{Backend: "cpu"}))(t)
	closedContext.Close()
	path := filepath.Join(t.TempDir(), "file")
	ok(t, os.WriteFile(path, make([]byte, 100), 0o600))
	e := func(_ any, err error) error { return err }
	offPath, scalarsPath := filepath.Join(t.TempDir(), "off"), filepath.Join(t.TempDir(), "scalars")
	ok(t, os.WriteFile(offPath, off, 0o600))
	ok(t, os.WriteFile(scalarsPath, scalars, 0o600))
	msmFiles := func(config *sumac.FilesConfig) error {
		_, _, err := c.MSMFiles(g, offPath, scalarsPath, config, nil)
		return err
	}
	unchecked := must(c.NewBases(g, off, &sumac.BasesConfig{Check: sumac.CheckNone}))(t)
	if taken := must(unchecked.MSM(c, g.Scalars(big.NewInt(0), big.NewInt(1), big.NewInt(0), big.NewInt(0)), nil))(t); !bytes.Equal(taken, off[64:128]) {
		t.Error("points that are not checked are taken as they are")
	}
	ok(t, must(c.NewVector(g, sumac.PointVector, 4))(t).Set(c, off, 0, &sumac.ElementLayout{Check: sumac.CheckNone}))
	if raw := must(c.DecodePoints(g, off, "raw", sumac.CheckNone))(t); !bytes.Equal(raw, off) {
		t.Error("records that are not checked are taken as they are")
	}
	ok(t, msmFiles(&sumac.FilesConfig{Check: sumac.CheckNone}))
	config := func(config sumac.ContextConfig) error {
		_, err := sumac.NewContext(&config)
		return err
	}
	msm := func(config sumac.MSMConfig, scalars []byte) error { return e(bases.MSM(c, scalars, &config)) }
	for name, one := range map[string]struct {
		err    error
		status sumac.Status
	}{
		"unknown curve":            {e(sumac.FindCurve("bn2", "")), sumac.UnknownCurve},
		"unknown group":            {e(sumac.FindCurve("bn254", "g3")), sumac.UnknownCurve},
		"curve with a zero byte":   {e(sumac.FindCurve("bn254\x00", "")), sumac.BadArgument},
		"no root of unity":         {e(g.RootOfUnity(60)), sumac.NotSupported},
		"coordinates":              {e(g.Point(g.Order())), sumac.BadLength},
		"integers":                 {e(sumac.Integers(scalars, 0)), sumac.BadArgument},
		"unknown backend":          {config(sumac.ContextConfig{Backend: "abacus"}), sumac.UnknownBackend},
		"unknown variant":          {config(sumac.ContextConfig{Backend: "cpu", Tuning: "variant=abacus"}), sumac.BadArgument},
		"device of the CPU":        {config(sumac.ContextConfig{Backend: "cpu", Devices: []int32{7}}), sumac.BackendUnavailable},
		"no devices":               {config(sumac.ContextConfig{Backend: "cpu", Devices: []int32{}}), sumac.BadArgument},
		"weights":                  {config(sumac.ContextConfig{Backend: "cpu", Devices: []int32{0, 0}, DeviceWeights: []uint32{1}}), sumac.BadLength},
		"a list and all":           {config(sumac.ContextConfig{Backend: "cpu", Devices: []int32{0}, AllDevices: true}), sumac.BadArgument},
		"half a point":             {e(c.NewBases(g, points[:97], nil)), sumac.BadLength},
		"off the curve":            {e(c.NewBases(g, off, nil)), sumac.NotOnCurve},
		"off the curve, options":   {e(c.NewBases(g, off, &sumac.BasesConfig{PrecomputeFactor: 2})), sumac.NotOnCurve},
		"off the curve, file":      {e(c.OpenBases(g, offPath, "", 0, sumac.All, nil)), sumac.NotOnCurve},
		"off the curve, vector":    {pointVector.Set(c, off, 0, nil), sumac.NotOnCurve},
		"off the curve, layout":    {pointVector.Set(c, off, 0, &sumac.ElementLayout{}), sumac.NotOnCurve},
		"off the curve, records":   {e(c.DecodePoints(g, off, "raw", sumac.CheckDefault)), sumac.NotOnCurve},
		"off the curve, MSM":       {msmFiles(nil), sumac.NotOnCurve},
		"off the curve, MSM too":   {msmFiles(&sumac.FilesConfig{Chunk: 2}), sumac.NotOnCurve},
		"negative check":           {e(c.NewBases(g, points, &sumac.BasesConfig{Check: -1})), sumac.BadArgument},
		"not less than p":          {e(c.NewBases(g, large, nil)), sumac.BadEncoding},
		"unknown check":            {e(c.NewBases(g, points, &sumac.BasesConfig{Check: 77})), sumac.BadArgument},
		"unknown form":             {e(c.NewBases(g, points, &sumac.BasesConfig{Form: 77})), sumac.BadArgument},
		"unknown tables":           {e(c.NewBases(g, points, &sumac.BasesConfig{Tables: -1})), sumac.BadArgument},
		"negative stride":          {e(c.NewBases(g, points, &sumac.BasesConfig{Stride: -64})), sumac.BadArgument},
		"nil curve":                {e(c.NewBases(nil, points, nil)), sumac.BadArgument},
		"zero curve":               {e(c.NewBases(&sumac.Curve{}, points, nil)), sumac.BadArgument},
		"nil context":              {e(bases.MSM(nil, scalars, nil)), sumac.BadArgument},
		"zero context":             {e(bases.MSM(&sumac.Context{}, scalars, nil)), sumac.BadArgument},
		"closed context":           {e(bases.MSM(closedContext, scalars, nil)), sumac.BadArgument},
		"closed context, by With":  {e(bases.MSM(closedContext.With(t.Context()), scalars, nil)), sumac.BadArgument},
		"closed bases":             {e(closed.MSM(c, scalars, nil)), sumac.BadArgument},
		"nil bases":                {e((*sumac.Bases)(nil).MSM(c, scalars, nil)), sumac.BadArgument},
		"zero bases":               {e((&sumac.Bases{}).MSM(c, scalars, nil)), sumac.BadArgument},
		"closed bases, prepared":   {e(closed.Prepare(c, 4, nil)), sumac.BadArgument},
		"half a scalar":            {msm(sumac.MSMConfig{}, scalars[:33]), sumac.BadLength},
		"more scalars than bases":  {msm(sumac.MSMConfig{}, make([]byte, 5*32)), sumac.BadLength},
		"fewer scalars than bases": {msm(sumac.MSMConfig{}, scalars[:3*32]), sumac.BadLength},
		"no scalars":               {msm(sumac.MSMConfig{}, nil), sumac.BadLength},
		"fewer than N":             {msm(sumac.MSMConfig{N: 4}, scalars[:3*32]), sumac.BadLength},
		"more than N":              {msm(sumac.MSMConfig{N: 3}, scalars), sumac.BadLength},
		"negative N":               {msm(sumac.MSMConfig{N: -3}, scalars), sumac.BadArgument},
		"a batch of one offset":    {msm(sumac.MSMConfig{Offsets: []uint64{0}}, nil), sumac.BadLength},
		"partly, of one offset":    {e(bases.MSMPartial(c, nil, &sumac.MSMConfig{Offsets: []uint64{0}})), sumac.BadLength},
		"at, of one offset":        {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, &sumac.MSMConfig{Offsets: []uint64{0}}), sumac.BadLength},
		"at, of two in a batch":    {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, &sumac.MSMConfig{Offsets: []uint64{0, 4}, Batch: 2}), sumac.BadLength},
		"at, of no offsets":        {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, &sumac.MSMConfig{Offsets: []uint64{}}), sumac.BadLength},
		"at, of falling offsets":   {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64}, 4, &sumac.MSMConfig{Offsets: []uint64{0, 3, 2}}), sumac.BadArgument},
		"batch of 0 partials":      {e(c.CombinePartials(g, 0)), sumac.BadArgument},
		"logarithms of all memory": {e(c.KnownLogarithms(g, 1<<40, 0)), sumac.NotSupported},
		"no whole batch":           {msm(sumac.MSMConfig{Batch: 3}, scalars), sumac.BadLength},
		"batch of nothing":         {e(none.MSM(c, nil, &sumac.MSMConfig{Batch: 1<<32 - 1})), sumac.BadLength},
		"batch of nothing, partly": {e(none.MSMPartial(c, nil, &sumac.MSMConfig{Batch: 1<<32 - 1})), sumac.BadLength},
		"batch of no partials":     {e(c.CombinePartials(g, 1<<32-1)), sumac.BadLength},
		"prepared for nothing":     {e(bases.Prepare(c, 0, &sumac.MSMConfig{Batch: 1<<32 - 1})), sumac.BadLength},
		"window":                   {msm(sumac.MSMConfig{Tuning: "c=99"}, scalars), sumac.BadArgument},
		"scalar bytes":             {msm(sumac.MSMConfig{ScalarBytes: 40}, make([]byte, 160)), sumac.BadArgument},
		"signed and Montgomery":    {msm(sumac.MSMConfig{ScalarSigned: true, ScalarForm: sumac.Montgomery}, scalars), sumac.BadArgument},
		"unknown plan":             {msm(sumac.MSMConfig{Tuning: "plan=abacus"}, scalars), sumac.UnknownPlan},
		"plan with a zero byte":    {msm(sumac.MSMConfig{Tuning: "plan=auto\x00"}, scalars), sumac.BadArgument},
		"negative first":           {msm(sumac.MSMConfig{First: -1}, scalars), sumac.BadArgument},
		"no offsets":               {msm(sumac.MSMConfig{Offsets: []uint64{}}, scalars), sumac.BadLength},
		"offsets that fall":        {msm(sumac.MSMConfig{Offsets: []uint64{0, 3, 2, 4}}, scalars), sumac.BadArgument},
		"offsets beyond scalars":   {msm(sumac.MSMConfig{Offsets: []uint64{0, 5}}, scalars), sumac.BadLength},
		"offsets without end":      {msm(sumac.MSMConfig{Offsets: []uint64{0, 1 << 63}}, scalars), sumac.BadLength},
		"offsets before scalars":   {msm(sumac.MSMConfig{Offsets: []uint64{0, 3}}, scalars), sumac.BadLength},
		"offsets of another batch": {msm(sumac.MSMConfig{Offsets: []uint64{0, 4}, Batch: 2}, scalars), sumac.BadLength},
		"prepared offsets":         {e(bases.Prepare(c, 4, &sumac.MSMConfig{Offsets: []uint64{0, 4}})), sumac.NotSupported},
		"prepared, negative":       {e(bases.Prepare(c, -4, nil)), sumac.BadArgument},
		"device memory of the CPU": {bases.MSMAt(c, sumac.At{Scalars: 64, Results: 64, ScalarsOnDevice: true}, 4, nil), sumac.NotSupported},
		"bases from a device":      {e(c.NewBasesAt(g, 1<<20, 4, nil)), sumac.NotSupported},
		"stream of the CPU":        {c.SetStream(1), sumac.NotSupported},
		"no such file":             {e(c.OpenBases(g, path+".none", "", 0, sumac.All, nil)), sumac.CannotOpen},
		"path with a zero byte":    {e(c.OpenBases(g, path+"\x00", "", 0, sumac.All, nil)), sumac.BadArgument},
		"file of another length":   {e(c.OpenBases(g, path, "raw", 0, sumac.All, nil)), sumac.BadFile},
		"unknown format":           {e(c.OpenBases(g, path, "abacus", 0, sumac.All, nil)), sumac.UnknownFormat},
		"no table":                 {e(c.OpenBases(g, path, "table", 0, sumac.All, nil)), sumac.BadFile},
		"half a record":            {e(c.DecodePoints(g, points[:65], "raw", 0)), sumac.BadLength},
		"no record":                {e(c.DecodePoints(g, points, "abacus", 0)), sumac.UnknownFormat},
		"part of nothing":          {e(c.OpenBases(g, path, "raw", -1, 4, nil)), sumac.BadArgument},
		"bases beyond the last":    {bases.Get(c, make([]byte, 128), 3), sumac.BadLength},
		"partial of another size":  {e(c.CombinePartials(g, 1, generator)), sumac.BadLength},
		"partial of no partial":    {e(c.CombinePartials(g, 1, make([]byte, sumac.PartialBytes(g, 1)))), sumac.BadFile},
		"logarithms":               {e(c.KnownLogarithms(g, -1, 0)), sumac.NotSupported},
		"logarithms and scalars":   {e(c.KnownAnswer(g, scalars, scalars[32:])), sumac.BadLength},
		"negative count":           {e(c.NewVector(g, sumac.ScalarVector, -1)), sumac.BadArgument},
		"unknown elements":         {e(c.NewVector(g, 7, 1)), sumac.BadArgument},
		"half an element":          {vector.Set(c, scalars[:33], 0, nil), sumac.BadLength},
		"elements beyond the last": {vector.Set(c, scalars, 1, nil), sumac.BadArgument},
		"scalar not less than r":   {vector.Set(c, bytes.Repeat([]byte{0xff}, 32), 0, nil), sumac.BadEncoding},
		"sum of unlike":            {vector.Add(c, pointVector, 1, vector), sumac.BadArgument},
		"sum into nil":             {vector.Add(c, vector, 1, nil), sumac.BadArgument},
		"sum of nil":               {vector.Add(c, nil, 1, vector), sumac.BadArgument},
		"fill with half":           {vector.Fill(c, scalars[:16]), sumac.BadLength},
		"shift of half":            {vector.NTT(c, &sumac.TransformConfig{Shift: scalars[:16]}), sumac.BadLength},
		"length of no power":       {vector.NTT(c, &sumac.TransformConfig{Length: 3}), sumac.BadArgument},
		"row that there is not":    {vector.Gather(c, 1, []uint64{0, 1, 2, 4}, must(c.NewVector(g, sumac.ScalarVector, 4))(t)), sumac.BadArgument},
		"slice that is too long":   {vector.Copy(c, sumac.Slice{Runs: 1, Length: 9}, pointVector, sumac.Slice{Runs: 1, Length: 9}), sumac.BadArgument},
		"scalars as an SRS":        {c.CommitSRS(nil, vector, 4, pointVector), sumac.BadArgument},
		"polynomials of 9":         {c.CommitSRS(bases, vector, 9, pointVector), sumac.BadArgument},
		"openings of nothing":      {c.OpenSRS(bases, vector, 4, vector, nil, nil), sumac.BadArgument},
		"FK20 of no power":         {e(c.NewFK20(bases, 3, 1, 0)), sumac.BadArgument},
		"pairing of one":           {e(c.PairingCheck(g, points, must(g2.Generator())(t), 0)), sumac.BadLength},
		"key of zeros":             {e(c.NewGroth16Key(make([]byte, 100), nil)), sumac.BadFile},
		"key of nothing":           {e(c.NewGroth16Key(nil, nil)), sumac.BadFile},
		"key with a zero key":      {e(c.NewGroth16Key(nil, &sumac.Groth16KeyConfig{Verifying: &sumac.Groth16VerifyingKey{}})), sumac.BadArgument},
		"setup of a closed one":    {e(closedContext.OpenKZGSetup(path, nil)), sumac.BadArgument},
		"negative memory":          {e(c.NewPinned(-1)), sumac.BadArgument},
	} {
		t.Run(name, func(t *testing.T) { fails(t, one.err, one.status) })
	}
	// Methods that return no error accept nil and zero receivers.
	for _, object := range []interface{ Close() }{(*sumac.Context)(nil), &sumac.Context{}, (*sumac.Bases)(nil), &sumac.Bases{}, (*sumac.Vector)(nil), (*sumac.Pool)(nil),
		(*sumac.Call)(nil), (*sumac.KZGSetup)(nil), (*sumac.FK20)(nil), (*sumac.PairingPoints)(nil), (*sumac.Groth16Key)(nil), (*sumac.Groth16VerifyingKey)(nil), (*sumac.Pinned)(nil)} {
		object.Close()
	}
	same(t, must(bases.MSM(c, g.Scalars(number(t, "1")), &sumac.MSMConfig{N: 1}))(t), generator)
}

func TestMissingEngine(t *testing.T) {
	_, err := sumac.NewContext(&sumac.ContextConfig{Backend: "cuda"})
	if err == nil {
		t.Skip("there is a GPU")
	}
	var e *sumac.Error
	if fails(t, err, sumac.BackendUnavailable); !errors.As(err, &e) || !e.Status.MachineFault() || sumac.BadLength.MachineFault() {
		t.Error(err)
	}
	_, err = sumac.NewPool(&sumac.ContextConfig{Backend: "cuda"}, 3)
	fails(t, err, sumac.BackendUnavailable)
}

// The package calls every function of the headers.
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
