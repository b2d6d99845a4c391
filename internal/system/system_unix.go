// SPDX-License-Identifier: Apache-2.0

//go:build unix

package system

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// NonBlocking is the flag of os.OpenFile that keeps the opening of a pipe from waiting for its other end.
const NonBlocking = syscall.O_NONBLOCK

// TryLock locks a file until it is closed or the process ends: for this process alone, or shared with others that lock
// it so. It fails with [ErrLocked]. On a file system without locks it does nothing.
func TryLock(f *os.File, alone bool) error {
	how := unix.LOCK_SH
	if alone {
		how = unix.LOCK_EX
	}
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK):
		return nil
	}
	return os.NewSyscallError("flock", err)
}

// Rename gives a file a name, and replaces the file that has it: at every moment the name is that of one of the two.
func Rename(from, to string) error { return os.Rename(from, to) }

// SyncDir writes a folder's entries to the disk: otherwise a synced file can be missing after a power cut. On a file
// system that does not support it, it does nothing.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = d.Sync(); errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// DiskSpace returns the free and the total bytes of the file system of a folder.
func DiskSpace(dir string) (free, total uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	size := uint64(s.Bsize)
	return s.Bavail * size, s.Blocks * size, nil
}

// IsDiskFull reports whether an error means that the disk, or the share of its user, is full or the file too large.
func IsDiskFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG)
}

// Used returns what the process has used.
func Used() (Usage, error) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return Usage{}, os.NewSyscallError("getrusage", err)
	}
	return Usage{Processor: time.Duration(u.Utime.Nano() + u.Stime.Nano()), PeakMemory: uint64(u.Maxrss) * rssUnit}, nil
}

// EndSignals are the signals of a terminal and of other processes that end or suspend a process that does not handle
// them, except SIGKILL and SIGSTOP.
func EndSignals() []os.Signal {
	return []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGTSTP}
}

// NotifyUserSignals relays SIGUSR1 and SIGUSR2 to a channel.
func NotifyUserSignals(c chan<- os.Signal) { signal.Notify(c, unix.SIGUSR1, unix.SIGUSR2) }

// IsUserSignal1 reports whether a signal is SIGUSR1.
func IsUserSignal1(s os.Signal) bool { return s == unix.SIGUSR1 }

// HasAccess reports with a nil error that the process may read and write a file.
func HasAccess(path string) error { return unix.Access(path, unix.R_OK|unix.W_OK) }
