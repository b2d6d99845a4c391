// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security/keystore"
)

// TestSecurityHowTo makes the class of docs/howto/security.md: each robot and person has keys that are valid in its
// domain, and the rights that the table there promises.
func TestSecurityHowTo(t *testing.T) {
	text, err := os.ReadFile("../../docs/howto/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```yaml\n")
	description, _, _ := strings.Cut(rest, "```")
	class, err := keystore.ParseClass([]byte(description))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "class.yaml")
	if err := os.WriteFile(file, []byte(description), 0o600); err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(t.TempDir(), "keys")
	var out, problem bytes.Buffer
	streams := frame.Streams{Out: &out, Err: &problem}
	if status := frame.Dispatch(t.Context(), streams, []string{"security", "create_class", keys, file}, commandGroups()); status != frame.ExitOK {
		t.Fatal(problem.String())
	}
	for name, list := range map[string]string{"teacher": "epuck1 epuck10", "anna": "epuck1", "ben": "epuck2 epuck3", "screen": "", "epuck10": "epuck10"} {
		s := security.Settings{Strategy: security.Enforce, Keystore: keys, Enclave: "/" + name}
		c, _, err := s.Open(class.Domain, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, robot := range []string{"epuck1", "epuck2", "epuck3", "epuck10"} {
			drives := c.Access.Local().Publish("rt/"+robot+"/cmd_vel", nil) == nil
			if want := name == "teacher" || strings.Contains(" "+list+" ", " "+robot+" "); drives != want {
				t.Errorf("%s drives %s: %v, want %v", name, robot, drives, want)
			}
		}
		if robot := strings.HasPrefix(name, "epuck"); (c.Access.Local().Subscribe("rt/epuck2/odom", nil) == nil) == robot {
			t.Errorf("%s and the odometry of epuck2", name)
		}
	}
}
