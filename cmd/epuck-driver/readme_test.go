// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

//go:generate go test . -run ^TestCommandsAreDocumented$ -count=1 -document

const commandsFile = "../../docs/reference/commands.md"

var document = flag.Bool("document", false, "write docs/reference/commands.md anew")

// TestCommandsAreDocumented: docs/reference/commands.md has what --help=all has, of every command.
func TestCommandsAreDocumented(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\nFor users of the command line: the help of every command, written by `make generate`. `epuck-driver COMMAND\n" +
		"--help=all` prints the same; `--help` prints a page that fits a terminal of 24 lines of 80 columns and names the others\n" +
		"(`--help=NAME`). The package installs it as manual pages, and bash, zsh and fish complete it (`epuck-driver completion\n" +
		"--help`).\n")
	for _, g := range commandGroups() {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(g.Title, ":"))
		for _, c := range frame.Documented(frame.NewRoot(&frame.Program{}, commandGroups())) {
			if c.GroupID == g.ID {
				describeCommand(t, &b, c, "###")
			}
		}
	}
	b.WriteString("\n## ROS arguments\n\nBehind `--ros-args`, as for every ROS 2 program; a following `--` ends them. " +
		"`sim`, `run`, `stop`, `doctor` and `drive`\ntake them.\n\n| argument | meaning |\n| --- | --- |\n")
	for _, a := range frame.ROSArgumentHelp {
		fmt.Fprintf(&b, "| `%s` | %s |\n", a[0], a[1])
	}
	b.WriteString("\n## Environment\n\n| variable | meaning |\n| --- | --- |\n")
	for _, e := range frame.Environment {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e[0], e[1])
	}
	b.WriteString("\n## Exit status\n\n0 after an orderly end (SIGINT and SIGTERM too), 1 when the work failed, " +
		"2 when the command line is wrong. The commands\n`topic`, `node`, `param` and `service` have those of the `ros2` " +
		"command: 2 when they were interrupted, too.\n")
	if *document {
		if err := os.WriteFile(commandsFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(commandsFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Errorf("%s is stale: make generate", commandsFile)
	}
}

// describeCommand writes a command and all below it.
func describeCommand(t *testing.T, b *strings.Builder, c *cobra.Command, heading string) {
	t.Helper()
	fmt.Fprintf(b, "\n%s %s\n\n", heading, c.CommandPath())
	text := strings.TrimSpace(frame.HelpText(c))
	if frame.HasPages(c) && frame.HasPages(c.Parent()) {
		text = "The flags are those of " + c.Parent().CommandPath() + "."
	}
	fmt.Fprintf(b, "%s.\n\n```text\n%s\n```\n", c.Short, text)
	for _, below := range frame.Documented(c) {
		describeCommand(t, b, below, heading+"#")
	}
}

// TestEveryCommandIsDescribed: a command that is added without its texts, or with an example that it does not
// understand, fails here.
func TestEveryCommandIsDescribed(t *testing.T) {
	root := frame.NewRoot(&frame.Program{}, commandGroups())
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for what, text := range map[string]string{"Short": c.Short, "Long": c.Long, "Example": c.Example} {
			if text == "" && !(what == "Long" && len(c.Commands()) > 0) {
				t.Errorf("%s has no %s", c.CommandPath(), what)
			}
		}
		if strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: Short ends with a full stop: %s", c.CommandPath(), c.Short)
		}
		if c.HasParent() && !c.Parent().HasParent() && c.GroupID == "" {
			t.Errorf("%s is in no group", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			if !strings.Contains(line, "epuck-driver") {
				t.Errorf("%s: not an example: %s", c.CommandPath(), line)
			}
		}
		for _, below := range frame.Documented(c) {
			check(below)
		}
	}
	check(root)
}

// TestReadmeIsAScreen: its first lines have what a new reader needs, and it is short.
func TestReadmeIsAScreen(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	if len(lines) > 90 {
		t.Errorf("the README has %d lines", len(lines))
	}
	if first := strings.Join(lines[:12], "\n"); !strings.Contains(first, "tried on a real robot") {
		t.Errorf("the first lines don't say what has been tried:\n%s", first)
	}
}
