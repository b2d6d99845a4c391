// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// helpPages returns the names of the pages that the overview of a command names.
func helpPages(overview string) []string {
	_, list, found := strings.Cut(strings.Join(strings.Fields(overview), " "), "--help=NAME; pages: ")
	if !found {
		return nil
	}
	list, _, _ = strings.Cut(list, " Commands: ")
	return strings.Split(list, ", ")
}

// simPages are the pages of help about flags of sim, as the overview lists them.
func simPages(t *testing.T) (names []string) {
	t.Helper()
	_, overview, _ := invoke("sim", "--help")
	names = helpPages(overview)
	if len(names) < 12 {
		t.Fatalf("%q: the search is broken in\n%s", names, overview)
	}
	return names
}

// formerFlags are those that --set or --real-time-factor has replaced, which work until the next release, and those
// that were taken out, which are refused with their replacement.
var formerFlags = regexp.MustCompile(`^(lockstep|wait-for|answer|acknowledge|imu|without|answer-limit|order-limit|speed|target-[a-z]+|traci-[a-z]+|webots-[a-z]+)$`)

// TestFlagsOfSimAreOnPages: each flag that is not hidden is on a page, "sim help NAME" and "sim run --help=NAME" show
// the same page, and "sim run" has the flags of "sim".
func TestFlagsOfSimAreOnPages(t *testing.T) {
	pages := ""
	for _, name := range simPages(t) {
		if name == "all" || name == "commands" { // those are below sim alone
			continue
		}
		_, page, _ := invoke("sim", "--help="+name)
		_, same, _ := invoke("sim", "help", name)
		_, run, _ := invoke("sim", "run", "--help="+name)
		if page != same || strings.Replace(run, "sim run:", "sim:", 1) != page {
			t.Errorf("%s: three ways show different pages", name)
		}
		pages += page
	}
	root := frame.NewRoot(&frame.Program{}, commandGroups())
	sim, _, err := root.Find([]string{"sim"})
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := root.Find([]string{"sim", "run"})
	if err != nil || run == sim {
		t.Fatal(err)
	}
	visible, hidden := 0, 0
	sim.Flags().VisitAll(func(f *pflag.Flag) {
		if run.Flags().Lookup(f.Name) == nil {
			t.Errorf("sim run has no --%s", f.Name)
		}
		switch {
		case f.Hidden:
			if hidden++; !formerFlags.MatchString(f.Name) {
				t.Errorf("--%s is hidden, and no former name of a setting", f.Name)
			}
		case f.Name != "help" && !strings.Contains(pages, "--"+f.Name):
			t.Errorf("--%s is on no page", f.Name)
		default:
			visible++
		}
	})
	if visible > 48 || hidden < 15 {
		t.Errorf("%d flags to be seen, %d hidden", visible, hidden)
	}
}

// typedCommand is a line of a code block, or code in a line, that begins with the program.
var typedCommand = regexp.MustCompile("(?m)(?:^|`)[ \t]*(?:[>$] )?(?:sudo |ROS_[A-Z_]+=[^ ]+ )*epuck-driver ([a-z][^`\n]*)")

// typedCommands are the command lines of README, docs and the help's examples, each once, without what the shell does
// with them.
func typedCommands(t *testing.T) (all []string) {
	t.Helper()
	add := func(text string) {
		for _, m := range typedCommand.FindAllStringSubmatch(text, -1) {
			line := afterCommand.ReplaceAllString(m[1], "")
			line = strings.TrimSuffix(strings.TrimSpace(line), ":")
			if !slices.Contains(all, line) && !strings.ContainsAny(line, "…[\\") && !strings.HasPrefix(line, "v0.") {
				all = append(all, line)
			}
		}
	}
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../README.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) != filepath.Base(commandsFile) { // it is the help
			add(string(data))
		}
	}
	eachCommand(t, func(_ *testing.T, c *cobra.Command) { add(c.Example) })
	return all
}

// afterCommand is what follows a command in an example: a redirection, another command, a comment or an explanation.
var afterCommand = regexp.MustCompile(` *( [|>&]|;| #|  |\)).*`)

// TestCommandLinesOfDocumentsAreUnderstood: each command line of README, docs and the examples of the help is one that
// the program understands: its command, its flags and the form of their values.
func TestCommandLinesOfDocumentsAreUnderstood(t *testing.T) {
	examples := typedCommands(t)
	if len(examples) < 150 {
		t.Errorf("only %d examples: the search is broken", len(examples))
	}
	for _, line := range examples {
		args := splitWords(line)
		at := slices.Index(args, frame.ROSArgs)
		if at < 0 {
			at = len(args)
		}
		if i := slices.Index(args, "--params-file"); i >= 0 { // a file of the reader
			args = args[:at]
		}
		if i := slices.Index(args, "--"); i >= 0 && i < at {
			args, at = args[:i], i // what follows is another program
		}
		// --help ends it before it does anything, after the flags have been read.
		args = slices.Insert(args, at, "--help")
		if status, out, problem := invoke(args...); status != frame.ExitOK || strings.HasPrefix(out, "epuck-driver makes") && args[0] != "--help" {
			t.Errorf("epuck-driver %s: status %d, %s", line, status, problem)
		}
	}
}

// splitWords splits a command line as a shell does, as far as examples need it.
func splitWords(line string) (words []string) {
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if inside {
		words = append(words, word.String())
	}
	return words
}
