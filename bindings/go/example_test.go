// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	sumac "github.com/sumac-msm/sumac/bindings/go"
)

// errors.Is distinguishes errors, and the text of an error is a sentence for people.
func Example_errors() {
	c, err := sumac.NewContext(sumac.Backend("cpu"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	_, err = sumac.FindCurve("curve25519", "")
	fmt.Println(errors.Is(err, sumac.ErrUnknownCurve))
	for _, curve := range sumac.Curves() {
		ones := make([]byte, curve.PointBytes)
		ones[0], ones[curve.PointBytes/2] = 1, 1
		_, err = c.NewBases(curve, ones)
		fmt.Println(errors.Is(err, sumac.ErrNotOnCurve), err)
		break
	}
	// Output:
	// true
	// true point 0: a point is not on the curve
}

// One call computes two MSMs of the same bases.
func ExampleBases_MSM() {
	c, _ := sumac.NewContext(sumac.Backend("cpu"), sumac.Threads(1))
	defer c.Close()
	curve := sumac.Curves()[0]
	generator, _ := curve.Generator()
	bases, _ := c.NewBases(curve, generator, sumac.CheckSubgroup)
	defer bases.Close()
	sums, err := bases.MSM(c, curve.Scalars(big.NewInt(1), big.NewInt(0)), sumac.Batch(2))
	fmt.Println(len(sums) == 2*curve.PointBytes, string(sums[:curve.PointBytes]) == string(generator), err)
	// Output: true true <nil>
}

// A call ends when its context.Context is done.
func ExampleContext_With() {
	c, _ := sumac.NewContext(sumac.Backend("cpu"))
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	_, err := c.With(ctx).NewVector(sumac.Curves()[0], sumac.ScalarVector, 4)
	fmt.Println(errors.Is(err, sumac.ErrCancelled), errors.Is(err, context.DeadlineExceeded))
	// Output: true true
}
