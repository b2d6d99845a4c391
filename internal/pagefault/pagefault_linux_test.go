// SPDX-License-Identifier: Apache-2.0

package pagefault_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/pagefault"
)

// TestAccessToTruncatedFileIsCaught: reading and writing a mapping of a file that was truncated is reported, and
// nothing else is.
func TestAccessToTruncatedFileIsCaught(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(8192); err != nil {
		t.Fatal(err)
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, 8192, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(mem) }()
	var got byte
	for name, access := range map[string]func(){"reading": func() { got = mem[5000] }, "writing": func() { mem[5000] = 1 }} {
		if pagefault.Caught(access) {
			t.Errorf("%s a whole file is caught", name)
		}
		if err := f.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if !pagefault.Caught(access) {
			t.Errorf("%s beyond the end is not caught", name)
		}
		if err := f.Truncate(8192); err != nil {
			t.Fatal(err)
		}
	}
	_ = got
	for _, other := range []func(){func() { panic("of the function") }, func() { var zero int; _ = 1 / zero }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("another panic is swallowed")
				}
			}()
			pagefault.Caught(other)
		}()
	}
}
