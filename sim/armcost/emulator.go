// SPDX-License-Identifier: Apache-2.0

package armcost

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const (
	// GuestBase is the address of the emulated program's 4 GB in the emulator's memory.
	GuestBase uint64 = 0x100000000000
	// GuestSize is how much address space an ARMv6 program has, in bytes.
	GuestSize uint64 = 1 << 32
)

// Emulator runs programs as on the robot's one ARM1176. Its files are made by the caller.
type Emulator struct {
	Plugin  string // what BuildPlugin made; empty: nothing is counted
	Counts  string // file that the counts are appended to
	Profile string // file for the blocks that ran; may be empty
	Ask     string // FIFO that asks for the counts when it is opened to write and closed; may be empty
}

// Command is the program on one processor, so that its threads take turns as there.
func (e Emulator) Command(ctx context.Context, program ...string) *exec.Cmd {
	args := []string{"-c", firstProcessor(), "qemu-arm", "-cpu", "arm1176", "-B", strconv.FormatUint(GuestBase, 10)}
	if e.Plugin != "" {
		plugin := e.Plugin + ",out=" + e.Counts
		if e.Profile != "" {
			plugin += ",profile=" + e.Profile
		}
		if e.Ask != "" {
			plugin += ",ask=" + e.Ask
		}
		args = append(args, "-plugin", plugin)
	}
	return exec.CommandContext(ctx, "taskset", append(args, program...)...)
}

// firstProcessor is the number of a processor that this process may use.
func firstProcessor() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "0"
	}
	_, list, _ := strings.Cut(string(status), "\nCpus_allowed_list:")
	return strings.TrimSpace(list[:max(0, strings.IndexAny(list, ",-\n"))]) // such as 0-1 or 2,4
}
