// SPDX-License-Identifier: Apache-2.0

package system_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func create(t *testing.T, path, text string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestLocksExcludeOthersAndLeaveReadersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first, second := create(t, path, "text"), create(t, path, "")
	if err := system.TryLock(first, true); err != nil {
		t.Fatal(err)
	}
	for _, alone := range []bool{true, false} {
		if err := system.TryLock(second, alone); !errors.Is(err, system.ErrLocked) {
			t.Errorf("alone %v: %v", alone, err)
		}
	}
	if data, err := io.ReadAll(second); err != nil || string(data) != "text" {
		t.Errorf("a locked file reads %q, %v", data, err)
	}
	if err := errors.Join(first.Close(), system.TryLock(second, false), system.TryLock(create(t, path, ""), false)); err != nil {
		t.Errorf("shared: %v", err)
	}
}

func TestRenameReplaces(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := errors.Join(create(t, from, "new").Close(), create(t, to, "former").Close(), system.Rename(from, to), system.SyncDir(dir)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
	if err := system.Rename(from, to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

func TestDiskSpaceAndUse(t *testing.T) {
	if free, total, err := system.DiskSpace(t.TempDir()); err != nil || total == 0 || free > total {
		t.Errorf("%d of %d bytes free: %v", free, total, err)
	}
	if _, _, err := system.DiskSpace(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	u, err := system.Used()
	if err != nil || u.PeakMemory < 1<<20 || u.Processor < 0 {
		t.Errorf("%+v: %v", u, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	err := system.NeedsLinux("the bus", "simulate a robot: epuck-driver sim")
	if !errors.Is(err, system.ErrNeedsLinux) || !errors.Is(err, errors.ErrUnsupported) ||
		err.Error() != "the bus needs Linux: unsupported operation; simulate a robot: epuck-driver sim" {
		t.Error(err)
	}
}
