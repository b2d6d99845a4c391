// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"syscall"
	"unsafe"
)

// file is the port of a real device file.
type file int

// supported reports whether this system has device files of I2C buses: Linux does.
func supported() error { return nil }

// openFile opens a device file for ioctls. The descriptor is blocking, so that the transfer is waited for.
func openFile(path string) (port, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		return file(fd), nil
	}
}

func (f file) transfer(t *transaction) error {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(f), ioctlRdwr, uintptr(unsafe.Pointer(t)))
	return errnoOrNil(errno)
}

func (f file) functions() (uint, error) {
	var fn uint // unsigned long has Go's word size on Linux
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(f), ioctlFuncs, uintptr(unsafe.Pointer(&fn)))
	return fn, errnoOrNil(errno)
}

func (f file) setTimeout(units int) error {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(f), ioctlTimeout, uintptr(units))
	return errnoOrNil(errno)
}

func (f file) close() error { return syscall.Close(int(f)) }

// errnoOrNil avoids an error interface that holds errno 0.
func errnoOrNil(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}
