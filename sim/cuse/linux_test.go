// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package cuse

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"
	"periph.io/x/host/v3/sysfs"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

func TestMain(m *testing.M) {
	if os.Getenv(otherVariable) != "" {
		if err := playOther(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	suite.VerifyNoLeaks(m)
}

// otherVariable makes the test binary play another program, which uses /dev/i2c-78.
const otherVariable = "EPUCK_CUSE_OTHER"

// The device as Go programs on Linux use one: periph's bus and the driver's own, in another process, on the kernel of
// this machine. Needs EPUCK_CUSE=required, as in the virtual machine; the protocol itself is tested everywhere.
func TestGoProgramsOnLinux(t *testing.T) {
	if os.Getenv("EPUCK_CUSE") != "required" {
		t.Skip("EPUCK_CUSE=required runs it, in the virtual machine (make test-vm)")
	}
	t.Run("this kernel", func(t *testing.T) {
		bus := &registers{}
		d, err := Open(Config{Bus: bus, Number: 78})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = d.Close() }()
		if _, err := Open(Config{Bus: bus, Number: 78}); !errors.Is(err, errExists) {
			t.Errorf("twice: %v", err)
		}
		other := exec.Command("/proc/self/exe")
		other.Env = append(os.Environ(), otherVariable+"=1")
		if out, err := other.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		if bus.timeout != 20*time.Millisecond {
			t.Errorf("time-out %v, want the driver's 20 ms", bus.timeout)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(d.Path()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there: %v", d.Path(), err)
		}
	})
}

// playOther uses the device as periph does, and as this project does.
func playOther() error {
	theirs, err := sysfs.NewI2C(78)
	if err != nil {
		return err
	}
	ours, err := i2c.Open(i2c.Config{Bus: "78"})
	if err != nil {
		return err
	}
	for name, b := range map[string]pi2c.Bus{"periph": theirs, "this project": ours} {
		r := make([]byte, 2)
		if err := b.Tx(chipAddr, []byte{5, 6, 7}, nil); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := b.Tx(chipAddr, []byte{5}, r); err != nil || !bytes.Equal(r, []byte{6, 7}) {
			return fmt.Errorf("%s: % x, %w", name, r, err)
		}
		if err := b.Tx(0x50, []byte{5}, nil); err == nil {
			return fmt.Errorf("%s: an empty address answers", name)
		}
	}
	if err := ours.Tx(0x50, []byte{5}, nil); !errors.Is(err, system.EREMOTEIO) {
		return fmt.Errorf("an empty address: %w", err)
	}
	return errors.Join(theirs.Close(), ours.Close())
}
