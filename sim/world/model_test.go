// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

const modelled = "robots:\n  - {name: a, model: turtlebot3_burger, position: [0, 0]}\n  - {name: b, model: mine.urdf, position: [1, 0]}\n" +
	"  - {name: c, model: mine.urdf, position: [2, 0]}\n"

// Files of models are read from the world file's folder, those of the library are left to the simulator.
func TestModels(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"w.yaml": modelled, "mine.urdf": "<robot/>"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := world.LoadFile(filepath.Join(folder, "w.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "<robot/>", "<robot/>"} {
		if got := string(w.Robots[i].Description); got != want {
			t.Errorf("robot %d: %q", i, got)
		}
	}
}

// What can't be is said with its line: no file, a path outside, too much.
func TestModelErrors(t *testing.T) {
	robot := func(model string) string { return "robots:\n  - {name: a, model: " + model + ", position: [0, 0]}\n" }
	many := "robots:\n"
	for i := range world.MaxModels + 1 {
		many += fmt.Sprintf("  - {name: r%d, model: x, position: [%d, 0]}\n", i, i%900)
	}
	for text, want := range map[string]string{
		robot("none.urdf"):                  "w.yaml:2:22: robots[0].model",
		robot("../w.urdf"):                  "w.yaml:2:22: robots[0].model",
		robot("/etc/hosts.urdf"):            "w.yaml:2:22: robots[0].model",
		robot("/etc/hosts.d/x"):             "must be in the world file's folder",
		robot("a/../../w.urdf"):             "must be in the world file's folder",
		robot("pipe.urdf"):                  "pipe.urdf is no file", // it would be waited for
		robot("folder.urdf"):                "folder.urdf is no file",
		robot("big.urdf"):                   "over 8388608 bytes",
		robot(strings.Repeat("x", 300)):     "longer than 256 bytes",
		many:                                "more than 1000 robots with a model",
		robot("w")[:10] + robot("a.b")[10:]: "w.yaml:2:22: ",
	} {
		files := fstest.MapFS{"w.yaml": {Data: []byte(text)}, "big.urdf": {Data: make([]byte, world.MaxModelSize+1)},
			"pipe.urdf": {Mode: fs.ModeNamedPipe}, "folder.urdf/x": {}}
		if _, err := world.LoadFS(files, "w.yaml"); !errors.Is(err, world.ErrWorld) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s…: %v, not %q", text, err, want)
		}
	}
	if _, err := world.Parse([]byte(modelled)); !errors.Is(err, world.ErrWorld) {
		t.Errorf("without a file: %v", err)
	}
}
