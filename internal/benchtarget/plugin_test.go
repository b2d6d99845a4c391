// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// counted is a program whose instructions can be counted by hand: between its first two marks 2 instructions, 1000
// turns of a loop of 3, 1 more, 10 turns of 4 that call getpid, and the 4 that make the second mark. What comes between
// pause and resume is not to count, whatever it is.
const counted = `
	.macro mark op, arg
	mov r7, #96
	ldr r0, =(0x45500000 + \op)
	mov r1, #\arg
	svc #0
	.endm

	.text
	.global _start
_start:
	mark 0, 0
	mov r4, #1000
	mov r5, #0
1:	add r5, r5, #1
	subs r4, r4, #1
	bne 1b
	mov r4, #10
2:	mov r7, #20
	svc #0
	subs r4, r4, #1
	bne 2b
	mark 1, 7

	mark 0, 0
	mark 2, 0
	ldr r4, =12345
3:	subs r4, r4, #1
	bne 3b
	mov r7, #20
	svc #0
	mark 3, 0
	mark 1, 8
	mov r7, #1
	mov r0, #0
	svc #0
`

// TestPluginCountsExactly holds the plugin to that program, instruction by instruction.
func TestPluginCountsExactly(t *testing.T) {
	for _, tool := range []string{"arm-linux-gnueabi-gcc", "gcc", "qemu-arm", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("EPUCK_INTEROP") == "required" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	plugin, err := buildPlugin(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	source, program := filepath.Join(dir, "counted.s"), filepath.Join(dir, "counted")
	if err := os.WriteFile(source, []byte(counted), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := command(t.Context(), "", nil, "arm-linux-gnueabi-gcc", "-nostdlib", "-static", "-marm", "-o", program, source); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the same twice
		counts := runCounted(t.Context(), t, plugin, program, dir)
		if len(counts) != 3 {
			t.Fatalf("%d marks: %+v", len(counts), counts)
		}
		const loop, calls, end = 2 + 1000*3, 1 + 10*4, 4
		if c := counts[0]; c.times != 7 || c.instructions != loop+calls+end {
			t.Errorf("%+v, want %d instructions", c, loop+calls+end)
		}
		if n := counts[0].calls[20]; n != 10 || len(counts[0].calls) != 1 {
			t.Errorf("calls %v, want ten of getpid and no mark", counts[0].calls)
		}
		// From the first mark to the pause: the 4 of the pause; from the resume to the end: its 4.
		if c := counts[1]; c.times != 8 || c.instructions != 8 || len(c.calls) != 0 {
			t.Errorf("%+v, want 8 instructions: the pause counted", c)
		}
	}
}

func runCounted(ctx context.Context, t *testing.T, plugin, program, dir string) []count {
	t.Helper()
	marks := filepath.Join(dir, "marks")
	if out, err := (tools{}).emulator(ctx, plugin+",out="+marks, program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(marks)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counts, err := readMarks(f)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}
