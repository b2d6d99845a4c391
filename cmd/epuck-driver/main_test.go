// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/ros2/shell"
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
		{nil, exitUsage, "", "epuck-driver sim"},
		{[]string{"help"}, exitOK, "epuck-driver drive", ""},
		{[]string{"--help"}, exitOK, "Usage:\n", ""},
		{[]string{"-h"}, exitOK, "Usage:\n", ""},
		{[]string{"sim", "--help"}, exitOK, "--world FILE", ""},
		{[]string{"sim", "--for", "1s", "-h", "--ros-args", "-p", "rate:=1"}, exitOK, "ROS arguments", ""},
		{[]string{"topic", "pub", "--help"}, exitOK, "--once", ""},
		{[]string{"topic"}, exitOK, "Available Commands", ""},
		{[]string{"topc"}, exitUsage, "", "Did you mean this?\n\tstop\n\ttopic"},
		{[]string{"topic", "eco"}, exitUsage, "", "did you mean 'echo'?"},
		{[]string{"fly"}, exitUsage, "", `unknown command "fly" for "epuck-driver"`},
		{[]string{"version"}, exitOK, "epuck-driver ", ""},
		{[]string{"version", "now"}, exitUsage, "", `unexpected argument "now"`},
		{[]string{"sim", "--wings"}, exitUsage, "", "wings"},
		{[]string{"sim", "--world", "/no/such/world.yaml"}, exitFailed, "", "world.yaml"},
		{[]string{"sim", "--ros-args", "-r", "nonsense"}, exitUsage, "", "nonsense"},
		{[]string{"drive", "1"}, exitUsage, "", "want two speeds"},
		{[]string{"run", "extra"}, exitUsage, "", `unexpected argument "extra"`},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var out, problem bytes.Buffer
			if got := dispatch(context.Background(), streams{out: &out, err: &problem}, c.args); got != c.status {
				t.Errorf("exit status %d, want %d", got, c.status)
			}
			if !strings.Contains(out.String(), c.out) || !strings.Contains(problem.String(), c.problem) {
				t.Errorf("stdout %q, stderr %q; want %q and %q in them", out.String(), problem.String(), c.out, c.problem)
			}
		})
	}
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitOK}, {context.Canceled, exitOK}, {fmt.Errorf("x: %w", context.Canceled), exitOK},
		{usagef("no"), exitUsage}, {errors.New("broken"), exitFailed},
	} {
		var out bytes.Buffer
		p := &program{streams: streams{err: &out}}
		if got := p.report(&cobra.Command{Use: "x"}, c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

func TestParseDrive(t *testing.T) {
	for _, c := range []struct {
		args string
		want drivePlan
		bad  string
	}{
		{"0.1 0.5", drivePlan{0.1, 0.5, 2 * time.Second}, ""},
		{"-0.1 -.5 --for 3s", drivePlan{-0.1, -0.5, 3 * time.Second}, ""},
		{"--for=500ms 1 2", drivePlan{1, 2, 500 * time.Millisecond}, ""},
		{"-for 1m 0 -1", drivePlan{0, -1, time.Minute}, ""},
		{"", drivePlan{}, "two speeds"}, {"1 2 3", drivePlan{}, "two speeds"}, {"fast 1", drivePlan{}, `"fast"`},
		{"NaN 0", drivePlan{}, `"NaN"`}, {"0 Inf", drivePlan{}, `"Inf"`}, {"0 0 --for", drivePlan{}, "needs an argument"},
		{"0 0 --for -1s", drivePlan{}, "above zero"}, {"0 0 --for soon", drivePlan{}, `"soon"`},
	} {
		var got drivePlan
		err := parseWith(t, &got, c.args)
		if c.bad == "" && (err != nil || got != c.want) {
			t.Errorf("%q: %+v, %v; want %+v", c.args, got, err, c.want)
		}
		if c.bad != "" && (err == nil || !strings.Contains(err.Error(), c.bad)) {
			t.Errorf("%q: error %v, want one with %q", c.args, err, c.bad)
		}
	}
}

// parseWith reads the arguments of drive.
func parseWith(t *testing.T, plan *drivePlan, args string) error {
	t.Helper()
	root, cmd := &cobra.Command{Use: "epuck-driver"}, &cobra.Command{Use: "drive", Args: plan.arguments}
	cmd.RunE = func(*cobra.Command, []string) error { return nil }
	root.SilenceErrors, root.SilenceUsage = true, true
	plan.flags(cmd.Flags())
	root.AddCommand(cmd)
	root.SetArgs(shell.Normalize(root, append([]string{"drive"}, strings.Fields(args)...)))
	return root.Execute()
}

func TestLimited(t *testing.T) {
	ctx, cancel := limited(context.Background(), time.Nanosecond)
	<-ctx.Done()
	cancel()
	ctx, cancel = limited(context.Background(), 0)
	if _, has := ctx.Deadline(); has || ctx.Err() != nil {
		t.Error("no time given, but limited")
	}
	cancel()
	if ctx.Err() == nil {
		t.Error("cancel does nothing")
	}
}
