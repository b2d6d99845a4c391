// SPDX-License-Identifier: Apache-2.0

//go:build system

package sim_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// No product is fused with the sum that follows it: the compiler may do so on arm64 (and other processors), and a run
// there would differ in its last bits. An explicit conversion, float64(a*b) + c, prevents it.
func TestNoFusedProducts(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("one look from amd64 is enough; an emulated processor has no compiler")
	}
	list, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := slices.DeleteFunc(strings.Fields(string(list)), func(name string) bool {
		return strings.Contains(name, "/sim/robots/proto") // a run starts with reading them: docs/reference/robots.md
	})
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, packages...)...)
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
