// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// TestEachPageOfHelpFitsAScreen: each page of each command's help has at most 24 lines of at most 80 columns. The
// program's own page has 40, with a line for each command; the page "all" of a command is for a pager, and has the
// width alone.
func TestEachPageOfHelpFitsAScreen(t *testing.T) {
	pages := 0
	fits := func(t *testing.T, most int, args ...string) string {
		status, text, problem := invoke(args...)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if status != frame.ExitOK || problem != "" || len(lines) > most {
			t.Errorf("%q: status %d, %s, %d lines\n%s", args, status, problem, len(lines), text)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%q: over 80 columns: %s", args, line)
			}
		}
		pages++
		return text
	}
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if c.DisableFlagParsing { // not in this program
			return
		}
		most := 24
		if !c.HasParent() {
			most = 40
		}
		overview := fits(t, most, append(words(c), "--help")...)
		for _, name := range helpPages(overview) {
			lines := 24
			if name == "all" {
				lines = 1000
			}
			fits(t, lines, append(words(c), "--help="+name)...)
		}
		fits(t, 1000, append(words(c), "--help=all")...)
	})
	if pages < 150 {
		t.Errorf("only %d pages: the search is broken", pages)
	}
}

// TestOverviewNamesEverything: what the overview of a command does not have is on one of the pages that it names.
func TestOverviewNamesEverything(t *testing.T) {
	eachCommand(t, func(t *testing.T, c *cobra.Command) {
		if c.DisableFlagParsing {
			return
		}
		_, overview, _ := invoke(append(words(c), "--help")...)
		text := overview
		for _, name := range helpPages(overview) {
			if name != "all" {
				_, page, _ := invoke(append(words(c), "--help="+name)...)
				text += page
			}
		}
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, " \\\n", " ")), " ")
		for what, part := range map[string]string{"description": c.Long, "examples": c.Example} {
			for line := range strings.Lines(part) {
				if !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
					t.Errorf("%s: %q is nowhere", what, line)
				}
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(f); !f.Hidden && f.Name != "help" &&
				!strings.Contains(text, strings.Join(strings.Fields(usage), " ")) {
				t.Errorf("--%s: %q is nowhere", f.Name, usage)
			}
		})
		for _, below := range frame.Documented(c) {
			if !strings.Contains(text, below.Name()) {
				t.Errorf("the command %s is nowhere", below.Name())
			}
		}
	})
}
