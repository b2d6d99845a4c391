// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
)

// comment is what follows a command on its line.
var comment = regexp.MustCompile(`\s+#.*$|\s+&$`)

// ofThisProgram is the beginning of a line of code that calls this program.
var ofThisProgram = regexp.MustCompile(`^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:sudo )?(?:bin/|\./)?epuck-driver +([a-z].*)$`)

// versionOutput is the output of the command of that name.
var versionOutput = regexp.MustCompile(`^v[0-9(]`)

// quoted is an argument in quotes.
var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// documentCommands returns the commands of this program in the blocks of code of a document, indented or fenced, without
// their comments; those that continue on the next line are joined.
func documentCommands(t *testing.T, file string) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	for _, line := range strings.Split(regexp.MustCompile(`\s*\\\n\s+`).ReplaceAllString(string(text), " "), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		code, indented := strings.CutPrefix(line, "    ")
		if !fenced && !indented {
			continue
		}
		m := ofThisProgram.FindStringSubmatch(code)
		if m != nil && !versionOutput.MatchString(m[1]) {
			commands = append(commands, comment.ReplaceAllString(comment.ReplaceAllString(m[1], ""), ""))
		}
	}
	return commands
}

// TestHowTosAreTried: the session of a how-to runs each of its commands for one robot.
func TestHowTosAreTried(t *testing.T) {
	for _, name := range []string{"navigation", "record"} {
		script, err := os.ReadFile("testdata/script/howto" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		commands := documentCommands(t, "../../docs/howto/"+name+".md")
		for _, c := range commands {
			if !strings.Contains(c, "swarm") && !strings.Contains(string(script), "exec epuck-driver "+c+"\n") && !strings.Contains(string(script), "exec epuck-driver "+c+" &") {
				t.Errorf("%s: not tried: %s", name, c)
			}
		}
		if len(commands) < 5 {
			t.Errorf("%s: only %q", name, commands)
		}
	}
}

// TestCommandsOfDocumentsExist: each command in a block of code of a document is one of this program, with flags that
// it has.
func TestCommandsOfDocumentsExist(t *testing.T) {
	tried := map[string]int{} // commands by document
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"node_modules", "testdata", "bin", "dist"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return filepath.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		for _, text := range documentCommands(t, path) {
			root := frame.NewRoot(&frame.Program{}, commandGroups())
			words := strings.Fields(quoted.ReplaceAllString(text, "quoted"))
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
			tried[path]++
		}
		return nil
	})
	if err != nil || len(tried) < 20 || tried["../../README.md"] < 2 {
		t.Errorf("commands %v, %v", tried, err)
	}
}
