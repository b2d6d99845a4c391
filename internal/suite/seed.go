// SPDX-License-Identifier: Apache-2.0

package suite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// SeedVariable is the environment variable that sets the seed of tests: a failure is repeated with the seed in its log.
const SeedVariable = "EPUCK_SEED"

// Seed returns the seed of a test's random numbers and logs it: the value of [SeedVariable], or else 1, so that the
// gate tests the same at each run, or with tag long a random one. A value that is no number fails the test.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, from, err := chooseSeed()
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Logf("%s=%d (%s)", SeedVariable, seed, from)
	return seed
}

// PackageSeed is the seed of random numbers that all tests of a package share. A random one is printed once.
var PackageSeed = sync.OnceValue(func() uint64 {
	seed, from, err := chooseSeed()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // it is for tests
	}
	if Long {
		fmt.Fprintf(os.Stderr, "%s=%d (%s)\n", SeedVariable, seed, from)
	}
	return seed
})

// chooseSeed returns a seed and where it is from.
func chooseSeed() (seed uint64, from string, err error) {
	switch text := os.Getenv(SeedVariable); {
	case text != "":
		if seed, err = strconv.ParseUint(text, 0, 64); err != nil {
			return 0, "", fmt.Errorf("%s: %w", SeedVariable, err)
		}
		return seed, "set", nil
	case Long:
		return rand.Uint64(), "random", nil //nolint:gosec // it is for tests
	}
	return 1, "the gate's", nil
}
