// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// eachCommand calls f with every command that a user can see.
func eachCommand(t *testing.T, f func(t *testing.T, c *cobra.Command)) {
	t.Helper()
	count := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		count++
		t.Run(strings.ReplaceAll(c.CommandPath(), " ", "/"), func(t *testing.T) { f(t, c) })
		for _, below := range frame.Documented(c) {
			walk(below)
		}
	}
	walk(frame.NewRoot(&frame.Program{}, commandGroups()))
	if count < 30 {
		t.Errorf("only %d commands: the walk is broken", count)
	}
}

// invoke runs the program in this process.
func invoke(args ...string) (status int, out, problem string) {
	var o, e bytes.Buffer
	status = frame.Dispatch(context.Background(), frame.Streams{Out: &o, Err: &e}, args, commandGroups())
	return status, o.String(), e.String()
}

// words are a command's path without the program's name.
func words(c *cobra.Command) []string { return strings.Fields(c.CommandPath())[1:] }

// Every flag says what it is for, once, in one line without a full stop, and the help shows its default.
func TestFlagsAreDescribed(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		_, help, _ := invoke(append(words(c), "--help=all")...)
		help = strings.Join(strings.Fields(help), " ")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Hidden:
				return
			case f.Usage == "":
				t.Errorf("--%s has no description", f.Name)
			case strings.HasSuffix(f.Usage, "."):
				t.Errorf("--%s: its description ends with a full stop: %s", f.Name, f.Usage)
			case !strings.Contains(help, "--"+f.Name):
				t.Errorf("--%s is not in the help", f.Name)
			}
			if shown := "(default " + f.DefValue; hasDefault(f) && !strings.Contains(help, shown) &&
				!strings.Contains(help, `(default "`+f.DefValue) {
				t.Errorf("--%s: the help does not show its default %q", f.Name, f.DefValue)
			}
		})
	})
}

// hasDefault reports whether a flag has a default that says something.
func hasDefault(f *pflag.Flag) bool {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]", "none":
		return false
	}
	return f.Name != "help"
}

// TestMisspelledCommandsGetASuggestion: an unknown command is an error that names the one that is nearly written so.
func TestMisspelledCommandsGetASuggestion(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		name := c.Name()
		if !c.HasParent() || len(name) < 4 {
			return
		}
		wrong := name[:len(name)-2] + string(name[len(name)-1]) + string(name[len(name)-2])
		if wrong == name {
			wrong = name + "x"
		}
		path := words(c)
		path[len(path)-1] = wrong
		status, _, problem := invoke(path...)
		if status == frame.ExitOK || !strings.Contains(problem, name) {
			t.Errorf("%v: status %d, %q", path, status, problem)
		}
	})
}

// TestDurationsWithoutUnit: every flag that is a duration says how to write a number without a unit.
func TestDurationsWithoutUnit(t *testing.T) {
	flags := 0
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "duration" {
				return
			}
			flags++
			status, _, problem := invoke(append(words(c), "--"+f.Name, "4")...)
			if status != frame.ExitUsage || !strings.Contains(problem, "--"+f.Name+" 4: the unit is missing: write 4s") {
				t.Errorf("--%s 4: status %d, %s", f.Name, status, problem)
			}
		})
	})
	if flags < 10 {
		t.Errorf("only %d flags: the search is broken", flags)
	}
}

// TestAddressesAfterASpace: every flag with an address that may be left out takes it after a space as after "=".
func TestAddressesAfterASpace(t *testing.T) {
	flags := map[string]int{}
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" || f.Value.Type() != "string" {
				return
			}
			flags[f.Name]++
			if f.Annotations[shell.OptionalAddress] == nil {
				t.Errorf("--%s does not", f.Name)
			}
		})
	})
	if flags["web"] < 3 || flags["traci"] == 0 || flags["webots"] == 0 || flags["wifi"] == 0 {
		t.Errorf("found %v", flags)
	}
}
