// SPDX-License-Identifier: Apache-2.0

//go:build linux && cgo

package v4l2

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"github.com/vladimirvivien/go4vl/v4l2"
	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
)

func TestLayoutOfStructures(t *testing.T) {
	const sizeInNumber = ioctlEnumFrameIntervals >> 16 & 0x3fff
	if n := unsafe.Sizeof(frmivalenum{}); n != sizeInNumber || sizeInNumber != 52 || ioctlQuerycap>>16&0x3fff != 104 {
		t.Errorf("struct v4l2_frmivalenum has %d bytes", n)
	}
	if n := unsafe.Offsetof(frmivalenum{}.fractions); n != 20 {
		t.Errorf("its fractions are at %d", n)
	}
}

func TestErrnoOf(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{nil, nil},
		{v4l2.ErrorBadArgument, unix.EINVAL},
		{v4l2.ErrorUnsupported, unix.ENOTTY},
		{v4l2.ErrorSystem, unix.EIO},
		{unix.EBUSY, unix.EBUSY},
		{&os.PathError{Op: "open", Err: unix.EACCES}, unix.EACCES},
		{errors.New("x"), unix.EIO},
	} {
		if got := errnoOf(c.err, ^uintptr(0)); !errors.Is(got, c.want) {
			t.Errorf("%v: %v", c.err, got)
		}
	}
	if n := testing.AllocsPerRun(10, func() { _ = errnoOf(nil, 0) }); n != 0 {
		t.Errorf("%v allocations without an error", n)
	}
}

// TestNodeOfAnotherKind asks a file that is no video device everything: the kernel answers ENOTTY, through go4vl and
// back.
func TestNodeOfAnotherKind(t *testing.T) {
	n, err := openNode("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	_, e1 := n.capability()
	_, e2 := n.format(0)
	_, e3 := n.size(0, camera.YUYV)
	_, e4 := n.interval(0, camera.YUYV, 640, 480)
	_, e5 := n.setFormat(camera.YUYV, 640, 480)
	_, e6 := n.setInterval(fraction{1, 15})
	_, e7 := n.request(4)
	_, e8 := n.request(0)
	_, e9 := n.mapBuffer(0)
	_, e10 := n.dequeue()
	for i, err := range []error{e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, n.queue(0), n.stream(true), n.stream(false)} {
		// qemu-arm's answer to requests it does not know
		if !errors.Is(err, unix.ENOTTY) && !errors.Is(err, unix.ENOSYS) {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if n.gone() {
		t.Error("gone")
	}
	if err := n.unmap(nil); err == nil {
		t.Error("unmapped nothing")
	}
	if err := n.close(); err != nil {
		t.Error(err)
	}
	if _, err := openNode(filepath.Join(t.TempDir(), "video0")); !errors.Is(err, unix.ENOENT) {
		t.Error(err)
	}
	if _, err := Find("/dev/zero"); !errors.Is(err, camera.ErrNoDevice) {
		t.Error(err)
	}
}

// TestPinnedStack checks both promises of type pinned: where a function runs more than a quarter of the stack is in
// use, and there is space above. The stack then stays where it is through garbage collections.
func TestPinnedStack(t *testing.T) {
	p := newPinned()
	defer p.stop()
	for range 20 {
		p.do(func() {
			var here byte
			before := uintptr(unsafe.Pointer(&here))
			runtime.GC() // halves stacks that are little used
			deep(100, func() bool { return true })
			if after := uintptr(unsafe.Pointer(&here)); after != before {
				t.Errorf("stack moved by %d bytes", int(after-before))
			}
		})
	}
	n := testing.AllocsPerRun(10, func() { p.do(nothing) })
	if n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

func nothing() {}

func TestPinnedStops(t *testing.T) {
	p := newPinned()
	ran := false
	p.do(func() { ran = true })
	p.stop()
	p.stop()
	if !ran {
		t.Error("did not run")
	}
}

// deep calls f with at least 16 bytes more on the stack for each step.
//
//go:noinline
func deep(n int, f func() bool) bool {
	if n == 0 {
		return f()
	}
	return deep(n-1, f)
}
