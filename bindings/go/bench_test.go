// SPDX-License-Identifier: Apache-2.0 OR MIT

package sumac_test

import (
	"slices"
	"testing"
	"time"

	"sumac"
	"sumac/internal/plain"
)

// A call over 2^10 resident bases beside C's, in turns; the ratio of the medians is what counts.
func BenchmarkCall(b *testing.B) {
	const n = 1 << 10
	g := curve(b, "bn254", "g1")
	caller, is := plain.New(n)
	if !is {
		b.Fatal("C has no context")
	}
	context := must(sumac.NewContext(&sumac.ContextConfig{Backend: "cpu", Threads: 1}))(b)
	bases := must(context.NewKnownBases(g, n, 1, nil))(b)
	scalars := must(context.KnownLogarithms(g, n, 2))(b)
	cancellable := context.With(b.Context())
	ways := []func() float64{caller.Run}
	for _, c := range []*sumac.Context{context, cancellable} {
		ways = append(ways, func() float64 {
			start := time.Now()
			must(bases.MSM(c, scalars, nil))(b)
			return time.Since(start).Seconds()
		})
	}
	times := make([][]float64, len(ways))
	for b.Loop() {
		for i, way := range ways {
			times[i] = append(times[i], way())
		}
	}
	median := func(t []float64) float64 { slices.Sort(t); return t[len(t)/2] }
	c := median(times[0])
	b.ReportMetric(c*1e6, "C-us")
	b.ReportMetric(median(times[1])/c, "Go/C")
	b.ReportMetric(median(times[2])/c, "cancellable/C")
}
