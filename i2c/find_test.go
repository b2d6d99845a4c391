// SPDX-License-Identifier: Apache-2.0

package i2c

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/internal/filetree"
)

// piPuck is sysfs of a Pi Zero W with the Pi-puck's overlay, channel 1 being adapter n.
func piPuck(n string) []string {
	const at = "sys/devices/platform/soc/20804000.i2c/i2c-1"
	return []string{
		at + "/name=bcm2835 (i2c@7e804000)\n",
		at + "/1-0070/name=pca9548\n",
		at + "/1-0070/channel-0 -> ../i2c-11",
		at + "/1-0070/channel-1 -> ../i2c-" + n,
		at + "/i2c-" + n + "/name=i2c-1-mux (chan_id 1)\n",
		"sys/bus/i2c/devices/i2c-1 -> ../../../devices/platform/soc/20804000.i2c/i2c-1",
		"sys/bus/i2c/devices/1-0070 -> ../../../devices/platform/soc/20804000.i2c/i2c-1/1-0070",
		"sys/bus/i2c/devices/i2c-" + n + " -> ../../../devices/platform/soc/20804000.i2c/i2c-1/i2c-" + n,
		"dev/i2c-1=", "dev/i2c-" + n + "=",
	}
}

// monitor is the sysfs of a desktop machine whose adapter n is a graphics card's.
func monitor(n string) []string {
	at := "sys/devices/pci0000:00/0000:01:00.0/i2c-" + n
	return []string{at + "/name=NVIDIA i2c adapter 3 at 1:00.0\n", "sys/bus/i2c/devices/i2c-" + n + " -> ../../../../" + at, "dev/i2c-" + n + "="}
}

func TestFind(t *testing.T) {
	const via = "link /sys/bus/i2c/devices/1-0070/channel-1"
	mux := piPuck("12")
	for _, c := range []struct {
		name    string
		entries []string
		bus     string
		want    Location
	}{
		{"new kernel", mux, "auto", Location{"/dev/i2c-12", 12, "/dev/i2c-1", via}},
		{"empty name is auto", mux, "", Location{"/dev/i2c-12", 12, "/dev/i2c-1", via}},
		{"old kernel", piPuck("4"), "auto", Location{"/dev/i2c-4", 4, "/dev/i2c-1", via}},
		{"any number", piPuck("27"), "auto", Location{"/dev/i2c-27", 27, "/dev/i2c-1", via}},
		{"link before the usual number", append(piPuck("4"), "dev/i2c-12="), "auto", Location{"/dev/i2c-4", 4, "/dev/i2c-1", via}},
		{"mux on another bus", []string{"sys/bus/i2c/devices/3-0070/channel-1 -> ../i2c-9", "dev/i2c-9="}, "auto",
			Location{"/dev/i2c-9", 9, "/dev/i2c-9", "link /sys/bus/i2c/devices/3-0070/channel-1"}},
		{"no sysfs, 12", []string{"dev/i2c-4=", "dev/i2c-12="}, "auto",
			Location{"/dev/i2c-12", 12, "/dev/i2c-12", "usual number of the Pi-puck's channel 1"}},
		{"no sysfs, 4", []string{"dev/i2c-4="}, "auto", Location{"/dev/i2c-4", 4, "/dev/i2c-4", "usual number of the Pi-puck's channel 1"}},
		{"12 is a monitor, 4 is not", append(monitor("12"), "dev/i2c-4="), "auto",
			Location{"/dev/i2c-4", 4, "/dev/i2c-4", "usual number of the Pi-puck's channel 1"}},
		{"number", mux, "1", Location{"/dev/i2c-1", 1, "/dev/i2c-1", "asked for"}},
		{"name", mux, "i2c-12", Location{"/dev/i2c-12", 12, "/dev/i2c-1", "asked for"}},
		{"path", mux, "/dev/i2c-12", Location{"/dev/i2c-12", 12, "/dev/i2c-1", "asked for"}},
		{"a monitor, if the user insists", monitor("12"), "12", Location{"/dev/i2c-12", 12, "/dev/i2c-12", "asked for"}},
		{"udev name", append(mux, "dev/epuck -> i2c-12"), "/dev/epuck", Location{"/dev/epuck", 12, "/dev/i2c-1", "asked for"}},
		{"other file", []string{"dev/fake="}, "/dev/fake", Location{"/dev/fake", -1, "/dev/fake", "asked for"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Find(os.DirFS(filetree.Make(t, c.entries...)), c.bus)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []string
		bus     string
		says    []string // in this order
	}{
		{"bare machine", nil, "auto", []string{"/sys/bus/i2c/devices/1-0070/channel-1: does not exist",
			"/dev/i2c-12: does not exist", "/dev/i2c-4: does not exist", "dtparam=i2c_arm=on"}},
		{"module not loaded", piPuck("12")[:8], "auto", []string{"/dev/i2c-12: does not exist", "modprobe i2c-dev"}},
		{"device file of the channel missing", append(piPuck("12")[:8], "dev/i2c-1="), "", []string{"/dev/i2c-12: does not exist", "modprobe i2c-dev"}},
		{"no overlay", []string{"dev/i2c-1="}, "auto", []string{"channel-1: does not exist", "dtoverlay=pi-puck"}},
		{"only monitors", append(monitor("12"), monitor("4")...), "auto",
			[]string{`/dev/i2c-12: is "NVIDIA i2c adapter 3 at 1:00.0", not channel 1`, "/dev/i2c-4: is"}},
		{"strange link", []string{"sys/bus/i2c/devices/1-0070/channel-1 -> ../nonsense"}, "auto", []string{`"../nonsense", which is no I2C adapter`}},
		{"number", piPuck("12"), "7", []string{"found as 7", "/dev/i2c-7: does not exist", "ls /dev/i2c-*"}},
		{"path", piPuck("12"), "/dev/nix", []string{"found as /dev/nix", "/dev/nix: does not exist"}},
		{"nonsense", piPuck("12"), "bus twelve", []string{`"bus twelve": is neither`}},
		{"number out of range", piPuck("12"), "70000", []string{`"70000": is neither`}},
		{"root", piPuck("12"), "/", []string{`"/": is neither`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			loc, err := Find(os.DirFS(filetree.Make(t, c.entries...)), c.bus)
			checkNoBus(t, err, c.says)
			if loc != (Location{}) {
				t.Errorf("location %+v with an error", loc)
			}
		})
	}
}

// checkNoBus checks that err is a NoBusError with all these texts, in order.
func checkNoBus(t *testing.T, err error, says []string) {
	t.Helper()
	var nb *NoBusError
	if !errors.Is(err, ErrNoBus) || !errors.As(err, &nb) {
		t.Fatalf("error %v is not a NoBusError", err)
	}
	if len(nb.Tried) == 0 || len(nb.Fixes) == 0 {
		t.Errorf("no attempts or no fixes: %+v", nb)
	}
	if KindOf(err) != KindGone {
		t.Errorf("kind %v", KindOf(err))
	}
	rest := err.Error()
	for _, s := range says {
		_, after, ok := strings.Cut(rest, s)
		if !ok {
			t.Fatalf("error does not say %q (in this order):\n%v", s, err)
		}
		rest = after
	}
}

// refusing is a file system that can't be read.
type refusing struct{}

func (refusing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}
func (refusing) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrPermission}
}
func (refusing) Lstat(name string) (fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrPermission}
}

func TestFindPermission(t *testing.T) {
	_, err := Find(refusing{}, "auto")
	checkNoBus(t, err, []string{"channel-1: permission denied", "usermod -aG i2c"})
}
