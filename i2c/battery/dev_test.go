// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

const dir = devs + "11-0048/iio:device0/"

// files returns the files of a new kernel; an empty text means no file.
func files(raw0, scale0, raw1, scale1 string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range map[string]string{
		"in_voltage0_raw": raw0, "in_voltage0_scale": scale0, "in_voltage1_raw": raw1, "in_voltage1_scale": scale1,
	} {
		if text != "-" {
			m[dir+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return m
}

func mustNew(t *testing.T, o *Opts) *Dev {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestContents: valid and invalid contents of the files, and the result after three polls.
func TestContents(t *testing.T) {
	for _, c := range []struct {
		name                       string
		raw0, scale0, raw1, scale1 string
		robot, aux                 float64 // V, 0: not connected
		err                        error
	}{
		{"both", "925\n", "2.000000000\n", "1000\n", "2.000000000\n", 3.7, 4, nil},
		{"another range", "617\n", "3.000000\n", "0\n", "3.000000\n", 3.702, 0, nil},
		{"only one", "925\n", "2\n", "-", "-", 3.7, 0, nil},
		{"input open", "3\n", "2\n", "1\n", "2\n", 0, 0, nil},
		{"slightly negative", "-1\n", "2\n", "-2\n", "2\n", 0, 0, nil},
		{"empty", "", "2\n", "1000\n", "2\n", 0, 0, errFormat},
		{"garbage", "nan\n", "2\n", "1000\n", "2\n", 0, 0, errFormat},
		{"two lines", "925\n926\n", "2\n", "1000\n", "2\n", 0, 0, errFormat},
		{"very long", strings.Repeat("9", 200), "2\n", "1000\n", "2\n", 0, 0, errFormat},
		{"too much", "2047\n", "3\n", "1000\n", "2\n", 0, 0, errImplausible},
		{"far below zero", "-2048\n", "3\n", "1000\n", "2\n", 0, 0, errImplausible},
		{"auxiliary garbage", "925\n", "2\n", "??\n", "2\n", 0, 0, errFormat},
		{"auxiliary too much", "925\n", "2\n", "2047\n", "3\n", 0, 0, errImplausible},
		{"scale zero", "925\n", "0.0\n", "-", "-", 0, 0, errImplausible},
		{"scale empty", "925\n", "", "-", "-", 0, 0, errFormat},
		{"scale of the auxiliary garbage", "925\n", "2\n", "0\n", "x\n", 0, 0, errFormat},
	} {
		d := mustNew(t, &Opts{Root: files(c.raw0, c.scale0, c.raw1, c.scale1)})
		var first error
		for i := range 3 {
			if _, err := d.Poll(at(i)); first == nil {
				first = err
			}
		}
		r := d.Reading()
		if !errors.Is(first, c.err) || (c.err == nil) != (first == nil) {
			t.Errorf("%s: %v, want %v", c.name, first, c.err)
		}
		for i, x := range []struct {
			got  Cell
			want float64
		}{{r.Robot, c.robot}, {r.Aux, c.aux}} {
			ok := x.got.Connected && math.Abs(x.got.Voltage-x.want) < 1e-9
			if x.want == 0 {
				ok = !x.got.Connected && math.IsNaN(x.got.Voltage) && math.IsNaN(x.got.Charge)
			}
			if !ok {
				t.Errorf("%s: battery %d is %+v, want %v V", c.name, i, x.got, x.want)
			}
		}
	}
}

// TestOneFileAPoll: one file per poll, and one reading per second.
func TestOneFileAPoll(t *testing.T) {
	root := &counting{FS: files("925\n", "2\n", "1000\n", "2\n")}
	d := mustNew(t, &Opts{Root: root})
	var fresh []int
	for ms := 0; ms < 3000; ms += 50 {
		root.opened = nil
		f, err := d.Poll(at(ms))
		if err != nil || ms > 0 && len(root.opened) > 1 {
			t.Fatalf("%d ms: %v, opened %v", ms, err, root.opened)
		}
		if f {
			fresh = append(fresh, ms)
		}
	}
	if fmt.Sprint(fresh) != "[100 1050 2050]" || d.Next() != at(3000) {
		t.Error(fresh, d.Next())
	}
}

// counting records which files were opened; they cannot be read at an offset.
type counting struct {
	fs.FS
	opened []string
}

func (c *counting) Open(name string) (fs.File, error) {
	c.opened = append(c.opened, name)
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return d, nil
	}
	return struct{ fs.File }{f}, nil
}

func TestCharging(t *testing.T) {
	on, known := true, false
	d := mustNew(t, &Opts{Root: files("1000\n", "2\n", "-", "-"), Charger: func() (bool, bool) { return on, known }})
	poll := func(ms int) Reading {
		if _, err := d.Poll(at(ms)); err != nil {
			t.Fatal(err)
		}
		return d.Reading()
	}
	poll(0)
	if r := poll(10); r.Charging != ChargingUnknown || math.Abs(r.Robot.Charge-(4-3.3)/(4.138-3.3)) > 1e-9 {
		t.Errorf("%+v", r)
	}
	known = true
	if r := poll(2000); r.Charging != Recharging || math.Abs(r.Robot.Charge-(4-3.778)/(4.198-3.778)) > 1e-9 {
		t.Errorf("%+v", r)
	}
	on = false
	if r := poll(4000); r.Charging != Discharging {
		t.Errorf("%+v", r)
	}
	if fmt.Sprint(ChargingUnknown, Discharging, Recharging) != "unknown discharging charging" {
		t.Error("names")
	}
}

// TestPollsOfAnAbsentConverter: it is searched every five seconds, and nothing counts as connected meanwhile.
func TestPollsOfAnAbsentConverter(t *testing.T) {
	root := fstest.MapFS{}
	d := mustNew(t, &Opts{Root: &counting{FS: root}})
	if d.String() != "battery" || d.Present() || d.Reading().Robot.Connected {
		t.Error(d, d.Present(), d.Reading())
	}
	_, err := d.Poll(epoch)
	if !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), "overlay") {
		t.Error(err)
	}
	for name, f := range files("925\n", "2\n", "-", "-") {
		root[name] = f
	}
	if _, err := d.Poll(at(4999)); err != nil || d.Present() {
		t.Error("not looked for before its time:", err)
	}
	if d.Next() != at(5000) {
		t.Error(d.Next())
	}
	e, err := i2cfake.Event(d, func() error { _, err := d.Poll(at(5000)); return err })
	if e != "found" || err != nil || d.String() != "battery /"+dir+"in_voltage0_raw" || d.Files().Form != formIIO {
		t.Error(e, err, d)
	}
	if fresh, err := d.Poll(at(5001)); !fresh || err != nil || d.Reading().Robot.Voltage != 3.7 {
		t.Error(fresh, err, d.Reading())
	}
	delete(root, dir+"in_voltage0_raw")
	var log string
	for s := range 10 {
		e, err := i2cfake.Event(d, func() error { _, err := d.Poll(at(6001 + 1000*s)); return err })
		log += cmp.Or(e, "none") + " "
		if s == 0 && (!errors.Is(err, errRead) || !errors.Is(err, fs.ErrNotExist) || !d.Reading().Robot.Connected) {
			t.Error(err, d.Reading())
		}
	}
	if !strings.HasPrefix(log, "none none lost none") || d.Present() || d.Reading().Robot.Connected || d.Files().Robot != "" {
		t.Error(log, d.Present(), d.Reading())
	}
	if s := d.Stats(); s.Starts != 1 || s.Losses != 1 || s.FailedStarts == 0 || s.LastErr == nil {
		t.Errorf("%+v", s)
	}
}

func TestNew(t *testing.T) {
	if _, err := New(&Opts{Every: -1}); !errors.Is(err, device.ErrOption) {
		t.Error(err)
	}
	d := mustNew(t, nil) // the machine's own files, if any
	_, _ = d.Poll(epoch)
	if d.Halt() != nil {
		t.Error("Halt")
	}
}

// FuzzContents: with any contents, a connected battery has a possible voltage of a lithium cell.
func FuzzContents(f *testing.F) {
	for _, c := range numbers {
		f.Add([]byte(c.text), []byte("2\n"))
		f.Add([]byte("925\n"), []byte(c.text))
	}
	f.Fuzz(func(t *testing.T, raw, scale []byte) {
		d, err := New(&Opts{Root: files(string(raw), string(scale), string(raw), string(scale))})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			_, _ = d.Poll(at(i))
		}
		r := d.Reading()
		for _, c := range []Cell{r.Robot, r.Aux} {
			if c.Connected && !(c.Voltage >= 2.5 && c.Voltage <= 6 && c.Charge >= 0 && c.Charge <= 1) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
