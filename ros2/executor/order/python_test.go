// SPDX-License-Identifier: Apache-2.0

//go:build peers

package order_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// The Python executor of deploy/ros ends in the same ways.
func TestEndsOfPython(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-B", "testdata/ends.py", "../../../deploy/ros/epuck_fixed_order")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil || out.String() != "5 ends\n" {
		t.Errorf("%v: %s", err, out.String())
	}
}
