// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"context"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Key is what was pressed: a character, or one of the keys that send more than one.
type Key int

// Keys that are no letters.
const (
	KeySpace Key = ' '
	KeyUp    Key = 1000 + iota
	KeyDown
	KeyRight
	keyLeft
)

// arrows are the last bytes of what the arrow keys send, ESC [ A and so on.
var arrows = map[byte]Key{'A': KeyUp, 'B': KeyDown, 'C': KeyRight, 'D': keyLeft}

// Keyboard reads single keys from a terminal. Without a terminal it is nil, and does nothing.
type Keyboard struct {
	file *os.File
	old  *unix.Termios
	once sync.Once
}

// OpenKeyboard sets the terminal to deliver each key immediately, without echo. Ctrl-C still interrupts. Close restores
// the terminal.
func OpenKeyboard(f *os.File) *Keyboard {
	old, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return nil
	}
	mine := *old
	mine.Lflag &^= unix.ICANON | unix.ECHO
	mine.Cc[unix.VMIN], mine.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, &mine); err != nil {
		return nil // a terminal that belongs to another program: we are in the background
	}
	return &Keyboard{file: f, old: old}
}

// pollTime is how long a look at the keyboard may take, ms: after that ctx is looked at.
const pollTime = 100

// Each calls f with each key until ctx ends or the terminal is gone.
func (k *Keyboard) Each(ctx context.Context, f func(Key)) {
	if k == nil {
		return
	}
	buf := make([]byte, 64)
	fd := []unix.PollFd{{Fd: int32(k.file.Fd()), Events: unix.POLLIN}}
	for ctx.Err() == nil {
		n, err := unix.Poll(fd, pollTime)
		if err != nil && err != unix.EINTR || fd[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
			return
		}
		if n <= 0 {
			continue
		}
		n, err = unix.Read(int(fd[0].Fd), buf)
		if err != nil || n == 0 {
			return
		}
		for _, pressed := range keys(buf[:n]) {
			f(pressed)
		}
	}
}

// keys reads what a terminal sent.
func keys(b []byte) (out []Key) {
	for len(b) > 0 {
		if len(b) >= 3 && b[0] == 0x1B && (b[1] == '[' || b[1] == 'O') {
			if k, ok := arrows[b[2]]; ok {
				out = append(out, k)
			}
			b = b[3:]
			continue
		}
		out = append(out, Key(b[0]))
		b = b[1:]
	}
	return out
}

// Close gives the terminal back as it was.
func (k *Keyboard) Close() {
	if k == nil {
		return
	}
	// a terminal that is gone needs nothing
	k.once.Do(func() { _ = unix.IoctlSetTermios(int(k.file.Fd()), unix.TCSETS, k.old) })
}
