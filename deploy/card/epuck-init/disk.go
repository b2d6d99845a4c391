// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/epuck-ros2/epuck-driver/deploy/card/disk"
)

// diskTimeout is the time-out for the card to appear.
const diskTimeout = 30 * time.Second

// sdCard is the card that the system is on.
type sdCard struct {
	name    string // mmcblk0
	table   disk.Table
	sectors uint64
}

// part returns the device file of partition n, from 1.
func (c *sdCard) part(n int) string {
	if last := c.name[len(c.name)-1]; last >= '0' && last <= '9' {
		return fmt.Sprintf("/dev/%sp%d", c.name, n)
	}
	return fmt.Sprintf("/dev/%s%d", c.name, n)
}

// findDisk waits for the disk with an identifier.
func findDisk(id uint32) (*sdCard, error) {
	for end := time.Now().Add(diskTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		names, err := filepath.Glob("/sys/block/*")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			c, err := readDisk(filepath.Base(name))
			if err == nil && c.table.ID == id && c.table.Parts[2].Kind != 0 {
				if _, err := os.Stat(c.part(3)); err == nil {
					return c, nil
				}
			}
		}
	}
	return nil, fmt.Errorf("no disk with the identifier %08x", id)
}

// readDisk reads a disk's partition table.
func readDisk(name string) (*sdCard, error) {
	size, err := os.ReadFile("/sys/block/" + name + "/size")
	if err != nil {
		return nil, err
	}
	sectors, err := strconv.ParseUint(strings.TrimSpace(string(size)), 10, 64)
	if err != nil || sectors == 0 {
		return nil, errors.Join(err, errors.New("no medium"))
	}
	f, err := os.Open("/dev/" + name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	first := make([]byte, disk.SectorSize)
	if _, err := io.ReadFull(f, first); err != nil {
		return nil, err
	}
	table, err := disk.Parse(first)
	return &sdCard{name, table, sectors}, err
}

// grow extends the data partition to the end of the card. A single sector is written, so a power cut leaves the old
// or the new table.
func (c *sdCard) grow() (err error) {
	if !c.table.Grow(2, c.sectors) {
		return nil
	}
	f, err := os.OpenFile("/dev/"+c.name, os.O_RDWR|syscall.O_SYNC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	first := make([]byte, disk.SectorSize)
	if _, err := io.ReadFull(f, first); err != nil {
		return err
	}
	c.table.Put(first)
	if _, err := f.WriteAt(first, 0); err != nil {
		return err
	}
	const reread = 0x125F // BLKRRPART
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), reread, 0); e != 0 {
		return fmt.Errorf("rereading the partition table: %w", e)
	}
	for end := time.Now().Add(diskTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(c.part(3)); err == nil {
			return nil
		}
	}
	return errors.New("the partitions did not reappear")
}

// mountData repairs the data partition if necessary, mounts it and extends its file system to the partition's size.
func (c *sdCard) mountData() error {
	if err := mount("devtmpfs", lower+"/dev", "devtmpfs", 0, ""); err != nil {
		return err
	}
	check := exec.Command("/sbin/e2fsck", "-p", c.part(3)) //nolint:noctx // there is nothing else to do meanwhile
	check.Dir, check.Stdout, check.Stderr = "/", os.Stderr, os.Stderr
	check.SysProcAttr = &syscall.SysProcAttr{Chroot: lower}
	err := check.Run()
	_ = syscall.Unmount(lower+"/dev", 0)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() < 4 { // 1: repaired, 2: repaired, remount needed
		err = nil
	}
	if err != nil {
		return fmt.Errorf("e2fsck: %w", err)
	}
	if err := mount(c.part(3), data, "ext4", syscall.MS_NOATIME, ""); err != nil {
		return err
	}
	if err := c.fill(); err != nil {
		fmt.Fprintln(os.Stderr, "epuck-init: the data partition's file system was not extended:", err)
	}
	return layers()
}

// fill extends the mounted file system of the data partition to the partition's size. The kernel journals that: a
// power cut leaves the old or the new size.
func (c *sdCard) fill() error {
	const blockSize = 4096
	f, err := os.Open(c.part(3))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var super [8]byte // s_inodes_count, s_blocks_count_lo
	if _, err := f.ReadAt(super[:], 1024); err != nil {
		return err
	}
	want := uint64(c.table.Parts[2].Count) * disk.SectorSize / blockSize
	if uint64(binary.LittleEndian.Uint32(super[4:])) >= want {
		return nil
	}
	at, err := os.Open(data)
	if err != nil {
		return err
	}
	defer func() { _ = at.Close() }()
	const resize = 0x40086610 // EXT4_IOC_RESIZE_FS
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, at.Fd(), resize, uintptr(unsafe.Pointer(&want))); e != 0 {
		return fmt.Errorf("growing to %d blocks: %w", want, e)
	}
	return nil
}

// initModule loads a kernel module.
func initModule(image []byte) error {
	if len(image) == 0 {
		return errors.New("the file is empty")
	}
	none := []byte{0}
	_, _, e := syscall.Syscall(syscall.SYS_INIT_MODULE, uintptr(unsafe.Pointer(&image[0])), uintptr(len(image)), uintptr(unsafe.Pointer(&none[0])))
	if e != 0 {
		return e
	}
	return nil
}
