// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import "testing"

// Names of partitions are the kernel's.
func TestPart(t *testing.T) {
	for name, want := range map[string]string{"mmcblk0": "/dev/mmcblk0p3", "mmcblk1": "/dev/mmcblk1p3", "sda": "/dev/sda3", "vdb": "/dev/vdb3"} {
		if got := (&sdCard{name: name}).part(3); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := readDisk("no-such-disk"); err == nil {
		t.Error("a disk that there is not")
	}
}
