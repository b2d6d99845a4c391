// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

func TestMain(m *testing.M) {
	if os.Getenv(listenerEnv) != "" {
		if err := listen(); err != nil {
			fmt.Fprintln(os.Stderr, "listener:", err)
			os.Exit(1)
		}
		return
	}
	if address := os.Getenv(viewerEnv); address != "" {
		if err := view(address); err != nil {
			fmt.Fprintln(os.Stderr, "viewer:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(programEnv) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"epuck-driver": main})
}

// TestScripts runs the program as a user does; testdata/script/*.txtar are the sessions.
func TestScripts(t *testing.T) {
	var scripts atomic.Int64
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// Loopback only, each script in a domain of its own.
			env.Setenv("ROS_LOCALHOST_ONLY", "1")
			env.Setenv("ROS_DOMAIN_ID", fmt.Sprint((int64(os.Getpid())*10+scripts.Add(1))%220+1))
			return nil
		},
	})
}

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
