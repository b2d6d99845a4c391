// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// loop is a body that a program repeats, after what sets it up; want is the cycles of a turn.
type loop struct {
	name, setup, body string
	turns             int
	want              float64
}

// A loop's turn is its body, a subtraction (1 cycle) and a branch back that is folded (0). want is what a turn takes by
// hand, from the tables of ARM DDI 0301H and the likely values of the parameters.
var loops = []loop{
	{"eight independent sums", "", "add r0,r0,#1\nadd r1,r1,#1\nadd r2,r2,#1\nadd r3,r3,#1\nadd r5,r5,#1\nadd r6,r6,#1\nadd r8,r8,#1\nadd r9,r9,#1", 4000, 8 + 1},
	{"eight sums in a chain", "", strings.Repeat("add r5,r5,#1\n", 8), 4000, 8 + 1},
	{"chain through the shifter: needed a cycle earlier", "", strings.Repeat("add r5,r6,r5,lsl #1\n", 4), 4000, 4 * 2},
	{"shifts by a register", "", strings.Repeat("mov r5,r6,lsl r8\n", 4), 4000, 4*2 + 1},
	{"load and use", "ldr r9,=buffer", strings.Repeat("ldr r5,[r9]\nadd r6,r5,#1\n", 2), 4000, 2*(3+1) + 1},
	{"load and use two later", "ldr r9,=buffer", strings.Repeat("ldr r5,[r9]\nadd r0,r0,#1\nadd r6,r5,#1\n", 2), 4000, 2*4 + 1},
	{"load of a byte and use", "ldr r9,=buffer", strings.Repeat("ldrb r5,[r9]\nadd r6,r5,#1\n", 2), 4000, 2*(3+1) + 1},
	{"multiplications", "", strings.Repeat("mul r5,r6,r8\n", 4), 4000, 4*2 + 1},
	{"multiplications in a chain", "", strings.Repeat("mul r5,r6,r5\n", 4), 4000, 4 * (4 + 1)},
	{"multiplications that accumulate in a chain", "", strings.Repeat("mla r5,r6,r8,r5\n", 4), 4000, 4*2 + 1},
	{"multiplications that set flags", "", strings.Repeat("muls r5,r6,r8\n", 2), 4000, 2*5 + 1},
	{"loads that write their base back", "ldr r9,=buffer", "mov r6,r9\n" + strings.Repeat("ldr r5,[r6],#4\n", 4), 4000, 1 + 1 + 4 + 1},
	{"loads by a shifted register", "ldr r9,=buffer\nmov r8,#0", strings.Repeat("ldr r5,[r9,r8,lsl #3]\n", 4), 4000, 4*2 + 1},
	{"long multiplications", "", strings.Repeat("umull r5,r3,r6,r8\n", 2), 4000, 2*3 + 1},
	{"multiplications of halves", "", strings.Repeat("smulbb r5,r6,r8\n", 4), 4000, 4 + 1},
	{"eight registers loaded", "ldr r9,=buffer", strings.Repeat("ldmia r9,{r0-r3,r5,r6,r8,r10}\n", 2), 4000, 2 * 4},
	{"eight registers stored", "ldr r9,=buffer", strings.Repeat("stmia r9,{r0-r3,r5,r6,r8,r10}\n", 2), 4000, 2 * 4},
	{"VFP sums in a chain", "", strings.Repeat("fadds s0,s0,s1\n", 4), 4000, 4 * 8},
	{"VFP products of doubles", "", strings.Repeat("fmuld d0,d1,d2\n", 4), 4000, 4 * 2},
	{"VFP products of doubles in a chain", "", strings.Repeat("fmuld d0,d0,d2\n", 2), 4000, 2 * 9},
	{"VFP division in a chain", "", "fdivs s0,s0,s1", 4000, 19},
	{"VFP divisions of doubles", "", "fdivd d0,d1,d2", 4000, 29},
	{"VFP comparison and its flags", "", "fcmps s0,s1\nfmstat\naddne r5,r5,#1", 4000, 4 + 2 + 1 + 1},
	{"branches not taken", "", "cmp r4,#0\nbeq 9f\nbeq 9f", 4000, 1 + 2*1 + 1},
	{"branch taken", "", "add r5,r5,#1\nb 2f\nnop\n2:", 4000, 1 + 0 + 1},
	{"branch taken every other time", "", "tst r4,#1\nbne 2f\nadd r5,r5,#1\n2:", 4000, 1 + 6 + 0.5 + 1},
	{"call and return", "", "bl bylink", 4000, 1 + 4 + 1},
	{"call and Go's return", "", "bl bysum", 4000, 1 + 5 + 1},
	{"call and return by the stack", "", "bl bystack", 4000, 1 + 1 + 4 + 1},
	{"pointers in the cache", "ldr r5,=self", strings.Repeat("ldr r5,[r5]\n", 4), 4000, 4 * 4},
	{"pointers out of the first cache", "ldr r0,=buffer\nldr r1,=2048\nmov r2,#32\nbl chain\nldr r5,=buffer", "ldr r5,[r5]", 20000, 4 + 44},
	{"pointers out of both caches", "ldr r0,=buffer\nldr r1,=32768\nmov r2,#32\nbl chain\nldr r5,=buffer", "ldr r5,[r5]", 80000, 4 + 44 + 112 + (8+80)/128.},
	{"pointers out of the micro-TLB", "ldr r0,=buffer\nmov r1,#32\nldr r2,=4128\nbl chain\nldr r5,=buffer", "ldr r5,[r5]", 40000, 4 + 8},
	{"pointers out of the TLB", "ldr r0,=buffer\nmov r1,#256\nldr r2,=4128\nbl chain\nldr r5,=buffer", "ldr r5,[r5]", 40000, 4 + 8 + 80},
	{"stores out of the cache", "ldr r0,=buffer+1200000\nldr r1,=4096\nmov r2,#32\nbl chain\nldr r6,=buffer+1200000", "str r5,[r6],#32", 4000, 10},
	{"code out of the cache", "", ".rept 8192\nadd r5,r5,#1\n.endr", 20, 8192 + 1024*44 + 1},
}

const loopsTail = `
bylink: bx lr
bysum:	add pc, lr, #0
bystack:
	str lr, [sp, #-4]!
	ldr pc, [sp], #4
@ chain makes a ring of r1 pointers, r2 bytes apart, from r0 on.
chain:	mov r3, r0
1:	add r12, r3, r2
	subs r1, r1, #1
	streq r0, [r3]
	strne r12, [r3]
	mov r3, r12
	bne 1b
	bx lr
	.data
	.balign 4096
self:	.word self
	.bss
	.balign 4096
buffer:	.space 8388608
`

// loopsProgram runs each loop three times to warm up, then between marks.
func loopsProgram(loops []loop) string {
	var s strings.Builder
	s.WriteString("\t.arch armv6\n\t.fpu vfp\n\t.arm\n\t.text\n\t.global _start\n_start:\n")
	for i, l := range loops {
		fmt.Fprintf(&s, "%s\nmov r4,#3\nbl loop%d\nmov r0,#0\nbl mark\nldr r4,=%d\nbl loop%d\nldr r1,=%d\nmov r0,#1\nbl mark\nb 8f\n.ltorg\n8:\n", l.setup, i, l.turns, i, i)
	}
	s.WriteString("mov r7,#1\nmov r0,#0\nsvc #0\n.ltorg\n" +
		"mark:\tpush {r0-r3}\nmov r7,#96\nldr r12,=0x45500000\nadd r0,r0,r12\nsvc #0\npop {r0-r3}\nbx lr\n.ltorg\n")
	for i, l := range loops {
		fmt.Fprintf(&s, "\t.balign 4096\nloop%d:\tmov r11,lr\n1:%s\nsubs r4,r4,#1\nbne 1b\n9:\tbx r11\n.ltorg\n", i, l.body)
	}
	return s.String() + loopsTail
}

// needs skips a test on the emulated robot, and fails it where tools are missing.
func needs(t testing.TB, tools ...string) {
	t.Helper()
	if runtime.GOARCH == "arm" {
		t.Skip("the emulator is for PCs, not for the emulated robot")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
}

// assembled makes a program of assembler.
func assembled(t testing.TB, dir, text string) string {
	t.Helper()
	source, program := filepath.Join(dir, "program.s"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-nostdlib", "-static", "-marm", "-o", program, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// counted runs a program with the model.
func counted(t testing.TB, program ...string) []Mark {
	t.Helper()
	return countedOn(t, literature(t), program...)
}

// countedOn runs a program with the model of a processor.
func countedOn(t testing.TB, p Parameters, program ...string) []Mark {
	t.Helper()
	dir := t.TempDir()
	plugin, err := p.BuildPlugin(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	e := Emulator{Plugin: plugin, Counts: filepath.Join(dir, "counts")}
	if out, err := e.Command(t.Context(), program...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(e.Counts)
	if err != nil {
		t.Fatal(err)
	}
	marks, err := ParseCounts(data)
	if err != nil {
		t.Fatal(err)
	}
	return marks
}

// hold compares the model's cycles of loops with what they should be, within a share of it.
func hold(t *testing.T, loops []loop, within float64) {
	t.Helper()
	needs(t, "gcc", "qemu-arm", "taskset", "arm-linux-gnueabi-gcc")
	p, err := Literature()
	if err != nil {
		t.Fatal(err)
	}
	marks := counted(t, assembled(t, t.TempDir(), loopsProgram(loops)))
	if len(marks) != len(loops)+1 {
		t.Fatalf("%d marks for %d loops", len(marks), len(loops))
	}
	for i, l := range loops {
		c := Sum(marks[i].Threads)
		got := p.Of(c).Cycles.Likely / float64(l.turns)
		t.Logf("%-50s %10.2f cycles a turn, by the table %8.1f", l.name, got, l.want)
		if marks[i].Name != strconv.Itoa(i) || got < (1-within)*l.want || got > (1+within)*l.want {
			t.Errorf("%s: %.2f cycles a turn, by the table %.1f: %v", l.name, got, l.want, c.Per(float64(l.turns)).Events)
		}
	}
}

// TestHandMadeLoops holds the model to the table, loop by loop.
func TestHandMadeLoops(t *testing.T) { hold(t, loops, 0.05) }
