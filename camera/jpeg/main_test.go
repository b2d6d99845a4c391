// SPDX-License-Identifier: Apache-2.0

package jpeg

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// buildDir is where the C program is built.
var buildDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "jpeg-peer")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	buildDir = dir
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}
