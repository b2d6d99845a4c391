// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"context"
	"os"
	"sync"

	"golang.org/x/sys/windows"

	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// Keyboard reads single keys from a console. A nil Keyboard has no keys; it is that of a file that is not a console.
type Keyboard struct {
	file    *os.File
	input   uint32 // former mode of the console's input
	restore func() // restores its output
	once    sync.Once
}

// OpenKeyboard sets the console to deliver each key immediately, without echo, in the sequences of terminals, and to
// interpret such sequences in what is printed. Ctrl-C still interrupts. Close restores the console.
func OpenKeyboard(f *os.File) *Keyboard {
	k := &Keyboard{file: f}
	in := windows.Handle(f.Fd())
	if windows.GetConsoleMode(in, &k.input) != nil {
		return nil
	}
	mode := k.input&^(windows.ENABLE_LINE_INPUT|windows.ENABLE_ECHO_INPUT) | windows.ENABLE_VIRTUAL_TERMINAL_INPUT
	if windows.SetConsoleMode(in, mode) != nil { // before Windows 10: arrow keys send nothing
		if windows.SetConsoleMode(in, mode&^windows.ENABLE_VIRTUAL_TERMINAL_INPUT) != nil {
			return nil
		}
	}
	k.restore = interpretSequences(os.Stdout)
	return k
}

// Each calls f with each key until ctx ends or the console is closed. A read that waits for a key cannot be
// interrupted: it ends with the next key, which is lost, or with the program.
func (k *Keyboard) Each(ctx context.Context, f func(Key)) {
	if k == nil {
		return
	}
	read := make(chan []byte)
	task.Go("console", func() {
		defer close(read)
		for {
			buf := make([]byte, 64)
			n, err := k.file.Read(buf)
			if err != nil || n == 0 {
				return
			}
			select {
			case read <- buf[:n]:
			case <-ctx.Done():
				return
			}
		}
	})
	for {
		select {
		case <-ctx.Done():
			return
		case data, ok := <-read:
			if !ok {
				return
			}
			for _, pressed := range keys(data) {
				f(pressed)
			}
		}
	}
}

// Close restores the console.
func (k *Keyboard) Close() {
	if k == nil {
		return
	}
	k.once.Do(func() {
		_ = windows.SetConsoleMode(windows.Handle(k.file.Fd()), k.input) // errors are those of a closed console
		k.restore()
	})
}

// interpretSequences makes a console interpret the control sequences of terminals until restore is called. Files that
// are no console are left alone.
func interpretSequences(f *os.File) (restore func()) {
	out := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(out, &mode) != nil || windows.SetConsoleMode(out, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) != nil {
		return func() {}
	}
	return func() { _ = windows.SetConsoleMode(out, mode) }
}

// IsTerminal reports whether a file is a console that interprets the control sequences of terminals, which it then does
// until the program ends.
func IsTerminal(f *os.File) bool {
	var mode uint32
	out := windows.Handle(f.Fd())
	return windows.GetConsoleMode(out, &mode) == nil &&
		(mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0 || windows.SetConsoleMode(out, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil)
}

func columns(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil || info.Window.Right <= info.Window.Left {
		return someWidth
	}
	return int(info.Window.Right-info.Window.Left) + 1
}
