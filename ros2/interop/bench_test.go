// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"os"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
)

// unpaced is the configuration of both our ends: pacing, which is for networks, is off.
func unpaced(domain uint32) rtps.Config {
	return rtps.Config{DomainID: domain, SendRate: 1 << 30, SendBurst: 1 << 22, RepairRate: 1 << 30}
}

// window bounds the samples in flight by the reader's socket buffer. The kernel doubles the requested size (1 MiB, if
// it grants that) and counts each datagram with its overhead, of which there is one for every 1344 bytes of a large
// sample.
func window(size int) (int, error) {
	text, err := os.ReadFile("/proc/sys/net/core/rmem_max")
	if err != nil {
		return 0, err
	}
	granted, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, err
	}
	const overhead = 1300
	datagrams := (size + 1343) / 1344
	return max(2*min(granted, 1<<20)*7/10/(size+datagrams*overhead), 2), nil
}

// benchPayload is CDR with size bytes after the encapsulation header.
func benchPayload(size int) []byte { return append([]byte{0, 1, 0, 0}, make([]byte, size)...) }
