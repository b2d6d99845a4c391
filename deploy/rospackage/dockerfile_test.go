// SPDX-License-Identifier: Apache-2.0

//go:build system

package rospackage

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is where Dockerfile.cross is built.
const repository = "../.."

// instruction is one of a Dockerfile, with its continuation lines.
type instruction struct {
	line int
	name string
	text string
}

// instructions takes a Dockerfile apart.
func instructions(text string) (out []instruction) {
	var open *instruction
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if open == nil {
			name, rest, _ := strings.Cut(line, " ")
			out = append(out, instruction{line: i + 1, name: strings.ToUpper(name)})
			open, line = &out[len(out)-1], rest
		}
		more, continued := strings.CutSuffix(line, "\\")
		open.text += strings.TrimSpace(more) + " "
		if !continued {
			open.text = strings.TrimSpace(open.text)
			open = nil
		}
	}
	return out
}

var known = []string{"ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "LABEL", "RUN", "SHELL", "USER", "WORKDIR"}

// stage is one FROM and what follows it.
type stage struct {
	name, image string
	args        map[string]bool
	steps       []instruction
}

// stages sorts instructions into stages, and checks what can be without Docker.
func stages(t *testing.T, all []instruction) (out []*stage) {
	t.Helper()
	global := map[string]bool{}
	for _, in := range all {
		if !slices.Contains(known, in.name) {
			t.Errorf("line %d: instruction %s", in.line, in.name)
		}
		switch {
		case in.name == "FROM":
			words := strings.Fields(in.text)
			s := &stage{image: words[0], args: map[string]bool{}}
			if len(words) == 3 && strings.EqualFold(words[1], "AS") {
				s.name = words[2]
			}
			for _, v := range variables(words[0]) {
				if !global[v] {
					t.Errorf("line %d: %s is used and not declared before the first FROM", in.line, v)
				}
			}
			out = append(out, s)
		case in.name == "ARG" && len(out) == 0:
			name, _, _ := strings.Cut(in.text, "=")
			global[name] = true
		case in.name == "ARG":
			name, _, _ := strings.Cut(in.text, "=")
			out[len(out)-1].args[name] = true
		case len(out) == 0:
			t.Errorf("line %d: %s before the first FROM", in.line, in.name)
		default:
			s := out[len(out)-1]
			s.steps = append(s.steps, in)
		}
	}
	return out
}

func variables(text string) (names []string) {
	for _, m := range regexp.MustCompile(`\$\{([A-Z_]+)\}`).FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// checkStep checks what one step names: build arguments, files and scripts of the repository, targets of the Makefile.
func checkStep(t *testing.T, s *stage, in instruction, earlier []string, targets map[string]bool) {
	t.Helper()
	for _, v := range variables(in.text) {
		if !s.args[v] {
			t.Errorf("line %d: %s is used and no ARG of the stage %s", in.line, v, s.name)
		}
	}
	words := strings.Fields(in.text)
	switch in.name {
	case "COPY":
		if from, ok := strings.CutPrefix(words[0], "--from="); ok {
			if !slices.Contains(earlier, from) {
				t.Errorf("line %d: copies from %q, which is no earlier stage", in.line, from)
			}
			return
		}
		for _, path := range words[:len(words)-1] {
			if _, err := os.Stat(filepath.Join(repository, path)); err != nil {
				t.Errorf("line %d: %v", in.line, err)
			}
		}
	case "RUN":
		for _, path := range regexp.MustCompile(`(?:^|[\s])((?:\./)?(?:scripts|cmd|deploy)/[A-Za-z0-9./_-]+)`).FindAllStringSubmatch(in.text, -1) {
			if _, err := os.Stat(filepath.Join(repository, path[1])); err != nil {
				t.Errorf("line %d: %v", in.line, err)
			}
		}
		for _, m := range regexp.MustCompile(`(?:^|&& )make ([a-z -]+)`).FindAllStringSubmatch(in.text, -1) {
			for _, target := range strings.Fields(m[1]) {
				if !targets[target] {
					t.Errorf("line %d: the Makefile has no target %s", in.line, target)
				}
			}
		}
		if strings.Contains(in.text, "apt-get install") && (!strings.Contains(in.text, "apt-get update") || !strings.Contains(in.text, "rm -rf /var/lib/apt/lists/*") || !strings.Contains(in.text, " -y ")) {
			t.Errorf("line %d: apt-get install wants an update before it, -y, and its lists removed", in.line)
		}
	}
}

// TestDockerfile replaces a linter: the image cannot be built where there is no container engine.
func TestDockerfile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repository, "Dockerfile.cross"))
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile(filepath.Join(repository, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}
	var names []string
	all := stages(t, instructions(string(data)))
	for _, s := range all {
		for _, in := range s.steps {
			checkStep(t, s, in, names, targets)
		}
		names = append(names, s.name)
	}
	i := slices.Index(names, "rclgo")
	if i < 0 {
		t.Fatalf("stages %q, none is rclgo", names)
	}
	if !strings.HasPrefix(all[i].image, "ros:${ROS_DISTRO}") {
		t.Errorf("the target rclgo is built on %s, not on an official image of ROS 2", all[i].image)
	}
	var runs string
	for _, in := range all[i].steps {
		runs += in.text + "\n"
	}
	for _, want := range []string{"/opt/ros/${ROS_DISTRO}/setup.sh", "scripts/rclgo-flags.sh", "-tags rclgo", "--transport"} {
		if !strings.Contains(runs, want) {
			t.Errorf("the target rclgo does nothing with %s", want)
		}
	}
	gomod, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`ARG GO_VERSION=([0-9.]+)`).FindStringSubmatch(string(data))
	if version == nil || !strings.Contains(string(gomod), "\ngo "+version[1]) {
		t.Errorf("GO_VERSION is %v, go.mod wants another", version)
	}
}
