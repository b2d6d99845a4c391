// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Command epuck-init is the first program on a robot's card, which the kernel starts from its initial archive. It
// finds the card, extends the data partition to the card's end, mounts the system read-only with the data partition
// as a layer over it (overlayfs), and starts systemd there. All changes are written to the data partition; if that
// can't be used they are kept in memory, and /run/epuck-card/damaged has the reason.
//
// The kernel argument epuck.disk=ID is the identifier in the card's partition table, hexadecimal.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, "epuck-init:", err)
	}
	time.Sleep(time.Minute) // keeps the message visible; the kernel then panics, and restarts after panic= seconds
}

// Mount points before the system's own root is mounted.
const (
	lower = "/lower" // the system as it was written to the card
	data  = "/data"  // the data partition
	root  = "/root"  // the overlay of both
)

// start mounts the system and executes its init; it returns only if that fails.
func start() error {
	for _, m := range [][3]string{{"devtmpfs", "/dev", ""}, {"proc", "/proc", ""}, {"sysfs", "/sys", ""}, {"tmpfs", "/run", "mode=0755"}} {
		if err := mount(m[0], m[1], m[0], 0, m[2]); err != nil {
			return err
		}
	}
	if err := loadModules("/modules"); err != nil {
		return err
	}
	id, err := diskID()
	if err != nil {
		return err
	}
	card, err := findDisk(id)
	if err != nil {
		return err
	}
	grown := card.grow()
	if err := mount(card.part(2), lower, "squashfs", syscall.MS_RDONLY|syscall.MS_NOATIME, ""); err != nil {
		return err
	}
	if err := errors.Join(grown, card.mountData()); err != nil {
		if err := withoutData(err); err != nil {
			return err
		}
	}
	if err := mount("overlay", root, "overlay", syscall.MS_NOATIME, "lowerdir="+lower+",upperdir="+data+"/upper,workdir="+data+"/work"); err != nil {
		return err
	}
	const options = "umask=022,iocharset=ascii"
	if err := mount(card.part(1), root+"/boot/firmware", "vfat", syscall.MS_RDONLY|syscall.MS_NOATIME, options); err != nil {
		fmt.Fprintln(os.Stderr, "epuck-init:", err) // not required for driving
	}
	return enter()
}

// withoutData mounts a tmpfs instead of the data partition and records the reason.
func withoutData(why error) error {
	fmt.Fprintln(os.Stderr, "epuck-init: the data partition can't be used:", why)
	if err := os.MkdirAll("/run/epuck-card", 0o755); err != nil {
		return err
	}
	if err := os.WriteFile("/run/epuck-card/damaged", []byte(why.Error()+"\n"), 0o644); err != nil {
		return err
	}
	_ = syscall.Unmount(data, 0)
	if err := mount("tmpfs", data, "tmpfs", syscall.MS_NOATIME, "size=128m,mode=0755"); err != nil {
		return err
	}
	return layers()
}

// layers creates the folders that overlayfs requires.
func layers() error {
	return errors.Join(os.MkdirAll(data+"/upper", 0o755), os.MkdirAll(data+"/work", 0o755))
}

// enter switches the root to the mounted system and executes its init.
func enter() error {
	_ = os.RemoveAll("/modules") // frees the memory of the archive
	_ = os.Remove("/init")
	for _, dir := range []string{"/dev", "/proc", "/sys", "/run"} {
		if err := syscall.Mount(dir, root+dir, "", syscall.MS_MOVE, ""); err != nil {
			return fmt.Errorf("moving %s: %w", dir, err)
		}
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := syscall.Mount(".", "/", "", syscall.MS_MOVE, ""); err != nil {
		return fmt.Errorf("moving the root: %w", err)
	}
	if err := syscall.Chroot("."); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return syscall.Exec("/sbin/init", []string{"/sbin/init"}, []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "TERM=linux"})
}

// mount creates the mount point and mounts a file system.
func mount(what, where, kind string, flags uintptr, options string) error {
	if err := os.MkdirAll(where, 0o755); err != nil {
		return err
	}
	if err := syscall.Mount(what, where, kind, flags, options); err != nil && !errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("mounting %s at %s: %w", what, where, err)
	}
	return nil
}

// loadModules loads kernel modules in the order of their names; a module that can't be loaded on this machine is
// skipped.
func loadModules(dir string) error {
	files, err := filepath.Glob(dir + "/*.ko")
	if err != nil {
		return err
	}
	for _, file := range files {
		image, err := os.ReadFile(file)
		if err == nil {
			err = initModule(image)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "epuck-init: %s: %v\n", file, err)
		}
	}
	return nil
}

// diskID reads the identifier of the card from the kernel's arguments.
func diskID() (uint32, error) {
	line, err := os.ReadFile("/proc/cmdline")
	if err != nil {
		return 0, err
	}
	return diskOf(string(line))
}

// diskOf returns the identifier of the card from the kernel's arguments.
func diskOf(line string) (uint32, error) {
	for _, word := range strings.Fields(line) {
		if text, ok := strings.CutPrefix(word, "epuck.disk="); ok {
			id, err := strconv.ParseUint(text, 16, 32)
			return uint32(id), err
		}
	}
	return 0, errors.New("no epuck.disk= among the kernel's arguments")
}
