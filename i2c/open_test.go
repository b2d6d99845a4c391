// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filetree"
)

// kernel is a fake of the kernel behind device files.
type kernel struct {
	funcs    uint
	openErr  map[string]error
	funcsErr error
	timeErr  error
	xferErr  error
	log      []string
	seen     []rawMessage
	reply    byte // first byte of each read; the next ones count up
}

type fakePort struct {
	k    *kernel
	path string
}

func (k *kernel) open(path string) (port, error) {
	k.log = append(k.log, "open "+path)
	if err := k.openErr[path]; err != nil {
		return nil, err
	}
	return &fakePort{k, path}, nil
}

func (p *fakePort) transfer(tr *transaction) error {
	p.k.seen = parse(tr)
	for _, m := range p.k.seen {
		if m.flags&flagRead != 0 {
			for i := range m.bytes {
				m.bytes[i] = p.k.reply + byte(i)
			}
		}
	}
	return p.k.xferErr
}

func (p *fakePort) functions() (uint, error) { return p.k.funcs, p.k.funcsErr }
func (p *fakePort) setTimeout(units int) error {
	p.k.log = append(p.k.log, fmt.Sprintf("timeout %s %d", p.path, units))
	return p.k.timeErr
}
func (p *fakePort) close() error {
	p.k.log = append(p.k.log, "close "+p.path)
	return nil
}

func newKernel() *kernel { return &kernel{funcs: 0x0EFF0009, openErr: map[string]error{}} }

func TestOpenSetsTimeoutOnParent(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []string
		bus     string
		timeout time.Duration
		want    string
	}{
		{"default", piPuck("12"), "", 0, "open /dev/i2c-12; open /dev/i2c-1; timeout /dev/i2c-1 2; close /dev/i2c-1"},
		{"old kernel", piPuck("4"), "", 0, "open /dev/i2c-4; open /dev/i2c-1; timeout /dev/i2c-1 2; close /dev/i2c-1"},
		{"rounded up", piPuck("12"), "12", 31 * time.Millisecond, "open /dev/i2c-12; open /dev/i2c-1; timeout /dev/i2c-1 4; close /dev/i2c-1"},
		{"left alone", piPuck("12"), "", -1, "open /dev/i2c-12"},
		{"no parent", []string{"dev/i2c-12="}, "", 0, "open /dev/i2c-12; timeout /dev/i2c-12 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKernel()
			a, err := Open(Config{Bus: c.bus, Timeout: c.timeout, Root: os.DirFS(filetree.Make(t, c.entries...)), open: k.open})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(k.log, "; "); got != c.want {
				t.Errorf("did %s\nwant %s", got, c.want)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		bend func(*kernel)
		is   error
		says []string
	}{
		{"not in group i2c", func(k *kernel) { k.openErr["/dev/i2c-12"] = syscall.EACCES }, syscall.EACCES,
			[]string{"/dev/i2c-12: permission denied", "usermod -aG i2c"}},
		{"gone in between", func(k *kernel) { k.openErr["/dev/i2c-12"] = syscall.ENOENT }, syscall.ENOENT, []string{"no driver", "modprobe i2c-dev"}},
		{"no driver", func(k *kernel) { k.openErr["/dev/i2c-12"] = syscall.ENXIO }, syscall.ENXIO, []string{"no driver"}},
		{"no ioctl", func(k *kernel) { k.funcsErr = syscall.ENOTTY }, syscall.ENOTTY, []string{"cannot be used", "name the bus"}},
		{"SMBus only", func(k *kernel) { k.funcs = 0x00FF0000 }, nil, []string{"I2C_FUNCS 0xff0000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKernel()
			c.bend(k)
			_, err := Open(Config{Root: os.DirFS(filetree.Make(t, piPuck("12")...)), open: k.open})
			checkNoBus(t, err, c.says)
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v lost its cause %v", err, c.is)
			}
			if open := strings.Count(strings.Join(k.log, ";"), "open"); k.openErr["/dev/i2c-12"] == nil &&
				open != strings.Count(strings.Join(k.log, ";"), "close") {
				t.Errorf("left open: %v", k.log)
			}
		})
	}
	if _, err := Open(Config{Root: os.DirFS(t.TempDir()), open: newKernel().open}); !errors.Is(err, ErrNoBus) {
		t.Errorf("empty machine: %v", err)
	}
}

func TestOpenWithoutTimeout(t *testing.T) {
	for _, bend := range []func(*kernel){
		func(k *kernel) { k.timeErr = syscall.EINVAL },
		func(k *kernel) { k.openErr["/dev/i2c-1"] = syscall.EACCES },
	} {
		k := newKernel()
		bend(k)
		var out bytes.Buffer
		a, err := Open(Config{Root: os.DirFS(filetree.Make(t, piPuck("12")...)), open: k.open, Logger: slog.New(slog.NewTextHandler(&out, nil))})
		if err != nil {
			t.Fatal("Open fails because of the time-out:", err)
		}
		if !strings.Contains(out.String(), "time-out not set") || !strings.Contains(out.String(), "/dev/i2c-1") {
			t.Errorf("log says %q", out.String())
		}
		_ = a.Close()
	}
}

// TestOpenReal opens files that are not I2C buses through the real system calls.
func TestOpenReal(t *testing.T) {
	root := filetree.Make(t, "plain=")
	if _, err := openFile(root + "/nothing"); !errors.Is(err, syscall.ENOENT) {
		t.Errorf("missing file: %v", err)
	}
	p, err := openFile(root + "/plain")
	if err != nil {
		t.Fatal(err)
	}
	refused := func(err error) bool { // qemu's user mode rejects it before the kernel does
		return errors.Is(err, syscall.ENOTTY) || errors.Is(err, syscall.ENOSYS)
	}
	if _, err := p.functions(); !refused(err) {
		t.Errorf("functions of a plain file: %v", err)
	}
	if err := p.setTimeout(2); !refused(err) {
		t.Errorf("time-out of a plain file: %v", err)
	}
	a := &Adapter{loc: Location{Path: "plain"}, port: p}
	if err := a.Tx(0x1F, []byte{1}, nil); !refused(err) || !errors.Is(err, ErrBus) {
		t.Errorf("transfer on a plain file: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := p.close(); !errors.Is(err, syscall.EBADF) {
		t.Errorf("second close: %v", err)
	}
}
