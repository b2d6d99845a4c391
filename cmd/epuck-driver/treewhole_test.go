// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestHelpOfEveryCommand: every way to ask for help shows the usage, examples and what the command does.
func TestHelpOfEveryCommand(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		for _, flag := range []string{"--help", "-h"} {
			status, out, problem := invoke(append(words(c), flag)...)
			if status != frame.ExitOK || problem != "" {
				t.Errorf("%s: status %d, standard error %q", flag, status, problem)
			}
			if !strings.Contains(out, "Usage:\n") || !strings.Contains(out, "Examples:\n") {
				t.Errorf("%s: neither usage nor examples in\n%s", flag, out)
			}
			first, _, _ := strings.Cut(strings.Join(strings.Fields(c.Long), " "), ". ")
			if !strings.Contains(strings.Join(strings.Fields(out), " "), first) {
				t.Errorf("%s: it does not say %q", flag, first)
			}
		}
		status, out, _ := invoke(append([]string{"help"}, words(c)...)...)
		if status != frame.ExitOK || !strings.Contains(out, "Usage:\n") {
			t.Errorf("help %v: status %d\n%s", words(c), status, out)
		}
	})
}

// TestMisspelledFlagsGetASuggestion: an unknown flag is an error of the command line that names the right one.
func TestMisspelledFlagsGetASuggestion(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if c.DisableFlagParsing || c.HasSubCommands() {
			return
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			wrong := f.Name + "x"
			if f.Hidden || len(f.Name) < 4 || c.Flags().Lookup(wrong) != nil {
				return
			}
			status, _, problem := invoke(append(words(c), "--"+wrong)...)
			if status != frame.ExitUsage || !strings.Contains(problem, "--"+f.Name) {
				t.Errorf("--%s: status %d, %q", wrong, status, problem)
			}
		})
	})
}

// TestShellsAndManualKnowEveryCommand: every command completes in every shell and has a page of the manual.
func TestShellsAndManualKnowEveryCommand(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if status, out, problem := invoke("completion", shell); status != frame.ExitOK || !strings.Contains(out, "__complete") {
			t.Errorf("completion %s: status %d, %q, %d bytes", shell, status, problem, len(out))
		}
	}
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if !c.HasParent() {
			return
		}
		path := words(c)
		status, out, _ := invoke(append(append([]string{cobra.ShellCompRequestCmd}, path[:len(path)-1]...), path[len(path)-1])...)
		if status != frame.ExitOK || !strings.Contains("\n"+out, "\n"+c.Name()) {
			t.Errorf("%v does not complete: %q", path, out)
		}
		if status, page, problem := invoke(append([]string{"man"}, path...)...); status != frame.ExitOK || !strings.HasPrefix(page, ".TH ") {
			t.Errorf("man %v: status %d, %q", path, status, problem)
		}
	})
}
