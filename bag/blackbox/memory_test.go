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
		"tiny":         {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096\n"}, 1},
		"no number":    {map[string]string{"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "0::/../../etc\n"}, maxCacheSetting},
		"cgroup v1":    {map[string]string{"proc/self/cgroup": "4:memory:/a\n"}, maxCacheSetting},
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
