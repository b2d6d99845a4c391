// SPDX-License-Identifier: Apache-2.0

//go:build system

package armcost

import (
	"strings"
	"testing"
)

// The sequences of ARM DDI 0301H that it states the cycles of: table 16-3 and section 16.12.3, word by word.
var statedSequences = []struct {
	name, sequence string
	cycles         int
}{
	{"no dependency", "ldr r1,[r2]\nadd r6,r5,r8", 2},
	{"sum of a sum", "add r1,r2,r3\nadd r9,r6,r1", 2},
	{"sum of a loaded register", "ldr r1,[r2]\nadd r6,r5,r1", 4},
	{"load by a sum: Early Reg", "add r1,r5,r6\nldr r3,[r1]", 3},
	{"load by a loaded register", "ldr r1,[r2]\nldr r5,[r1]", 5},
	{"sum of the third register of a multiple load", "ldmia r0,{r1,r3,r5,r6,r7,r8,r9}\nadd r10,r10,r5", 5},
	{"write of the sixth register of a multiple store", "stmia r0,{r1,r3,r5,r6,r7,r8,r9}\nadd r8,r10,r12", 5},
}

// Rows of table 16-10: cycles, cycles if flags are set, result latency of the low and of the high half. The registers
// are r5 (or r5 low and r6 high) for the result and r8, r9 for the factors.
var statedProducts = []struct {
	instruction        string
	cycles, withFlags  int
	latency, ofTheHigh int
}{
	{"mul r5,r8,r9", 2, 5, 4, 0},
	{"mla r5,r8,r9,r7", 2, 5, 4, 0},
	{"smull r5,r6,r8,r9", 3, 6, 4, 5},
	{"umull r5,r6,r8,r9", 3, 6, 4, 5},
	{"smlal r5,r6,r8,r9", 3, 6, 4, 5},
	{"umlal r5,r6,r8,r9", 3, 6, 4, 5},
	{"smulbb r5,r8,r9", 1, 0, 3, 0},
	{"smlabb r5,r8,r9,r7", 1, 0, 3, 0},
	{"smulwb r5,r8,r9", 1, 0, 3, 0},
	{"smlawb r5,r8,r9,r7", 1, 0, 3, 0},
	{"smlalbb r5,r6,r8,r9", 2, 0, 3, 4},
	{"smuad r5,r8,r9", 1, 0, 3, 0},
	{"smlad r5,r8,r9,r7", 1, 0, 3, 0},
	{"smusd r5,r8,r9", 1, 0, 3, 0},
	{"smmul r5,r8,r9", 2, 0, 4, 0},
	{"smmla r5,r8,r9,r7", 2, 0, 4, 0},
	{"smlald r5,r6,r8,r9", 2, 0, 3, 4},
}

// apart separates repetitions, so that no result of one is waited for in the next.
const (
	apart      = "\nmov r11,r11\nmov r11,r11\nmov r11,r11\nmov r11,r11\nmov r11,r11\nmov r11,r11\nmov r11,r11\nmov r11,r11"
	apartTakes = 8
)

// alone is a loop whose turn is a sequence of so many cycles, with nothing left over from the turn before.
func alone(name, sequence string, cycles int) loop {
	setup := "ldr r0,=buffer\nldr r1,=buffer\nldr r2,=self\nmov r5,r1\nmov r6,#0"
	return loop{name, setup, "ldr r1,=buffer\nldr r0,=buffer" + apart + "\n" + sequence + apart, 1000, float64(2 + 2*apartTakes + cycles + 1)}
}

// TestInterlocksAreThoseOfTheManual compares sequences with the cycles that the manual of the ARM1176 states for them.
func TestInterlocksAreThoseOfTheManual(t *testing.T) {
	var all []loop
	for _, s := range statedSequences {
		all = append(all, alone(s.name, s.sequence, s.cycles))
	}
	for _, p := range statedProducts {
		name, _, _ := strings.Cut(p.instruction, " ")
		all = append(all,
			alone(name, p.instruction, p.cycles),
			alone(name+" and its sum", p.instruction+"\nadd r10,r10,r5", p.latency+1),
			alone(name+" and its product: Early Reg", p.instruction+"\nmul r10,r5,r7", p.latency+1+2),
			alone(name+" accumulated: a cycle sooner, Late Reg", p.instruction+"\nsmlabb r10,r8,r9,r5", max(p.latency-2, p.cycles)+1))
		if p.withFlags > 0 {
			all = append(all, alone(name+"s", strings.Replace(p.instruction, name, name+"s", 1), p.withFlags))
		}
		if p.ofTheHigh > 0 {
			all = append(all, alone(name+" and the sum of its high half", p.instruction+"\nadd r10,r10,r6", p.ofTheHigh+1))
		}
	}
	hold(t, all, 0.02) // a cycle is 4 %
}
