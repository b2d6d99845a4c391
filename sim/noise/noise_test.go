// SPDX-License-Identifier: Apache-2.0

package noise_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/noise"
)

// moments returns mean, standard deviation and lag-1 correlation.
func moments(n int, f func(i uint64) float64) (mean, sd, lag float64) {
	v := make([]float64, n)
	for i := range v {
		v[i] = f(uint64(i))
		mean += v[i] / float64(n)
	}
	for i := range v {
		sd += (v[i] - mean) * (v[i] - mean) / float64(n)
		if i > 0 {
			lag += (v[i] - mean) * (v[i-1] - mean) / float64(n)
		}
	}
	return mean, math.Sqrt(sd), lag / sd
}

func TestDistributions(t *testing.T) {
	const n = 100000
	for seed := range uint64(5) {
		s := noise.New(seed).Named("test")
		mean, sd, lag := moments(n, s.Normal)
		if math.Abs(mean) > 0.02 || math.Abs(sd-1) > 0.02 || math.Abs(lag) > 0.02 {
			t.Errorf("seed %d: normal has mean %.4f, deviation %.4f, correlation %.4f", seed, mean, sd, lag)
		}
		mean, sd, lag = moments(n, s.Float64)
		if math.Abs(mean-0.5) > 0.01 || math.Abs(sd-math.Sqrt(1./12)) > 0.01 || math.Abs(lag) > 0.02 {
			t.Errorf("seed %d: uniform has mean %.4f, deviation %.4f, correlation %.4f", seed, mean, sd, lag)
		}
	}
}

func TestRanges(t *testing.T) {
	s := noise.New(7)
	for i := range uint64(10000) {
		if u := s.Float64(i); u < 0 || u >= 1 {
			t.Fatalf("uniform number %d is %v", i, u)
		}
		if v := s.Normal(i); math.Abs(v) > 6 {
			t.Fatalf("normal number %d is %v", i, v)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	root := noise.New(1)
	streams := []noise.Source{
		{}, root, noise.New(2), root.Stream(0), root.Stream(1), root.Stream(0).Stream(0),
		root.Named(""), root.Named("a"), root.Named("b"), root.Named("ab"), noise.New(2).Named("a"),
	}
	seen := make(map[uint64]int)
	for i, s := range streams {
		for n := range uint64(100) {
			v := s.Uint64(n)
			if j, ok := seen[v]; ok {
				t.Fatalf("streams %d and %d share the number %#x", i, j, v)
			}
			seen[v] = i
		}
	}
}

func TestStreamsAreUncorrelated(t *testing.T) {
	a, b := noise.New(1).Stream(0), noise.New(1).Stream(1)
	sum := 0.0
	const n = 100000
	for i := range uint64(n) {
		sum += a.Normal(i) * b.Normal(i) / n
	}
	if math.Abs(sum) > 0.02 {
		t.Errorf("neighbouring streams correlate by %.4f", sum)
	}
}

// The numbers must not change: recorded simulations depend on them.
func TestNumbersStayTheSame(t *testing.T) {
	s := noise.New(42).Named("golden").Stream(3)
	for _, c := range []struct {
		n    uint64
		want string
	}{
		{0, "8ffe1bf0defa448d -0.410522"},
		{1, "dd397f1339f95f2c 1.796249"},
		{1 << 40, "be7f9eb97819c369 0.921097"},
	} {
		if got := fmt.Sprintf("%016x %.6f", s.Uint64(c.n), s.Normal(c.n)); got != c.want {
			t.Errorf("number %d is %q, want %q", c.n, got, c.want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	s := noise.New(1)
	sum := 0.0
	if n := testing.AllocsPerRun(100, func() { sum += s.Named("x").Normal(5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func ExampleSource() {
	// The noise of sample 1000 does not depend on whether samples 0 to 999
	// were drawn.
	a := noise.New(1).Named("left sensor")
	for n := range uint64(1000) {
		a.Normal(n)
	}
	b := noise.New(1).Named("left sensor")
	fmt.Println(a.Normal(1000) == b.Normal(1000))
	// Output: true
}
