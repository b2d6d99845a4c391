// SPDX-License-Identifier: Apache-2.0

//go:build system

package fleet_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"
)

// No product is fused with the sum that follows it, in any package whose numbers enter the trace with messages: see the
// test of the same name in sim.
func TestNoFusedProducts(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("one look from amd64 is enough; an emulated processor has no compiler")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".", "../odometry/...", "../driver/...", "../i2c/...")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	if len(out) < 1<<20 {
		t.Fatalf("an assembly listing of %d bytes only", len(out))
	}
	for _, m := range regexp.MustCompile(`\(([^ ()]+\.go:\d+)\)\s+FN?M(ADD|SUB)[DS]\b`).FindAllSubmatch(out, -1) {
		t.Errorf("%s: a product is fused with a sum on arm64", m[1])
	}
}
