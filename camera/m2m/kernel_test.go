// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

func TestOtherFilesAreRefused(t *testing.T) {
	dev := t.TempDir()
	if err := os.WriteFile(filepath.Join(dev, "video0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := (linux{dev}).Nodes(); len(n) != 1 {
		t.Fatal(n)
	}
	// It can be opened, but does not report its name.
	if _, err := newJPEG(linux{dev}, options{}.withDefaults(), smallConfig()); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
}

func TestFile(t *testing.T) {
	n, err := linux{"/dev"}.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	var c capability
	if err := n.Ioctl(vidiocQuerycap, unsafe.Pointer(&c)); !errors.Is(err, unix.ENOTTY) && !errors.Is(err, unix.ENOSYS) {
		t.Error(err)
	}
	m, err := n.Mmap(0, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Munmap(m); err != nil {
		t.Error(err)
	}
	n.Wake()
	if ev, err := n.Wait(time.Minute); ev&vpoll.Woken == 0 || err != nil {
		t.Error(ev, err)
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
	if _, err := (linux{"/dev"}).Open(filepath.Join(t.TempDir(), "video0")); !errors.Is(err, unix.ENOENT) {
		t.Error(err)
	}
}

// TestThisMachine: the constructors the program uses look at the real device files, and there is no Raspberry Pi here.
func TestThisMachine(t *testing.T) {
	if _, err := NewJPEGEncoder(smallConfig()); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
	if _, err := NewISP(ispConfig(camera.RGB24, 320, 240)); !errors.Is(err, ErrNoDevice) {
		t.Error(err)
	}
}

// liar is a driver that answers what it must not.
type liar struct {
	File
	count, length, index uint32
	pix                  pixFormat
}

func (l liar) Ioctl(request uintptr, arg unsafe.Pointer) error {
	switch request {
	case vidiocSFmt:
		(*format)(arg).pix = l.pix
	case vidiocReqbufs:
		(*requestBuffers)(arg).count = l.count
	case vidiocQuerybuf:
		(*buffer)(arg).planes.length = l.length
	case vidiocDqbuf:
		(*buffer)(arg).index = l.index
	}
	return nil
}
