// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one of a Dockerfile, its continued lines joined and its comments gone.
type instruction struct {
	name string
	args []string
}

func dockerfile(t *testing.T, text string) (list []instruction) {
	t.Helper()
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			kept = append(kept, strings.TrimRight(line, "\n"))
		}
	}
	for line := range strings.Lines(strings.ReplaceAll(strings.Join(kept, "\n"), "\\\n", " ")) {
		if f := strings.Fields(line); len(f) > 0 {
			list = append(list, instruction{f[0], f[1:]})
		}
	}
	return list
}

// TestDockerfileBuildsWhatMakeBuilds reads the recipe, since no container engine runs where this test does: every
// stage, path and make target it names exists, and what it installs is what scripts/setup.sh installs for the same
// purpose.
func TestDockerfileBuildsWhatMakeBuilds(t *testing.T) {
	stages := []string{"scratch"}
	targets := regexp.MustCompile(`\bmake ([a-z-]+)`)
	makefile, setup := read(t, "Makefile"), read(t, "scripts/setup.sh")
	made := map[string]bool{}
	for _, in := range dockerfile(t, read(t, "Dockerfile.cross")) {
		switch in.name {
		case "FROM":
			if len(in.args) == 3 && in.args[1] == "AS" {
				stages = append(stages, in.args[2])
			}
			image, _, _ := strings.Cut(in.args[0], ":")
			if !slices.Contains(append(stages, "debian", "golang", "ros"), image) {
				t.Errorf("begins with %s: Debian's, Go's and ROS 2's own images are enough", in.args[0])
			}
		case "COPY":
			checkCopy(t, in, stages)
		case "RUN":
			line := strings.Join(in.args, " ")
			if strings.Contains(line, "apt-get") {
				line = "" // make is a package there
			}
			for _, m := range targets.FindAllStringSubmatch(line, -1) {
				made[m[1]] = true
				if !strings.Contains(makefile, "\n"+m[1]+":") {
					t.Errorf("make %s: there is no such target", m[1])
				}
			}
			for _, p := range in.args {
				if (strings.HasPrefix(p, "gcc") || strings.HasPrefix(p, "libc6-dev") || strings.HasPrefix(p, "musl")) && !strings.Contains(setup, p) {
					t.Errorf("%s is installed in the container, not by scripts/setup.sh", p)
				}
			}
		case "ARG", "ENV", "WORKDIR", "ENTRYPOINT", "CMD", "LABEL", "USER":
		default:
			t.Errorf("instruction %s: is it one?", in.name)
		}
	}
	if !made["cross"] || !made["package"] {
		t.Errorf("the container makes %v, not cross and package", made)
	}
}

// checkCopy checks the sources of a COPY: a stage's files by the stage, ours by path.
func checkCopy(t *testing.T, in instruction, stages []string) {
	t.Helper()
	sources := in.args[:len(in.args)-1]
	if from, ok := strings.CutPrefix(sources[0], "--from="); ok {
		if !slices.Contains(stages, from) {
			t.Errorf("COPY --from=%s: there is no such stage", from)
		}
		for _, path := range sources[1:] {
			name, robot := strings.CutPrefix(path, "/src/bin/epuck-driver-")
			if robot && !strings.Contains(read(t, "scripts/cross.sh"), name+")") {
				t.Errorf("COPY %s: scripts/cross.sh does not build it", path)
			}
		}
		return
	}
	for _, path := range sources {
		if _, err := os.Stat(filepath.Join(root, path)); err != nil {
			t.Errorf("COPY %s: %v", path, err)
		}
	}
}

// TestDockerfileNamesNoROSAndNoHardFloat: what stops users of other drivers is kept out of the default build.
func TestDockerfileNamesNoROSAndNoHardFloat(t *testing.T) {
	var build []string
	other, last := true, "" // what comes before the first stage is for all of them
	for _, in := range dockerfile(t, read(t, "Dockerfile.cross")) {
		if in.name == "FROM" {
			last = in.args[len(in.args)-1]
			other = last == "rclgo" // the other transport's own stage
		}
		if !other {
			build = append(build, in.name+" "+strings.Join(in.args, " "))
		}
	}
	if last != "release" {
		t.Errorf("without a target the stage %s is built", last)
	}
	text := strings.ToLower(strings.Join(build, "\n"))
	for _, word := range []string{"gnueabihf", "/opt/ros", "humble", "jazzy", "ros-", "packages.ros.org"} {
		if strings.Contains(text, word) {
			t.Errorf("names %s", word)
		}
	}
}

// TestDockerfileGoIsTheModules: the container's Go is the one that go.mod asks for.
func TestDockerfileGoIsTheModules(t *testing.T) {
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	if !strings.Contains(read(t, "Dockerfile.cross"), "\nARG GO_VERSION="+want+"\n") {
		t.Errorf("not Go %s, as go.mod wants", want)
	}
	for _, path := range []string{".git", "bin", "dist"} {
		if !strings.Contains(read(t, ".dockerignore"), "\n"+path+"\n") {
			t.Errorf("%s goes into the container", path)
		}
	}
}
