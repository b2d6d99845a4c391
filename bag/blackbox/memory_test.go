// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"testing"
	"testing/fstest"
)

func TestCacheIsBoundedByTheMachineAndTheUnit(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing known": {nil, maxCacheSetting},
		"Pi Zero":       {map[string]string{"proc/meminfo": "MemTotal:         443080 kB\nMemFree: 1 kB\n"}, 54},
		"unit's limit": {map[string]string{
			"proc/meminfo": "MemTotal: 443080 kB\n", "proc/self/cgroup": "0::/system.slice/epuck-driver.service\n",
			"sys/fs/cgroup/system.slice/epuck-driver.service/memory.max": "134217728\n",
		}, 16},
		"limit of the slice": {map[string]string{
			"proc/self/cgroup":                       "0::/system.slice/epuck-driver.service\n",
			"sys/fs/cgroup/system.slice/memory.high": "83886080\n", "sys/fs/cgroup/system.slice/epuck-driver.service/memory.max": "max\n",
		}, 10},
		"tiny":      {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096\n"}, 1},
		"no number": {map[string]string{"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "0::/../../etc\n"}, maxCacheSetting},
		"cgroup v1 without a limit": {map[string]string{
			"proc/self/cgroup": "4:memory:/a\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n",
		}, maxCacheSetting},
		"cgroup v1": {map[string]string{
			"proc/meminfo": "MemTotal: 4000000 kB\n", "proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/a\n1:name=systemd:/x\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "134217728\n",
		}, 16},
		"cgroup v1, group above": {map[string]string{
			"proc/self/cgroup":                           "9:memory:/a/b\n0::/init.scope\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "83886080\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "134217728\n",
		}, 10},
		"cgroup v1, with swap": {map[string]string{
			"proc/self/cgroup": "4:memory:/a\n", "sys/fs/cgroup/memory/a/memory.memsw.limit_in_bytes": "167772160\n",
		}, 20},
		"cgroup v1, limit that cannot be seen": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/1\n", "proc/self/mountinfo": "36 25 0:31 /docker/1 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			"sys/fs/cgroup/memory/memory.stat": "cache 0\nhierarchical_memory_limit 134217728\n",
		}, 16},
		"cgroup v1 in a container": {map[string]string{
			"proc/self/cgroup": "4:memory:/docker/1\n", "proc/self/mountinfo": "36 25 0:31 /docker/1 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "134217728\n",
		}, 16},
		"cgroup v1 elsewhere, with v2": {map[string]string{
			"proc/self/cgroup":               "4:hugetlb,memory:/a\n0::/a\n",
			"proc/self/mountinfo":            "1 2 0:3 / /cg/mem rw - cgroup none rw,hugetlb,memory\n2 2 0:4 / /cg/unified rw - cgroup2 none rw\n",
			"cg/mem/a/memory.limit_in_bytes": "134217728\n", "cg/unified/a/memory.max": "max\n",
		}, 16},
		"cgroup v2 elsewhere": {map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": "2 2 0:4 / /cg/unified rw - cgroup2 none rw\n", "cg/unified/memory.max": "134217728\n",
		}, 16},
		"large server": {map[string]string{"proc/meminfo": "MemTotal: 263000000 kB\n"}, maxCacheSetting},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := maxCache(root); got != c.want {
			t.Errorf("%s: %d MiB, want %d", name, got, c.want)
		}
	}
}
