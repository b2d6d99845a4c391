// SPDX-License-Identifier: Apache-2.0

package battery

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// tree returns a file system with these names; each file contains "1".
func tree(names ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, n := range names {
		m[n] = &fstest.MapFile{Data: []byte("1\n")}
	}
	return m
}

const devs = "sys/bus/i2c/devices/"

func TestFind(t *testing.T) {
	iio := func(dir string) []string {
		return []string{dir + "/in_voltage0_raw", dir + "/in_voltage0_scale", dir + "/in_voltage1_raw", dir + "/in_voltage1_scale"}
	}
	for _, c := range []struct {
		name  string
		files []string
		form  form
		robot string
		aux   bool
	}{
		{"new kernel", iio(devs + "11-0048/iio:device0"), formIIO, devs + "11-0048/iio:device0/in_voltage0_raw", true},
		{"other number", iio(devs + "7-0048/iio:device3"), formIIO, devs + "7-0048/iio:device3/in_voltage0_raw", true},
		{"through the multiplexer first", append(iio(devs+"9-0048/iio:device0"), iio(devs+"1-0070/channel-0/21-0048/iio:device1")...),
			formIIO, devs + "1-0070/channel-0/21-0048/iio:device1/in_voltage0_raw", true},
		{"bus 11 before others", append(iio(devs+"10-0048/iio:device0"), iio(devs+"11-0048/iio:device1")...),
			formIIO, devs + "11-0048/iio:device1/in_voltage0_raw", true},
		{"no auxiliary input", iio(devs + "11-0048/iio:device0")[:2], formIIO, devs + "11-0048/iio:device0/in_voltage0_raw", false},
		{"auxiliary input without scale", iio(devs + "11-0048/iio:device0")[:3], formIIO, devs + "11-0048/iio:device0/in_voltage0_raw", false},
		{"one scale for all", []string{devs + "11-0048/iio:device0/in_voltage0_raw", devs + "11-0048/iio:device0/in_voltage1_raw",
			devs + "11-0048/iio:device0/in_voltage_scale"}, formIIO, devs + "11-0048/iio:device0/in_voltage0_raw", true},
		{"old kernel", []string{"sys/bus/i2c/drivers/ads1015/3-0048/in4_input", "sys/bus/i2c/drivers/ads1015/3-0048/in5_input"},
			formHWMon, "sys/bus/i2c/drivers/ads1015/3-0048/in4_input", true},
		{"hwmon folder", []string{devs + "3-0048/hwmon/hwmon2/in4_input"}, formHWMon, devs + "3-0048/hwmon/hwmon2/in4_input", false},
		{"both: the newer", append(iio(devs+"4-0048/iio:device0"), devs+"3-0048/in4_input"), formIIO, devs + "4-0048/iio:device0/in_voltage0_raw", true},
		{"no scale at all", []string{devs + "11-0048/iio:device0/in_voltage0_raw"}, 0, "", false},
		{"another chip", iio(devs + "11-0049/iio:device0"), 0, "", false},
		{"nothing", nil, 0, "", false},
	} {
		f, err := find(tree(c.files...))
		if (err != nil) != (c.form == 0) || f.Form != c.form || f.Robot != c.robot || (f.Aux != "") != c.aux {
			t.Errorf("%s: %+v %v", c.name, f, err)
		}
		if c.form == 0 && (!errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), "/sys/bus/i2c/devices/11-0048")) {
			t.Errorf("%s: the error does not list the places searched: %v", c.name, err)
		}
		if c.form == formIIO && (f.RobotScale == "" || c.aux && f.AuxScale == "") {
			t.Errorf("%s: no scale: %+v", c.name, f)
		}
	}
	if formIIO.String()+formHWMon.String()+form(0).String() != "iiohwmonnone" {
		t.Error("names of the forms")
	}
}

// TestFindThroughLinks: on a real machine the folders are symbolic links.
func TestFindThroughLinks(t *testing.T) {
	root := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	real := filepath.Join(root, "sys/devices/i2c-1/1-0070/i2c-11/11-0048/iio:device0")
	must(os.MkdirAll(real, 0o755))
	must(os.MkdirAll(filepath.Join(root, devs), 0o755))
	for name, text := range map[string]string{"in_voltage0_raw": "925\n", "in_voltage0_scale": "2.000000000\n"} {
		must(os.WriteFile(filepath.Join(real, name), []byte(text), 0o600))
	}
	must(os.Symlink("i2c-11", filepath.Join(root, "sys/devices/i2c-1/1-0070/channel-0")))
	must(os.Symlink("../../../devices/i2c-1/1-0070", filepath.Join(root, devs, "1-0070")))
	f, err := find(os.DirFS(root))
	if err != nil || f.Robot != devs+"1-0070/channel-0/11-0048/iio:device0/in_voltage0_raw" {
		t.Fatalf("%+v %v", f, err)
	}
	d, err := New(&Opts{Root: os.DirFS(root)})
	must(err)
	for range 2 {
		_, err = d.Poll(epoch)
		must(err)
	}
	if r := d.Reading(); r.Robot.Voltage != 3.7 || r.Aux.Connected {
		t.Errorf("%+v", r)
	}
	// From now on the open file is read again: the kernel measures, and nothing is allocated.
	now := epoch
	if n := testing.AllocsPerRun(50, func() {
		now = now.Add(time.Second)
		if fresh, err := d.Poll(now); !fresh || err != nil {
			t.Fatal(fresh, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a reading", n)
	}
	must(os.WriteFile(filepath.Join(real, "in_voltage0_raw"), []byte("950\n"), 0o600))
	if _, err := d.Poll(now.Add(time.Second)); err != nil || d.Reading().Robot.Voltage != 3.8 {
		t.Errorf("%v %+v", err, d.Reading())
	}
	must(d.Halt())
}
