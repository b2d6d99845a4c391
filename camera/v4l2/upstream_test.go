// SPDX-License-Identifier: Apache-2.0

//go:build system

package v4l2

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hiddenAddress is the fault of go4vl that camera/v4l2/pinned.go is there for: the address of a variable becomes a
// number before it is handed to another Go function, so the variable may move while the kernel writes to it.
var hiddenAddress = regexp.MustCompile(`\bsend\(fd, [^,]+, uintptr\(unsafe\.Pointer\(&`)

// TestGo4vlStillHidesAddresses fails when go4vl is mended: camera/v4l2/pinned.go, its tests and its goroutine can go.
func TestGo4vlStillHidesAddresses(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/vladimirvivien/go4vl").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Fatalf("where is go4vl? %q, %v", dir, err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "v4l2", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	found := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(file)] += len(hiddenAddress.FindAll(text, -1))
	}
	// The files with the calls that the camera makes: queue and dequeue, format, interval, capability.
	for _, file := range []string{"streaming.go", "format.go", "stream_param.go", "capability.go"} {
		if found[file] == 0 {
			t.Errorf("%s of go4vl hides no address of a variable any more: take camera/v4l2/pinned.go out if none does", file)
		}
	}
}
