// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// comment is what follows a command on its line.
var comment = regexp.MustCompile(`\s+#.*$|\s+&$`)

// documentCommands returns the commands of this program in the blocks of code of a document, without their comments;
// those that continue on the next line are joined.
func documentCommands(t *testing.T, file string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(regexp.MustCompile(`\s*\\\n\s+`).ReplaceAllString(string(text), " "), "\n") {
		command, ok := strings.CutPrefix(line, "    epuck-driver ")
		if ok && !strings.HasPrefix(command, "v") { // output of the command version
			commands = append(commands, comment.ReplaceAllString(comment.ReplaceAllString(command, ""), ""))
		}
	}
	return commands
}

// TestNavigationHowToIsTried: the session of docs/howto/navigation.md runs each of its commands for one robot.
func TestNavigationHowToIsTried(t *testing.T) {
	script, err := os.ReadFile("testdata/script/howtonavigation.txtar")
	if err != nil {
		t.Fatal(err)
	}
	commands := documentCommands(t, "../../docs/howto/navigation.md")
	for _, c := range commands {
		if !strings.Contains(c, "swarm") && !strings.Contains(string(script), "exec epuck-driver "+c) {
			t.Errorf("not tried: %s", c)
		}
	}
	if len(commands) < 5 {
		t.Errorf("only %q", commands)
	}
}

// TestCommandsOfDocumentsExist: each command in a block of code of a document is one of this program, with flags that
// it has.
func TestCommandsOfDocumentsExist(t *testing.T) {
	tried := 0
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		for _, text := range documentCommands(t, path) {
			root := frame.NewRoot(&frame.Program{}, commandGroups())
			words := strings.Fields(text)
			cmd, _, err := root.Find(words)
			if err != nil || cmd == root {
				t.Errorf("%s: epuck-driver %s: %v", path, text, err)
				continue
			}
			for _, word := range words {
				if word == "--" || word == "--ros-args" || word == "|" || word == ">" || word == "&&" {
					break
				}
				name, long := strings.CutPrefix(word, "--")
				if name, _, _ = strings.Cut(name, "="); long && name != "help" && cmd.Flag(name) == nil {
					t.Errorf("%s: epuck-driver %s: there is no flag --%s", path, text, name)
				}
			}
			tried++
		}
		return nil
	})
	if err != nil || tried < 50 {
		t.Errorf("%d commands, %v", tried, err)
	}
}
