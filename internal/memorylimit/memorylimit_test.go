// SPDX-License-Identifier: Apache-2.0

//go:build system

package memorylimit

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

var kept []byte

func TestProcessMayUseItsLimit(t *testing.T) {
	Run(t, 400<<20, func(*testing.T) { kept = make([]byte, 200<<20) })
}

// TestProcessEndsBeyondItsLimit starts itself, and that process needs more than it may have.
func TestProcessEndsBeyondItsLimit(t *testing.T) {
	if os.Getenv(variable) != "" {
		restrict(t, 200<<20)
		kept = make([]byte, 400*detector<<20)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), variable+"=1")
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || detector == 1 && failed.ExitCode() != 2 { // the runtime's status of a crash
		t.Errorf("%v\n%.1000s", err, out)
	}
}
