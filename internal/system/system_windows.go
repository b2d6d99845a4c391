// SPDX-License-Identifier: Apache-2.0

package system

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// EREMOTEIO is the error number of a transfer that the device did not acknowledge. Simulated buses return it.
const EREMOTEIO = syscall.EREMOTEIO

// NonBlocking is the flag of os.OpenFile that keeps the opening of a pipe from waiting: on Windows none is needed.
const NonBlocking = 0

// TryLock locks a file until it is closed or the process ends: for this process alone, or shared with others that lock
// it so. It fails with [ErrLocked]. On a file system without locks it does nothing.
//
// Locks of Windows keep others from reading, too. So only a byte is locked that no file has.
func TryLock(f *os.File, alone bool) error {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: math.MaxInt32})
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return ErrLocked
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return nil
	}
	return os.NewSyscallError("LockFileEx", err)
}

// A file that another program has open, such as a virus scanner, cannot be replaced: Rename tries again.
const (
	renameTries = 40
	renamePause = 25 * time.Millisecond
)

// Rename gives a file a name, and replaces the file that has it: at every moment the name is that of one of the two.
// While another program has one of them open, it tries again for up to a second.
func Rename(from, to string) error {
	var err error
	for range renameTries {
		err = os.Rename(from, to)
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			break
		}
		<-time.After(renamePause)
	}
	return err
}

// SyncDir does nothing: Windows writes a folder's entries itself, and programs cannot sync a folder.
func SyncDir(string) error { return nil }

// DiskSpace returns the free and the total bytes of the file system of a folder.
func DiskSpace(dir string) (free, total uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	if err := windows.GetDiskFreeSpaceEx(name, &free, &total, nil); err != nil {
		return 0, 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	return free, total, nil
}

// IsDiskFull reports whether an error means that the disk, or the share of its user, is full or the file too large.
func IsDiskFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED) || errors.Is(err, windows.ERROR_FILE_TOO_LARGE)
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size, pageFaults                                   uint32
	peakWorkingSet, workingSet                         uintptr
	quotaPeakPaged, quotaPaged, quotaPeakNon, quotaNon uintptr
	pagefile, peakPagefile                             uintptr
}

// Used returns what the process has used.
func Used() (Usage, error) {
	var created, ended, kernel, user windows.Filetime
	process := windows.CurrentProcess()
	if err := windows.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return Usage{}, os.NewSyscallError("GetProcessTimes", err)
	}
	u := Usage{Processor: duration(kernel) + duration(user)}
	info := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	call := windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")
	if ok, _, _ := call.Call(uintptr(process), uintptr(unsafe.Pointer(&info)), uintptr(info.size)); ok != 0 {
		u.PeakMemory = uint64(info.peakWorkingSet)
	}
	return u, nil
}

// duration reads a time that counts from 0, in units of 100 ns.
func duration(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}

// EndWithParent does nothing: Windows has no such request.
func EndWithParent(*exec.Cmd) {}

// EndSignals are the signals of a terminal and of other processes that end a process that does not handle them.
func EndSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// NotifyUserSignals does nothing: Windows has no such signals.
func NotifyUserSignals(chan<- os.Signal) {}

// IsUserSignal1 reports whether a signal is SIGUSR1, which Windows does not have.
func IsUserSignal1(os.Signal) bool { return false }

// HasAccess reports with a nil error that the process may read and write a file.
func HasAccess(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}
