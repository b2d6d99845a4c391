// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestDispatch: help, errors of usage and their hints, and exit statuses.
func TestDispatch(t *testing.T) {
	for _, c := range []struct {
		args    []string
		status  int
		out     string // of standard output
		problem string // of standard error
	}{
		{nil, frame.ExitUsage, "", "epuck-driver sim"},
		{[]string{"help"}, frame.ExitOK, "epuck-driver drive", ""},
		{[]string{"--help"}, frame.ExitOK, "Usage:\n", ""},
		{[]string{"-h"}, frame.ExitOK, "Usage:\n", ""},
		{[]string{"sim", "--help"}, frame.ExitOK, "--world FILE", ""},
		{[]string{"sim", "--for", "1s", "-h", "--ros-args", "-p", "rate:=1"}, frame.ExitOK, "[--ros-args …]", ""},
		{[]string{"sim", "--help=ros"}, frame.ExitOK, "ROS arguments, behind --ros-args", ""},
		{[]string{"topic", "pub", "--help"}, frame.ExitOK, "--once", ""},
		{[]string{"topic"}, frame.ExitOK, "\n\nCommands:\n  bw ", ""},
		{[]string{"topc"}, frame.ExitUsage, "", "Did you mean this?\n\tstop\n\ttopic"},
		{[]string{"topic", "eco"}, frame.ExitUsage, "", "did you mean 'echo'?"},
		{[]string{"fly"}, frame.ExitUsage, "", `unknown command "fly" for "epuck-driver"`},
		{[]string{"version"}, frame.ExitOK, "epuck-driver ", ""},
		{[]string{"version", "now"}, frame.ExitUsage, "", `unexpected argument "now"`},
		{[]string{"sim", "--wings"}, frame.ExitUsage, "", "usage: epuck-driver sim [flags]"},
		{[]string{"man", "sim"}, frame.ExitOK, ".br\n.B epuck\\-driver sim\n", ""},
		{[]string{"man", "sim"}, frame.ExitOK, ".SS real\\-time factor and end\n", ""},
		{[]string{"man", "sim"}, frame.ExitOK, ".B \\-\\-set traci.allow= NETWORKS\n", ""},
		{[]string{"sim", "--world", "/no/such/world.yaml"}, frame.ExitFailed, "", "world.yaml"},
		{[]string{"sim", "--ros-args", "-r", "nonsense"}, frame.ExitUsage, "", "nonsense"},
		{[]string{"sim", "--web", "8080"}, frame.ExitUsage, "", "write --web=8080"},
		{[]string{"sim", "--traci", "localhost"}, frame.ExitUsage, "", "write --traci=localhost"},
		{[]string{"sim", "--wifi", "somewhere"}, frame.ExitUsage, "", "write --wifi=somewhere"},
		{[]string{"sim", "--webots", "here"}, frame.ExitUsage, "", "write --webots=here"},
		{[]string{"sim", "--web", "off", "--snapshot", "/no/such/folder/x.png"}, frame.ExitFailed, "", "/no/such/folder does not exist"},
		{[]string{"sim", "--traci", "127.0.0.1:0", "--real-time-factor", "2"}, frame.ExitUsage, "", "--traci"},
		{[]string{"sim", "--webots", "1234", "--real-time-factor", "2"}, frame.ExitUsage, "", "--webots"},
		{[]string{"sim", "--wifi", "127.0.0.1:0", "--real-time-factor", "2"}, frame.ExitUsage, "", "--wifi"},
		{[]string{"drive", "0.1", "0", "--for", "4"}, frame.ExitUsage, "", "write 4s"},
		{[]string{"drive", "1"}, frame.ExitUsage, "", "want two speeds"},
		{[]string{"run", "extra"}, frame.ExitUsage, "", `unexpected argument "extra"`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var out, problem bytes.Buffer
			if got := frame.Dispatch(context.Background(), frame.Streams{Out: &out, Err: &problem}, c.args, commandGroups()); got != c.status {
				t.Errorf("exit status %d, want %d", got, c.status)
			}
			if !strings.Contains(out.String(), c.out) || !strings.Contains(problem.String(), c.problem) {
				t.Errorf("stdout %q, stderr %q; want %q and %q in them", out.String(), problem.String(), c.out, c.problem)
			}
		})
	}
}
