// SPDX-License-Identifier: Apache-2.0

//go:build unix

package tty

import (
	"context"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Keyboard reads single keys from a terminal. A nil Keyboard has no keys; it is that of a file that is not a terminal.
type Keyboard struct {
	file *os.File
	old  *unix.Termios
	once sync.Once
}

// OpenKeyboard sets the terminal to deliver each key immediately, without echo. Ctrl-C still interrupts. Close restores
// the terminal.
func OpenKeyboard(f *os.File) *Keyboard {
	old, err := unix.IoctlGetTermios(int(f.Fd()), getAttributes)
	if err != nil {
		return nil
	}
	mine := *old
	mine.Lflag &^= unix.ICANON | unix.ECHO
	mine.Cc[unix.VMIN], mine.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(f.Fd()), setAttributes, &mine); err != nil {
		return nil // the terminal belongs to another program: this one is in the background
	}
	return &Keyboard{file: f, old: old}
}

// pollTime is how long a wait for a key may take: after that ctx is checked.
const pollTime = 100 * time.Millisecond

// Each calls f with each key until ctx ends or the terminal is closed.
func (k *Keyboard) Each(ctx context.Context, f func(Key)) {
	if k == nil {
		return
	}
	buf := make([]byte, 64)
	fd := int(k.file.Fd())
	for fd < unix.FD_SETSIZE && ctx.Err() == nil {
		// select instead of poll, which macOS refuses for terminals.
		var set unix.FdSet
		set.Set(fd)
		timeout := unix.NsecToTimeval(int64(pollTime))
		n, err := unix.Select(fd+1, &set, nil, nil, &timeout)
		if err != nil && err != unix.EINTR {
			return
		}
		if n <= 0 {
			continue
		}
		n, err = unix.Read(fd, buf)
		if err != nil || n == 0 {
			return
		}
		for _, pressed := range keys(buf[:n]) {
			f(pressed)
		}
	}
}

// Close restores the terminal.
func (k *Keyboard) Close() {
	if k == nil {
		return
	}
	// errors are those of a closed terminal
	k.once.Do(func() { _ = unix.IoctlSetTermios(int(k.file.Fd()), setAttributes, k.old) })
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), getAttributes)
	return err == nil
}

func columns(f *os.File) int {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return someWidth
	}
	return int(size.Col)
}
