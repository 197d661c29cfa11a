// SPDX-License-Identifier: Apache-2.0 OR MIT

// This program computes pairings with gnark-crypto.
//
//	pairings DIRECTORY
//
// For each curve it writes DIRECTORY/CURVE.json: pairs (a*P, b*Q) of random multiples of the generators, and the bytes of their
// pairings, in hexadecimal and big-endian, as GT.Bytes() gives them. The first pair is that of the generators.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"

	bls377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	fr377 "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	bls381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	fr381 "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	fr254 "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bw761 "github.com/consensys/gnark-crypto/ecc/bw6-761"
	fr761 "github.com/consensys/gnark-crypto/ecc/bw6-761/fr"
)

type point struct {
	X any `json:"x"`
	Y any `json:"y"`
}

type pair struct {
	G1    point  `json:"g1"`
	G2    point  `json:"g2"`
	Value string `json:"value"`
}

type number interface{ Text(base int) string }

func text(e number) string { return "0x" + e.Text(16) }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// cases returns four pairs, which `compute` makes of two scalars.
func cases(order *big.Int, compute func(a, b *big.Int) pair) []pair {
	random := rand.New(rand.NewSource(45))
	result := []pair{compute(big.NewInt(1), big.NewInt(1))}
	for range 3 {
		result = append(result, compute(new(big.Int).Rand(random, order), new(big.Int).Rand(random, order)))
	}
	return result
}

func main() {
	_, _, p254, q254 := bn254.Generators()
	_, _, p381, q381 := bls381.Generators()
	_, _, p377, q377 := bls377.Generators()
	_, _, p761, q761 := bw761.Generators()
	curves := map[string][]pair{
		"bn254": cases(fr254.Modulus(), func(a, b *big.Int) pair {
			var p bn254.G1Affine
			var q bn254.G2Affine
			p.ScalarMultiplication(&p254, a)
			q.ScalarMultiplication(&q254, b)
			value, err := bn254.Pair([]bn254.G1Affine{p}, []bn254.G2Affine{q})
			check(err)
			bytes := value.Bytes()
			return pair{point{text(&p.X), text(&p.Y)},
				point{[]string{text(&q.X.A0), text(&q.X.A1)}, []string{text(&q.Y.A0), text(&q.Y.A1)}}, hex.EncodeToString(bytes[:])}
		}),
		"bls12-381": cases(fr381.Modulus(), func(a, b *big.Int) pair {
			var p bls381.G1Affine
			var q bls381.G2Affine
			p.ScalarMultiplication(&p381, a)
			q.ScalarMultiplication(&q381, b)
			value, err := bls381.Pair([]bls381.G1Affine{p}, []bls381.G2Affine{q})
			check(err)
			bytes := value.Bytes()
			return pair{point{text(&p.X), text(&p.Y)},
				point{[]string{text(&q.X.A0), text(&q.X.A1)}, []string{text(&q.Y.A0), text(&q.Y.A1)}}, hex.EncodeToString(bytes[:])}
		}),
		"bls12-377": cases(fr377.Modulus(), func(a, b *big.Int) pair {
			var p bls377.G1Affine
			var q bls377.G2Affine
			p.ScalarMultiplication(&p377, a)
			q.ScalarMultiplication(&q377, b)
			value, err := bls377.Pair([]bls377.G1Affine{p}, []bls377.G2Affine{q})
			check(err)
			bytes := value.Bytes()
			return pair{point{text(&p.X), text(&p.Y)},
				point{[]string{text(&q.X.A0), text(&q.X.A1)}, []string{text(&q.Y.A0), text(&q.Y.A1)}}, hex.EncodeToString(bytes[:])}
		}),
		"bw6-761": cases(fr761.Modulus(), func(a, b *big.Int) pair {
			var p bw761.G1Affine
			var q bw761.G2Affine
			p.ScalarMultiplication(&p761, a)
			q.ScalarMultiplication(&q761, b)
			value, err := bw761.Pair([]bw761.G1Affine{p}, []bw761.G2Affine{q})
			check(err)
			bytes := value.Bytes()
			return pair{point{text(&p.X), text(&p.Y)}, point{text(&q.X), text(&q.Y)}, hex.EncodeToString(bytes[:])}
		}),
	}
	for curve, pairs := range curves {
		data, err := json.MarshalIndent(map[string]any{"curve": curve, "cases": pairs}, "", " ")
		check(err)
		check(os.WriteFile(filepath.Join(os.Args[1], curve+".json"), append(data, '\n'), 0o644))
		fmt.Println(curve)
	}
}
