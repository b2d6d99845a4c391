// SPDX-License-Identifier: Apache-2.0

package vbattery_test

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vbattery"
)

const iioDir = "sys/bus/i2c/devices/11-0048/iio:device0"

// TestFS: the standard library's own test of file systems.
func TestFS(t *testing.T) {
	for form, name := range map[vbattery.Form]string{
		vbattery.IIO:      iioDir + "/in_voltage1_scale",
		vbattery.HWMon:    "sys/bus/i2c/devices/3-0048/hwmon/hwmon1/in5_input",
		vbattery.HWMonOld: "sys/bus/i2c/drivers/ads1015/3-0048/in4_input",
	} {
		if err := fstest.TestFS(vbattery.New(vbattery.Config{Form: form}).FS(), name); err != nil {
			t.Error(err)
		}
	}
}

func TestFaults(t *testing.T) {
	const name = iioDir + "/in_voltage0_raw"
	for _, c := range []struct {
		fault vbattery.Fault
		err   error
		text  string
	}{
		{vbattery.Working, nil, "1025\n"},
		{vbattery.Missing, fs.ErrNotExist, ""},
		{vbattery.Empty, nil, ""},
		{vbattery.Garbage, nil, "nan?\n"},
		{vbattery.Endless, nil, "184467440737095516151844674407370955161518446744073709551615\n"},
		{vbattery.TimedOut, syscall.ETIMEDOUT, ""},
		{vbattery.Denied, fs.ErrPermission, ""},
	} {
		b := vbattery.New(vbattery.Config{})
		if err := b.Break(vbattery.Robot, c.fault); err != nil {
			t.Fatal(err)
		}
		p, err := fs.ReadFile(b.FS(), name)
		if !errors.Is(err, c.err) || string(p) != c.text {
			t.Errorf("fault %d: %q %v", c.fault, p, err)
		}
		if p, err = fs.ReadFile(b.FS(), iioDir+"/in_voltage1_raw"); err != nil || string(p) != "0\n" {
			t.Errorf("fault %d: the other channel: %q %v", c.fault, p, err)
		}
	}
	b := vbattery.New(vbattery.Config{})
	if b.Break(2, vbattery.Empty) == nil || b.Break(vbattery.Aux, 99) == nil {
		t.Error("impossible faults are accepted")
	}
}

// TestUnplug: open files fail, the folders are gone, and everything comes back.
func TestUnplug(t *testing.T) {
	b := vbattery.New(vbattery.Config{})
	f, err := b.FS().Open(iioDir + "/in_voltage0_raw")
	if err != nil {
		t.Fatal(err)
	}
	b.Unplug(true)
	if _, err := f.Read(make([]byte, 9)); !errors.Is(err, syscall.ENODEV) {
		t.Errorf("an open file: %v", err)
	}
	if found, _ := fs.Glob(b.FS(), "sys/bus/i2c/devices/*"); len(found) != 0 {
		t.Error(found)
	}
	b.Unplug(false)
	if found, _ := fs.Glob(b.FS(), "sys/bus/i2c/devices/*-0048"); len(found) != 1 {
		t.Error(found)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestReadAt: a file measures anew from its beginning, and can be read in pieces.
func TestReadAt(t *testing.T) {
	b := vbattery.New(vbattery.Config{})
	f, _ := b.FS().Open(iioDir + "/in_voltage0_raw")
	at, ok := f.(io.ReaderAt)
	if !ok {
		t.Fatal("files of sysfs can be read at an offset")
	}
	p := make([]byte, 2)
	if n, err := at.ReadAt(p, 0); n != 2 || err != nil || string(p) != "10" {
		t.Error(n, err, p)
	}
	b.SetCharge(0.1)
	if n, err := at.ReadAt(p, 2); n != 2 || err != nil || string(p) != "25" {
		t.Error("the second half is of another measurement:", n, err, string(p))
	}
	if _, err := at.ReadAt(p, 9); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if _, err := at.ReadAt(p, -1); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	if n, _ := at.ReadAt(p, 0); n != 2 || string(p) == "10" {
		t.Error("not measured again:", string(p))
	}
}
