// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// markedProgram can be counted by hand: between its first two marks 2 instructions, 1000 turns of a loop of 3, 1 more,
// 10 turns of 4 that call getpid, and the 4 that make the second mark. What comes between pause and resume is not to
// count. Then a child executes 100 turns of 2, and ends.
const markedProgram = `
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

	mov r7, #2
	svc #0
	cmp r0, #0
	bne 5f
	mov r4, #100
4:	subs r4, r4, #1
	bne 4b
	b 6f
5:	mvn r0, #0
	mov r1, #0
	mov r2, #0
	mov r3, #0
	mov r7, #114
	svc #0
6:	mov r7, #1
	mov r0, #0
	svc #0
`

// TestPluginCountsExactly holds the plugin to that program, instruction by instruction.
func TestPluginCountsExactly(t *testing.T) {
	needs(t, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	marks := counted(t, assembled(t, t.TempDir(), markedProgram))
	if len(marks) != 4 {
		t.Fatalf("%+v", marks)
	}
	const loop, calls, end = 2 + 1000*3, 1 + 10*4, 4
	c := Sum(marks[0].Threads)
	if marks[0].Name != "7" || c.Events["instructions"] != loop+calls+end {
		t.Errorf("%+v, want %d instructions", marks[0], loop+calls+end)
	}
	if diff := cmp.Diff(map[int]float64{20: 10}, c.Calls); diff != "" {
		t.Errorf("ten calls of getpid and no mark: -want +got:\n%s", diff)
	}
	// From the first mark to the pause: the 4 of the pause; from the resume to the end: its 4.
	if c := Sum(marks[1].Threads); marks[1].Name != "8" || c.Events["instructions"] != 8 || len(c.Calls) != 0 {
		t.Errorf("%+v, want 8 instructions: the pause counted", marks[1])
	}
	child, parent := marks[2], marks[3] // the parent waits for it
	if child.Name != "exit" || parent.Name != "exit" || child.Process == parent.Process || parent.Process != marks[0].Process {
		t.Fatalf("%+v, %+v", child, parent)
	}
	if c := Sum(child.Threads); c.Events["instructions"] != 2+1+200+1+3 || c.Calls[1] != 1 || len(c.Calls) != 1 {
		t.Errorf("the child: %+v", c)
	}
	if c := Sum(parent.Threads); c.Events["instructions"] != 8+2+2+6+3 || c.Calls[1] != 1 || c.Calls[2] != 1 || c.Calls[114] != 1 {
		t.Errorf("the parent: %+v", c)
	}
}

// BenchmarkModel compares qemu-arm with the model to qemu-arm alone, by the time that the loops take.
func BenchmarkModel(b *testing.B) {
	needs(b, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	program := assembled(b, b.TempDir(), mixedProgram)
	plugin, err := BuildPlugin(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	seconds := func(e Emulator) float64 {
		cmd := e.Command(b.Context(), program)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	alone, model := 0.0, 0.0
	for b.Loop() {
		alone += seconds(Emulator{})
		model += seconds(Emulator{Plugin: plugin, Counts: "/dev/null"})
	}
	b.ReportMetric(model/alone, "times-slower")
	b.ReportMetric(float64(b.N)*mixedInstructions/model/1e6, "MIPS")
}

// mixedProgram is what ordinary code is made of: loads, stores, a call, branches; 12.75 instructions a turn.
const (
	mixedInstructions = 5e6 * 12.75
	mixedProgram      = `
	.text
	.global _start
_start:	ldr r4, =5000000
	ldr r9, =buffer
1:	ldr r5, [r9]
	add r5, r5, #1
	str r5, [r9, #64]
	ands r6, r4, #3
	beq 2f
	add r5, r5, r6, lsl #2
2:	ldrb r6, [r9, r6]
	bl f
	subs r4, r4, #1
	bne 1b
	mov r7, #1
	mov r0, #0
	svc #0
f:	str lr, [sp, #-4]!
	eor r5, r5, r6
	ldr pc, [sp], #4
	.bss
buffer:	.space 4096
`
)
