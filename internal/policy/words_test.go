// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// riddle is a word that hides who does something. Say "a subscriber", "the caller", "the transport".
var riddle = regexp.MustCompile(`(?i)\b(nobody|somebody|anybody|whoever)\b`)

// graceOfWords is how many more a room may have.
const graceOfWords = 5

// riddles are how many comments and lines of documents have such words, by room. A room that is not here has none. The
// numbers only go down.
var riddles = map[string]int{
	"calibrate":        6,
	"calibration":      5,
	"camera":           19,
	"doctor":           5,
	"driver":           53,
	"i2c":              27,
	"msgs":             5,
	"odometry":         5,
	"record":           7,
	"ros2":             38,
	"ros2/conformance": 6,
	"ros2/dynamic":     5,
	"ros2/internal":    6,
	"ros2/interop":     8,
	"ros2/rclgo":       10,
	"ros2/rmw":         8,
	"ros2/ros2test":    5,
	"ros2/rtps":        38,
	"sim":              37,
	"swarm":            9,
	"vmtest":           9,
	"web":              22,
	"worldview":        8,
}

// TestCommentsSayWho: comments of Go files, but for generated ones, and Markdown.
func TestCommentsSayWho(t *testing.T) {
	found := map[string][]string{}
	for _, s := range sources(t) {
		if s.gen || s.path == "internal/policy/words_test.go" {
			continue
		}
		for _, group := range s.ast.Comments {
			for _, c := range group.List {
				if riddle.MatchString(c.Text) {
					room := firstFolders(s.room)
					found[room] = append(found[room], place(s.path, s.fset.Position(c.Pos()).Line))
				}
			}
		}
	}
	for _, path := range documents(t) {
		if filepath.Ext(path) != ".md" {
			continue
		}
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if riddle.MatchString(line) && !strings.HasPrefix(line, "|") { // tables come from the code
				room := firstFolders(filepath.ToSlash(filepath.Dir(path)))
				found[room] = append(found[room], place(path, i+1))
			}
		}
	}
	for room, places := range found {
		if len(places) > riddles[room]+graceOfWords {
			t.Errorf("%s: %d comments don't say who, %d are allowed:\n  %s", room, len(places), riddles[room]+graceOfWords, strings.Join(places, "\n  "))
		}
	}
}
