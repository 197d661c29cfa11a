// SPDX-License-Identifier: Apache-2.0 OR MIT

// This program writes the points of points.py with gnark-crypto.
//
//	gnark POINTS.json DIRECTORY
//
// A file's name is DIRECTORY/gnark-FORM.CURVE, such as gnark-raw.bn254_g1.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"

	bls377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bls315 "github.com/consensys/gnark-crypto/ecc/bls24-315"
	bls317 "github.com/consensys/gnark-crypto/ecc/bls24-317"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	bw633 "github.com/consensys/gnark-crypto/ecc/bw6-633"
	bw761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	"github.com/consensys/gnark-crypto/ecc/grumpkin"
	"github.com/consensys/gnark-crypto/utils/unsafe"
)

type encoder interface{ Encode(any) error }

type codec struct{ compressed, raw func(io.Writer) encoder }

var codecs = map[string]codec{
	"bn254": {func(w io.Writer) encoder { return bn254.NewEncoder(w) },
		func(w io.Writer) encoder { return bn254.NewEncoder(w, bn254.RawEncoding()) }},
	"grumpkin": {func(w io.Writer) encoder { return grumpkin.NewEncoder(w) },
		func(w io.Writer) encoder { return grumpkin.NewEncoder(w, grumpkin.RawEncoding()) }},
	"bls12_381": {func(w io.Writer) encoder { return bls381.NewEncoder(w) },
		func(w io.Writer) encoder { return bls381.NewEncoder(w, bls381.RawEncoding()) }},
	"bls12_377": {func(w io.Writer) encoder { return bls377.NewEncoder(w) },
		func(w io.Writer) encoder { return bls377.NewEncoder(w, bls377.RawEncoding()) }},
	"bls24_315": {func(w io.Writer) encoder { return bls315.NewEncoder(w) },
		func(w io.Writer) encoder { return bls315.NewEncoder(w, bls315.RawEncoding()) }},
	"bls24_317": {func(w io.Writer) encoder { return bls317.NewEncoder(w) },
		func(w io.Writer) encoder { return bls317.NewEncoder(w, bls317.RawEncoding()) }},
	"bw6_633": {func(w io.Writer) encoder { return bw633.NewEncoder(w) },
		func(w io.Writer) encoder { return bw633.NewEncoder(w, bw633.RawEncoding()) }},
	"bw6_761": {func(w io.Writer) encoder { return bw761.NewEncoder(w) },
		func(w io.Writer) encoder { return bw761.NewEncoder(w, bw761.RawEncoding()) }},
}

func dump[T any](w io.Writer, points any) error {
	if err := unsafe.WriteMarker(w); err != nil {
		return err
	}
	return unsafe.WriteSlice(w, points.([]T))
}

type group struct {
	name, curve string
	point       reflect.Type
	dump        func(io.Writer, any) error
}

func groupOf[T any](curve, name string) group {
	return group{curve + "_" + name, curve, reflect.TypeFor[T](), dump[T]}
}

var groups = []group{
	groupOf[bn254.G1Affine]("bn254", "g1"), groupOf[bn254.G2Affine]("bn254", "g2"),
	groupOf[grumpkin.G1Affine]("grumpkin", "g1"),
	groupOf[bls381.G1Affine]("bls12_381", "g1"), groupOf[bls381.G2Affine]("bls12_381", "g2"),
	groupOf[bls377.G1Affine]("bls12_377", "g1"), groupOf[bls377.G2Affine]("bls12_377", "g2"),
	groupOf[bls315.G1Affine]("bls24_315", "g1"), groupOf[bls317.G1Affine]("bls24_317", "g1"),
	groupOf[bw633.G1Affine]("bw6_633", "g1"),
	groupOf[bw761.G1Affine]("bw6_761", "g1"), groupOf[bw761.G2Affine]("bw6_761", "g2"),
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Set a coordinate in Fp or in Fp2.
func setCoordinate(v reflect.Value, elements []string) {
	if len(elements) == 2 {
		setCoordinate(v.FieldByName("A0"), elements[:1])
		setCoordinate(v.FieldByName("A1"), elements[1:])
		return
	}
	out := v.Addr().MethodByName("SetString").Call([]reflect.Value{reflect.ValueOf(elements[0])})
	if !out[1].IsNil() {
		check(out[1].Interface().(error))
	}
}

func pointsOf(g group, listed [][]string) any {
	points := reflect.MakeSlice(reflect.SliceOf(g.point), len(listed), len(listed))
	for i, elements := range listed {
		if elements != nil {
			setCoordinate(points.Index(i).FieldByName("X"), elements[:len(elements)/2])
			setCoordinate(points.Index(i).FieldByName("Y"), elements[len(elements)/2:])
		}
	}
	return points.Interface()
}

func main() {
	var listed map[string][][]string
	text, err := os.ReadFile(os.Args[1])
	check(err)
	check(json.Unmarshal(text, &listed))
	for _, g := range groups {
		points, c := pointsOf(g, listed[g.name]), codecs[g.curve]
		for form, write := range map[string]func(io.Writer) error{
			"compressed": func(w io.Writer) error { return c.compressed(w).Encode(points) },
			"raw":        func(w io.Writer) error { return c.raw(w).Encode(points) },
			"dump":       func(w io.Writer) error { return g.dump(w, points) },
		} {
			var file bytes.Buffer
			check(write(&file))
			check(os.WriteFile(filepath.Join(os.Args[2], "gnark-"+form+"."+g.name), file.Bytes(), 0o644))
		}
	}
}
