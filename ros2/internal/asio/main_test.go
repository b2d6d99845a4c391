// SPDX-License-Identifier: Apache-2.0

package asio

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// buildDir is where the C++ program is built.
var buildDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "asio")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	buildDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}
