// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package release

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/table"
)

var (
	quoted    = regexp.MustCompile("`([^`]+)`")
	ownPath   = regexp.MustCompile(`^(scripts|deploy|docs)/[\w./-]+$`)
	madeBy    = regexp.MustCompile(`^make ([a-z-]+)$`)
	linked    = regexp.MustCompile(`\]\(([\w./-]+\.md)\)`)
	parameter = regexp.MustCompile(`^(camera\.)?[a-z]+(_[a-z]+)+$|^camera\.[a-z_]+$`)
)

// TestDocumentsNameWhatThereIs: scripts, files, targets, parameters, topics and services in the documents of this
// folder exist.
func TestDocumentsNameWhatThereIs(t *testing.T) {
	known := map[string]bool{"robot_upstart": true, "camera.gone": true}
	for _, p := range table.Parameters() {
		known[p.Name] = true
	}
	for _, topic := range table.Topics() {
		for _, name := range topic.Names() {
			known[strings.TrimPrefix(name, "/")] = true
		}
	}
	for _, s := range table.Services() {
		known[s.Name] = true
	}
	for _, doc := range []string{"docs/howto/install.md", "docs/howto/troubleshooting.md"} {
		text := read(t, doc)
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			word, _, _ := strings.Cut(m[1], ":")
			target := madeBy.FindStringSubmatch(word)
			switch {
			case ownPath.MatchString(word):
				exists(t, doc, word)
			case target != nil && !strings.Contains(read(t, "Makefile"), "\n"+target[1]+":"):
				t.Errorf("%s: %s: there is no such target", doc, word)
			case parameter.MatchString(word) && !known[word]:
				t.Errorf("%s: %s is no parameter, topic or service", doc, word)
			}
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			exists(t, doc, filepath.Join(filepath.Dir(doc), m[1]))
		}
	}
}

func exists(t *testing.T, doc, path string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, path)); err != nil {
		t.Errorf("%s: %v", doc, err)
	}
}

// TestTroubleshootingNamesTheDoctorsChecks: each row has an answer, and a check it sends the reader to is one that the
// doctor makes under that name.
func TestTroubleshootingNamesTheDoctorsChecks(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), program(t, "amd64"), "doctor", "--json")
	cmd.Env = append(os.Environ(), "ROS_LOCALHOST_ONLY=1", fmt.Sprintf("ROS_DOMAIN_ID=%d", os.Getpid()%200+20))
	out, err := cmd.Output() // its status reports that this machine is no robot
	if len(out) == 0 {
		t.Fatal(err)
	}
	var report struct {
		Findings []struct{ Check string }
	}
	if err := json.Unmarshal(out, &report); err != nil || len(report.Findings) < 10 {
		t.Fatalf("%v, %d findings in %s", err, len(report.Findings), out)
	}
	var checks []string
	for _, f := range report.Findings {
		checks = append(checks, f.Check)
	}
	rows := 0
	for line := range strings.Lines(read(t, "docs/howto/troubleshooting.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || strings.HasPrefix(line, "| what you see") {
			continue
		}
		rows++
		if len(cells) != 4 || strings.TrimSpace(cells[2]) == "" {
			t.Errorf("not a symptom, cause, answer and source: %s", line)
			continue
		}
		if _, named, ok := strings.Cut(cells[2], "doctor: "); ok {
			named, _, _ = strings.Cut(named, ";")
			for _, m := range quoted.FindAllStringSubmatch(named, -1) {
				if !slices.Contains(checks, m[1]) {
					t.Errorf("the doctor makes no check %q: %v", m[1], checks)
				}
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}
