// SPDX-License-Identifier: Apache-2.0

//go:build linux

package targetlevel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// memory is /proc/meminfo of a Raspberry Pi Zero W with 512 MiB, of which the GPU has 64, some time after its start.
// It is constant: a robot's programs do not compete for memory.
const memory = `MemTotal:         443080 kB
MemFree:          215200 kB
MemAvailable:     336400 kB
Buffers:           16400 kB
Cached:           148300 kB
SwapCached:            0 kB
SwapTotal:             0 kB
SwapFree:              0 kB
`

// writeRobotFiles writes the files that differ from this computer's: their content there depends on its other
// programs and its kernel, and programs that read them would not be reproducible. Robots with the same boot
// identifier would take each other for processes of one computer, and share memory. number distinguishes robots.
func writeRobotFiles(root string, seed uint64, number int) error {
	files := map[string]string{
		"proc/meminfo":                   memory,
		"proc/self/cgroup":               "0::/\n",
		"proc/self/mountinfo":            "21 1 179:2 / / rw,noatime - ext4 /dev/root rw\n",
		"proc/sys/kernel/random/boot_id": bootIdentifier(seed, number),
		"sys/kernel/mm/transparent_hugepage/hpage_pmd_size": "0\n", // a Pi Zero has none
	}
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(root, "sys", "class", "thermal"), 0o755)
}

// bootIdentifier returns a UUID of version 4, in the kernel's format, but reproducible.
func bootIdentifier(seed uint64, number int) string {
	b := sha256.Sum256(fmt.Appendf(nil, "boot of robot %d, seed %d", number, seed))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:16])
	return fmt.Sprintf("%s-%s-%s-%s-%s\n", h[:8], h[8:12], h[12:16], h[16:20], h[20:])
}
