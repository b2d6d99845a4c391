// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeBase makes an image with the partitions of Raspberry Pi OS Lite, small and without a system in it. Its
// config.txt is the argument. What else is left out of it: a path, or what a path is to hold instead ("path=text").
func fakeBase(t *testing.T, config string, but ...string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"root/etc/systemd/system/multi-user.target.wants/x": "", "root/etc/ssh/sshd_config": "Include /etc/ssh/sshd_config.d/*.conf\n",
		"root/etc/debian_version": "12.11\n", "root/usr/lib/ld-linux-armhf.so.3": "", "root/usr/lib/os-release": "ID=raspbian\nID_LIKE=debian\n", "root/etc/fstab": "PARTUUID=1-01 /boot/firmware vfat defaults 0 2\n",
		"root/usr/sbin/x": "", "boot/config.txt": config, "boot/overlays/other.dtbo": "",
	}
	for _, change := range but {
		path, text, instead := strings.Cut(change, "=")
		delete(files, path)
		if instead {
			files[path] = text
		}
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command(t, []string{"D=" + dir, "MTOOLS_SKIP_CHECK=1"}, "sh", "-ec", `truncate -s 72M "$D/base.img"
mkfs.vfat -C -F 32 -s 1 "$D/fat" $((40 * 1024)) >"$D/log" 2>&1
mcopy -s -i "$D/fat" "$D"/boot/* ::/
mke2fs -q -t ext4 -d "$D/root" "$D/ext4" 24M >"$D/log" 2>&1
go run ./deploy/card/epuck-image table "$D/base.img" 1 c:2048:81920 83:83968:49152
dd if="$D/fat" of="$D/base.img" bs=512 seek=2048 conv=notrunc status=none
dd if="$D/ext4" of="$D/base.img" bs=512 seek=83968 conv=notrunc status=none`)
	return filepath.Join(dir, "base.img")
}

// TestImageBase puts the driver into an image of Raspberry Pi OS' layout, without root and without starting it, twice
// with the same bytes; the second time into its own result.
func TestImageBase(t *testing.T) {
	need(t, "image")
	deb := filepath.Join(t.TempDir(), "epuck-driver.deb")
	if err := os.WriteFile(deb, []byte(strings.Repeat("a package", 100_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(t.TempDir(), "epuck.txt")
	if err := os.WriteFile(settings, []byte("name = robot3\nros_domain = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	env := []string{"CARD_PACKAGE=" + deb, "VERSION=v9", "SOURCE_DATE_EPOCH=1700000000"}
	make := func(base, out string) string {
		t.Helper()
		text := command(t, env, "scripts/image", "--base", base, "--settings", settings, "--raw", "--out", out)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		return lines[len(lines)-1]
	}
	base := fakeBase(t, "# theirs\ncamera_auto_detect=1\n")
	first := make(base, out)
	read := func(image, path string) string {
		t.Helper()
		return command(t, []string{"MTOOLS_SKIP_CHECK=1"}, "mtype", "-i", image+"@@1M", "::/"+path)
	}
	if config := read(first, "config.txt"); !strings.HasPrefix(config, "# theirs\n") || strings.Count(config, "dtoverlay=epuck\n") != 1 {
		t.Error(config)
	}
	if text := read(first, "epuck.txt"); text != "name = robot3\r\nros_domain = 3\r\n" {
		t.Errorf("%q", text)
	}
	command(t, []string{"I=" + first, "D=" + out, "DEB=" + deb}, "sh", "-ec", `dd if="$I" of="$D/ext4" bs=512 skip=83968 count=49152 status=none
ask() { debugfs -R "$1" "$D/ext4" 2>/dev/null; }
ask "cat usr/lib/epuck-card/epuck-driver.deb" | cmp - "$DEB"
ask "cat etc/systemd/system/epuck-card.service" | cmp - deploy/card/epuck-card.service
ask "stat usr/sbin/epuck-card" | grep -q "Mode:  0755"
ask "stat usr/sbin/epuck-card" | grep -q "User:     0"
ask "stat etc/systemd/system/multi-user.target.wants/epuck-card-install.service" | grep -q "Type: symlink"
ask "stat etc/systemd/system/multi-user.target.wants/x" | grep -q "Type: regular"
ask "cat etc/systemd/journald.conf.d/epuck.conf" | grep -q Storage=volatile
ask "stat etc/systemd/system/swap.target" | grep -q 'Fast link dest: "/dev/null"'`)
	again := filepath.Join(out, "again")
	if a, b := sum(t, first), sum(t, make(base, again)); a != b {
		t.Errorf("two images of the same differ: %s, %s", a, b)
	}
	twice := make(first, filepath.Join(out, "twice"))
	if config := read(twice, "config.txt"); strings.Count(config, "dtoverlay=epuck\n") != 1 {
		t.Errorf("the second time:\n%s", config)
	}
}

// sum gives a file's sum.
func sum(t *testing.T, path string) string {
	t.Helper()
	out := command(t, nil, "sha256sum", path)
	return strings.Fields(out)[0]
}

// written makes a file.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// cutOff is a file without its end, as of a download that broke.
func cutOff(t *testing.T, path string) string {
	t.Helper()
	command(t, nil, "truncate", "-s", "-9M", path)
	return path
}

func TestImageRefusals(t *testing.T) {
	need(t, "image")
	blank := filepath.Join(t.TempDir(), "blank.img")
	if err := os.WriteFile(blank, make([]byte, 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "epuck.txt")
	if err := os.WriteFile(wrong, []byte("country = nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, words string }{
		{"--dance", "usage"},
		{"--settings " + wrong, "line 1, country"},
		{"--base " + blank, "no signature 55 AA"},
		{"--base /no/such.img", "is not a readable file"},
		{"--base " + written(t, "base.zip", "PK"), "unpack it"},
		{"--base " + written(t, "base.img.xz", "\xFD7zXZ\x00half"), "no whole .xz file"},
		{"--base " + written(t, "base.img.xz", "not at all"), "no whole .xz file"},
		{"--base " + fakeBase(t, "", "boot/config.txt"), "no config.txt in its first partition"},
		{"--base " + fakeBase(t, "", "root/etc/debian_version"), "no Debian in its second partition"},
		{"--base " + fakeBase(t, "", "root/usr/lib/ld-linux-armhf.so.3", "root/usr/lib/ld-linux-aarch64.so.1="), "is not of 32 bits"},
		{"--base " + fakeBase(t, "", "root/usr/lib/os-release=ID=debian\n"), "is Debian's own armhf (ARMv7)"},
		{"--board zero2w --settings " + wrong, "line 1, country"},
		{"--board zero3", "--board is zerow or zero2w"},
		{"--base " + fakeBase(t, "", "root/etc/fstab=PARTUUID=1-01 /boot vfat defaults 0 2\n"), "is older than Debian 12"},
		{"--base " + cutOff(t, fakeBase(t, "")), "ends before its second partition"},
		{"--base " + fakeBase(t, "") + " --settings deploy/card/epuck.txt --raw --out /proc/none", "cannot create"},
	} {
		out, err := attempt(t.Context(), []string{"CARD_PACKAGE=/dev/null"}, "scripts/image", strings.Fields(c.args)...)
		if err == nil || !strings.Contains(out, c.words) {
			t.Errorf("%s: %v, %s", c.args, err, out)
		}
	}
}

// TestOverlay: the overlay is applied to a device tree that has the paths of both kernels', and what the driver looks
// for is there.
func TestOverlay(t *testing.T) {
	need(t, "image")
	dir := t.TempDir()
	tree := `/dts-v1/; / { compatible = "brcm,bcm2835"; aliases { }; soc { #address-cells = <1>; #size-cells = <1>;
i2c@7e804000 { reg = <0x7e804000 0x1000>; status = "disabled"; }; usb@7e980000 { reg = <0x7e980000 0x10000>; dr_mode = "otg"; }; }; };`
	if err := os.WriteFile(filepath.Join(dir, "base.dts"), []byte(tree), 0o644); err != nil {
		t.Fatal(err)
	}
	command(t, []string{"D=" + dir}, "sh", "-ec", `dtc -q -I dts -O dtb -o "$D/base.dtb" "$D/base.dts"
dtc -@ -q -I dts -O dtb -o "$D/epuck.dtbo" deploy/overlay/epuck.dts
fdtoverlay -i "$D/base.dtb" -o "$D/all.dtb" "$D/epuck.dtbo"`)
	for path, want := range map[string]string{
		"/soc/i2c@7e804000 status":                      "okay",
		"/soc/i2c@7e804000 clock-frequency":             "100000",
		"/aliases i2c1":                                 "/soc/i2c@7e804000",
		"/soc/i2c@7e804000/i2c-mux@70 compatible":       "nxp,pca9548",
		"/soc/i2c@7e804000/i2c-mux@70/i2c@1 reg":        "1",
		"/soc/i2c@7e804000/i2c-mux@70/i2c@0/adc@48 reg": "72",
		"/soc/usb@7e980000 dr_mode":                     "host",
	} {
		args := append([]string{filepath.Join(dir, "all.dtb")}, strings.Fields(path)...)
		if got := strings.TrimSpace(command(t, nil, "fdtget", args...)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
