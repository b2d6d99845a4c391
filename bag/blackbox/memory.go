// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// memoryShare is the inverse of the share of the memory that the cache may use.
const memoryShare = 8

// maxCache returns the largest value of record.cache, MiB: an eighth of the memory that this process may use. That is
// the machine's (MemTotal in /proc/meminfo) or the smallest limit of its control groups: memory.max and memory.high of
// cgroup v2, which systemd sets by MemoryMax= and MemoryHigh=, or memory.limit_in_bytes, memory.memsw.limit_in_bytes
// and hierarchical_memory_limit of cgroup v1. root is the file system's root.
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
// none (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of the kernel). A machine has the controller
// of the memory in one of the two hierarchies.
func groupMemory(root fs.FS) int64 {
	limit := int64(math.MaxInt64)
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return limit
	}
	for line := range strings.Lines(string(text)) {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, found := strings.Cut(rest, ":")
		switch {
		case !found:
		case number == "0" && controllers == "":
			for _, m := range mounts(root, "cgroup2", "", "sys/fs/cgroup") {
				limit = min(limit, m.limit(root, group, "memory.max", "memory.high"))
			}
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			for _, m := range mounts(root, "cgroup", "memory", "sys/fs/cgroup/memory") {
				limit = min(limit, m.limit(root, group, "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
					hierarchicalLimit(root, m.folder(group)))
			}
		}
	}
	return limit
}

// mount is where a hierarchy of control groups is mounted.
type mount struct {
	root string // the group that the mount shows, "/" or that of a container
	at   string // folder
}

// mounts returns where a hierarchy is mounted by /proc/self/mountinfo: of a type of file system with an option; usual
// if nothing is known.
func mounts(root fs.FS, kind, option, usual string) (list []mount) {
	text, _ := fs.ReadFile(root, "proc/self/mountinfo") // usual, without it
	for line := range strings.Lines(string(text)) {
		left, right, _ := strings.Cut(line, " - ")
		place, device := strings.Fields(left), strings.Fields(right)
		if len(place) < 5 || len(device) < 3 || device[0] != kind ||
			option != "" && !slices.Contains(strings.Split(device[2], ","), option) {
			continue
		}
		list = append(list, mount{place[3], strings.TrimPrefix(path.Clean(place[4]), "/")})
	}
	if len(list) == 0 {
		list = []mount{{"/", usual}}
	}
	return list
}

// folder returns the folder of a group; that of the mount if the mount does not show the group.
func (m mount) folder(group string) string {
	group = path.Clean("/" + group)
	if m.root != "/" {
		below, found := strings.CutPrefix(group, m.root)
		if !found || below != "" && below[0] != '/' {
			return m.at
		}
		group = "/" + below
	}
	return path.Join(m.at, group)
}

// limit returns the smallest limit in files with the names, of a group and those above it.
func (m mount) limit(root fs.FS, group string, names ...string) int64 {
	limit := int64(math.MaxInt64)
	for at := m.folder(group); at == m.at || strings.HasPrefix(at, m.at+"/"); at = path.Dir(at) {
		for _, name := range names {
			limit = min(limit, limitIn(root, path.Join(at, name)))
		}
	}
	return limit
}

// hierarchicalLimit returns the limit of a group of cgroup v1 with those above it, also where these cannot be seen, as
// in a container.
func hierarchicalLimit(root fs.FS, folder string) int64 {
	text, err := fs.ReadFile(root, path.Join(folder, "memory.stat"))
	if err != nil {
		return math.MaxInt64
	}
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "hierarchical_memory_limit "); found {
			return bytesOf(value)
		}
	}
	return math.MaxInt64
}

// limitIn reads a limit in bytes; "max" and anything that is not a number mean no limit.
func limitIn(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return math.MaxInt64
	}
	return bytesOf(string(text))
}

func bytesOf(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}
