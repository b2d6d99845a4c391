// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// memoryShare is the inverse of the share of the memory that the cache may use.
const memoryShare = 8

// maxCache returns the largest value of record.cache, MiB: an eighth of the memory that this process may use. That is
// the machine's (MemTotal in /proc/meminfo) or the smallest limit of its control groups (memory.max and memory.high of
// cgroup v2, which systemd sets by MemoryMax= and MemoryHigh=). root is the file system's root.
func maxCache(root fs.FS) int64 {
	limit := min(machineMemory(root), groupMemory(root))
	return min(max(limit/memoryShare/mega, 1), maxCacheSetting)
}

// machineMemory returns the bytes of the machine's memory; MaxInt64 if they are not known.
func machineMemory(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return math.MaxInt64
	}
	for line := range strings.Lines(string(text)) {
		rest, found := strings.CutPrefix(line, "MemTotal:")
		if !found {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 53)
		if err == nil {
			return kib << 10
		}
	}
	return math.MaxInt64
}

// groupMemory returns the smallest limit of the process' control group and those above it, bytes; MaxInt64 if there is
// none (Documentation/admin-guide/cgroup-v2.rst of the kernel).
func groupMemory(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(text)) {
		group, found := strings.CutPrefix(strings.TrimSpace(line), "0::/")
		if !found {
			continue
		}
		for at := path.Join("sys/fs/cgroup", path.Clean("/"+group)); strings.HasPrefix(at, "sys/fs/cgroup"); at = path.Dir(at) {
			for _, name := range []string{"memory.max", "memory.high"} {
				limit = min(limit, limitIn(root, path.Join(at, name)))
			}
		}
	}
	return limit
}

// limitIn reads a limit in bytes; "max" and anything that is not a number mean no limit.
func limitIn(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}
