// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// simExample is an example of the simulation in a document or in the help: up to a comment, a quote or a pipe.
var simExample = regexp.MustCompile("(?m)(?:^|`)[ \t]*(?:[>$] )?epuck-driver (sim(?: [^`#&|>\n]*)?)")

// continuedLine is the end of a line that a backslash continues.
var continuedLine = regexp.MustCompile(`[ ]*\\\n[ ]*`)

// notHere are what an example needs that is not on every machine: root, files of the reader, other programs, or a
// simulation that runs already; or that it starts no simulation.
var notHere = regexp.MustCompile(`--help|i2c-device|mine\.|(varied|deep|alias)\.yaml|my-robot\.zip|--restore|[= ]target|target\.|sim (spawn|list|delete|pause|step|resume|reset|state|schema|faults|order-diff)|--replay|order-replay|…|\[(flags|COMMAND|N\]|all)`)

// simExamples are the examples of README, docs and help, each once.
func simExamples(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../README.md") { // docs/reference/commands.md is the help
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range simExample.FindAllStringSubmatch(continuedLine.ReplaceAllString(string(data), " "), -1) {
			if line := strings.Join(strings.Fields(m[1]), " "); !notHere.MatchString(line) && !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	return all
}

// TestExamplesOfTheSimulationRun: every example of the simulation in README, docs and help runs for a simulated second;
// where others control time, until it waits for them.
func TestExamplesOfTheSimulationRun(t *testing.T) {
	if os.Getenv(armEnv) != "" {
		t.Skip("the robot's program has no fleets")
	}
	all := simExamples(t)
	must := []string{
		"sim --robots 100 --level functional",
		"sim --set 'robots[0].imu=icm20948' --set 'arena.size=[2, 1]'",
		"sim --world empty --robots 1000 --level functional --controller avoid --real-time-factor max --for 1m",
	}
	for _, line := range must {
		if !slices.Contains(all, line) {
			t.Errorf("the example %q is not found", line)
		}
	}
	if !suite.Long {
		all = must
	} else if len(all) < 20 {
		t.Errorf("only %d examples: the search is broken", len(all))
	}
	for _, line := range all {
		t.Run(line, func(t *testing.T) { runExample(t, line) })
	}
}

// runExample runs an example, cut to a second.
func runExample(t *testing.T, line string) {
	t.Helper()
	args := splitWords(line)
	held := slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains([]string{"--order", "--traci", "--webots", "--wifi"}, strings.SplitN(a, "=", 2)[0])
	})
	for flag, value := range map[string]string{"--for": "1s", "--at": "500ms", "--web": "off"} {
		switch i := slices.Index(args, flag); {
		case i > 0:
			args[i+1] = value
		case flag != "--at":
			args = slices.Insert(args, 1, flag, value)
		}
	}
	p := prepare(t)
	p.cmd = p.command(args...)
	p.cmd.Dir = t.TempDir()
	var problems strings.Builder
	p.cmd.Stderr = &problems
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err == nil && held {
		p.signal(syscall.SIGINT)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Error(err)
	}
	err = p.cmd.Wait()
	if waited := strings.Contains(problems.String(), "no callback has run"); waited && slices.Contains(args, "--members") {
		return // the members never came, and there is no log
	}
	if err != nil || p.cmd.ProcessState.ExitCode() != frame.ExitOK {
		t.Errorf("%v\n%s", err, problems.String())
	}
}
