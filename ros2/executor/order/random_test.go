// SPDX-License-Identifier: Apache-2.0

package order_test

import (
	"math/rand/v2"
	"sync"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// numbers are random numbers for all goroutines of the tests: always the same, but any with the tag long.
var numbers = struct {
	sync.Mutex
	*rand.Rand
}{Rand: rand.New(rand.NewPCG(suite.PackageSeed(), 1))}

// random returns a number from 0 to n-1.
func random(n int) int {
	numbers.Lock()
	defer numbers.Unlock()
	return numbers.IntN(n)
}
