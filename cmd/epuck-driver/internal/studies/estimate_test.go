// SPDX-License-Identifier: Apache-2.0

//go:build system && !arm

package studies

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// estimated is a program of 3 million instructions that writes a word and ends with status 3.
const estimated = `
	.text
	.global _start
_start:	ldr r4, =1000000
1:	add r5, r5, #1
	subs r4, r4, #1
	bne 1b
	mov r0, #1
	ldr r1, =word
	mov r2, #6
	mov r7, #4
	svc #0
	mov r0, #3
	mov r7, #1
	svc #0
word:	.ascii "hello\n"
`

func TestEstimate(t *testing.T) {
	for _, tool := range []string{"arm-linux-gnueabi-gcc", "gcc", "qemu-arm", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "p.s"), filepath.Join(dir, "p")
	if err := os.WriteFile(source, []byte(estimated), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "arm-linux-gnueabi-gcc", "-nostdlib", "-static", "-marm", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	status, out, problem := study("estimate", "--json", "--against", "10s", "--radio", "--", program, "--json")
	var r armcost.Report
	if err := json.Unmarshal([]byte(out), &r); status != frame.ExitOK || err != nil {
		t.Fatalf("%d, %v: %s%s", status, err, out, problem)
	}
	if r.Status != 3 || len(r.Processes) != 1 || len(r.Processes[0].Threads) != 1 || r.Against != 10 || !strings.Contains(problem, "hello") {
		t.Errorf("%+v\n%s", r, problem)
	}
	if r.Total.Instructions < 3e6 || r.Total.Instructions > 3e6+20 || r.Total.Cycles.Likely < 2e6 || r.Total.Cycles.Likely > 2.1e6 {
		t.Errorf("%+v", r.Total)
	}
	if r.Share.Likely < 2e-4 || r.Share.Likely > 2.1e-4 || r.Board.Low < 5 || r.Board.High > 6.1 || r.Processor.Likely < 5e-4 || r.Processor.Likely > 5.4e-4 {
		t.Errorf("share %v, board %v J, processor %v J", r.Share, r.Board, r.Processor)
	}
	var text strings.Builder
	r.Share.Likely = 2
	if err := writeEstimate(&text, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"instructions", "time of the core", "share of the core in 10 s", "pipeline", "does not fit", "literature"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// TestEstimateCalibrate measures on an emulator, directly and through something that looks like ssh, and estimates with
// what came out.
func TestEstimateCalibrate(t *testing.T) {
	for _, tool := range []string{"arm-linux-gnueabi-gcc", "qemu-arm", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: scripts/setup.sh installs it (packages gcc, qemu-user, util-linux, gcc-arm-linux-gnueabi)", err)
		}
	}
	dir := t.TempDir()
	file, ssh := filepath.Join(dir, "pi.json"), filepath.Join(dir, "ssh")
	script := "#!/bin/sh\n[ \"$1\" = pi@robot ] || exit 9\nsh -c \"$(echo \"$2\" | sed 's/ \"$f\";/ qemu-arm -cpu arm1176 \"$f\";/')\"\n"
	if err := os.WriteFile(ssh, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if status, _, problem := study("estimate", "calibrate", "--host", "pi@robot", "--ssh", ssh, "--out", file); status != frame.ExitOK {
		t.Fatalf("%d: %s", status, problem)
	}
	p, err := armcost.ReadParameters(file)
	if err != nil || !strings.Contains(p.Source, "on pi@robot") || p.Parameters["kernel_call"].Source != p.Source || p.Parameters["power_core"].Source == p.Source {
		t.Errorf("%v: %+v", err, p)
	}
	status, out, problem := study("estimate", "calibrate", "--emulated")
	if e, err := armcost.ParseParameters([]byte(out)); status != frame.ExitOK || err != nil || !strings.Contains(e.Source, "mean nothing") {
		t.Errorf("%d, %v: %s%s", status, err, out, problem)
	}
	if status, _, problem := study("estimate", "calibrate", "--host", "pi@other", "--ssh", ssh); status != frame.ExitFailed || !strings.Contains(problem, "exit status 9") {
		t.Errorf("%d: %s", status, problem)
	}
	if status, _, _ := study("estimate", "calibrate"); status != frame.ExitUsage {
		t.Errorf("without a place: status %d", status)
	}
}

func TestEstimateRefuses(t *testing.T) {
	if status, _, _ := study("estimate"); status != frame.ExitUsage {
		t.Errorf("without a program: status %d", status)
	}
	if status, _, problem := study("estimate", "--parameters", filepath.Join(t.TempDir(), "x.json"), "--", os.Args[0]); status != frame.ExitFailed || !strings.Contains(problem, "x.json") {
		t.Errorf("status %d: %s", status, problem)
	}
}
