// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"math/big"

	"sumac"
)

func Example() {
	context, err := sumac.NewContext(&sumac.ContextConfig{Threads: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer context.Close()
	curve, err := sumac.FindCurve("bn254", "g1")
	if err != nil {
		log.Fatal(err)
	}
	generator, _ := curve.Generator()
	bases, err := context.NewBases(curve, bytes.Repeat(generator, 3), &sumac.BasesConfig{Check: sumac.CheckSubgroup})
	if err != nil {
		log.Fatal(err)
	}
	defer bases.Close()
	sum, err := bases.MSM(context, curve.Scalars(big.NewInt(1), big.NewInt(2), big.NewInt(4)), nil)
	if err != nil {
		log.Fatal(err)
	}
	coordinates, _ := sumac.Integers(sum, curve.FieldBytes)
	fmt.Printf("7G has x = %#x\n", coordinates[0])

	_, err = context.NewBases(curve, bytes.Repeat([]byte{1}, 64), nil)
	fmt.Println(errors.Is(err, sumac.NotOnCurve), err)
	// Output:
	// 7G has x = 0x17072b2ed3bb8d759a5325f477629386cb6fc6ecb801bd76983a6b86abffe078
	// true point 0: a point is not on the curve
}
