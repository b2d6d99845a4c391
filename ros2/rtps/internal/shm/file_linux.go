// SPDX-License-Identifier: Apache-2.0

package shm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const filePrefix = "epuck-rtps-" // of the names of all files

// errForeign means that the file is not a regular file of the user.
var errForeign = errors.New("shm: not a regular file of this user")

// Name returns the name of the file of the participant with a GUID prefix.
func Name(prefix wire.GUIDPrefix) string { return fmt.Sprintf("%s%x", filePrefix, prefix[:]) }

// maxTries is how often a file is created again that another process removed before it was locked.
const maxTries = 10

// createFile creates and locks a file.
func createFile(path string) (*os.File, error) {
	for range maxTries {
		if f, err := createLocked(path); f != nil || err != nil {
			return f, err
		}
	}
	return nil, fmt.Errorf("shm: %s is removed by others as soon as it is created", path)
}

// createLocked creates the file and locks it. It returns nil if another process has removed it in between.
func createLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return nil, errors.Join(os.NewSyscallError("flock", err), f.Close())
	}
	opened, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if named, err := os.Lstat(path); err != nil || !os.SameFile(opened, named) {
		return nil, f.Close()
	}
	return f, nil
}

// removeStale removes files that no process has locked: those of processes that were killed.
func removeStale(folder string) {
	list, err := filepath.Glob(filepath.Join(folder, filePrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range list {
		f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if err != nil {
			continue // another user's
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = os.Remove(path)
		}
		_ = f.Close()
	}
}

// openFile opens another participant's file for reading, and returns its size.
func openFile(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, 0, errors.Join(os.NewSyscallError("fstat", err), f.Close())
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() {
		return nil, 0, errors.Join(fmt.Errorf("%w: %s", errForeign, path), f.Close())
	}
	return f, st.Size, nil
}

// inUse reports whether a process still has the file: the lock of a killed one is released by the kernel, and one that
// ends in order closes it.
func inUse(f *os.File) bool {
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil {
		return true
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // the next call tries again
	return false
}
