// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// layer is one row of the architecture: folders whose packages may import those of lower layers, of their own folder,
// and of the folders in peers, which are of the same layer.
type layer struct {
	level   int
	folders []string
	peers   []string
	why     string
}

// layers are the project's folders from the ground up; the longest matching folder decides.
// docs/explanation/architecture.md shows them, and TestArchitectureShowsTheLayers compares.
var layers = []layer{
	{0, []string{"internal", "robot"}, nil, "helpers and the robot's measures: the standard library alone"},
	{1, []string{"msgs"}, nil, "message types and their encoding"},
	{1, []string{"ros2"}, []string{"msgs"}, "a ROS 2 client library for any Go program: it knows no robot"},
	{2, []string{"calibration", "mapping", "odometry"}, nil, "algorithms: numbers in, numbers out"},
	{2, []string{"navigation"}, []string{"mapping"}, "plans on the maps of mapping"},
	{3, []string{"i2c", "camera"}, nil, "a robot's hardware"},
	{3, []string{"wifi"}, []string{"i2c", "camera", "driver/hardware"}, "a robot's hardware over Wi-Fi, by the interface of the driver"},
	{3, []string{"driver"}, []string{"i2c", "camera"}, "the robot as a ROS 2 node: it knows neither simulator nor transport nor applications"},
	{3, []string{"sim"}, []string{"camera", "wifi/packet"},
		"simulated robots: an independent reading of the same hardware, which knows no ROS and no driver, but the camera's interface and the packets"},
	{4, []string{"calibration/procedure", "mapping/node", "bag", "web"}, nil, "applications that use a robot by its topics: each knows only itself"},
	{4, []string{"acceptance"}, nil, "tests a robot on its buses, without a driver or a network; simulated robots try the tests"},
	{4, []string{"navigation/node"}, []string{"mapping/node"}, "drives on the maps that the map node publishes"},
	{5, []string{"fleet"}, nil, "simulated robots as ROS 2 nodes"},
	{5, []string{"cosim"}, nil, "servers through which programs of others drive a simulation, by its exported interface"},
	{5, []string{"experiment"}, []string{"fleet"}, "batches of simulations and their reports"},
	{6, []string{"deploy", "docs", "scripts", "examples"}, nil, "packages, generators and tests of what users get"},
	{6, []string{"cmd"}, []string{"deploy"}, "the programs"},
}

// layerOf returns the row of the longest folder that holds path; nil if none does.
func layerOf(path string) *layer {
	var best *layer
	length := -1
	for i, l := range layers {
		for _, f := range l.folders {
			if Under(path, f) && len(f) > length {
				best, length = &layers[i], len(f)
			}
		}
	}
	return best
}

// mayImport reports whether a package of the folder from may import that of the folder to.
func mayImport(from, to string) bool {
	l, target := layerOf(from), layerOf(to)
	if l == nil || target == nil || target.level > l.level {
		return false
	}
	if target.level < l.level || underAny(to, l.peers) {
		return true
	}
	return slices.ContainsFunc(l.folders, func(f string) bool { return Under(from, f) && Under(to, f) })
}

// TestLayersImportDown: packages import lower layers, their own folder and what their row names.
func TestLayersImportDown(t *testing.T) {
	for _, s := range sources(t) {
		l := layerOf(s.Folder)
		if l == nil {
			t.Errorf("%s: folder %s is in no layer: add it to the table with its reason", s.Path, s.Folder)
			continue
		}
		if s.Test {
			continue
		}
		for _, imp := range s.Imports {
			if own, isOwn := strings.CutPrefix(imp, Module+"/"); isOwn && !mayImport(s.Folder, own) {
				t.Errorf("%s imports %s: %s", s.Path, own, l.why)
			}
		}
	}
}

// TestMayImport: the rule itself.
func TestMayImport(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"ros2/rtps", "internal/task", true}, {"internal/task", "ros2", false}, {"ros2", "msgs/cdr", true}, {"msgs", "ros2", false},
		{"calibration", "calibration/lm", true}, {"calibration", "calibration/procedure", false}, {"calibration/procedure", "calibration/lm", true},
		{"bag", "web", false}, {"sim", "driver", false}, {"driver", "sim", false}, {"sim", "wifi/robot", false}, {"fleet", "driver", true}, {"unknown", "robot", false},
	} {
		if got := mayImport(c.from, c.to); got != c.want {
			t.Errorf("mayImport(%s, %s) = %v", c.from, c.to, got)
		}
	}
}

// TestTopFoldersImportOneWay: folders on top, taken whole, form no cycle.
func TestTopFoldersImportOneWay(t *testing.T) {
	edges := map[string]map[string]bool{}
	for _, s := range sources(t) {
		from, _, _ := strings.Cut(s.Folder, "/")
		for _, imp := range s.Imports {
			own, isOwn := strings.CutPrefix(imp, Module+"/")
			if to, _, _ := strings.Cut(own, "/"); isOwn && !s.Test && to != from {
				if edges[from] == nil {
					edges[from] = map[string]bool{}
				}
				edges[from][to] = true
			}
		}
	}
	for from := range edges {
		if path := pathBack(edges, from, from, map[string]bool{}); path != nil {
			t.Errorf("a cycle of folders: %s", strings.Join(path, " → "))
		}
	}
	if len(edges) < 15 {
		t.Errorf("only %d folders import others: the search is broken", len(edges))
	}
}

// pathBack returns a path along edges from at to goal, nil if there is none.
func pathBack(edges map[string]map[string]bool, at, goal string, visited map[string]bool) []string {
	for to := range edges[at] {
		if to == goal {
			return []string{at, to}
		}
		if visited[to] {
			continue
		}
		visited[to] = true
		if rest := pathBack(edges, to, goal, visited); rest != nil {
			return append([]string{at}, rest...)
		}
	}
	return nil
}

func underAny(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return Under(path, p) })
}

// TestArchitectureShowsTheLayers: the table of docs/explanation/architecture.md names every folder in the row of its
// level.
func TestArchitectureShowsTheLayers(t *testing.T) {
	text, err := os.ReadFile("../../docs/explanation/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Layers\n")
	for _, l := range layers {
		var rows string
		for row := range strings.Lines(table) {
			if strings.HasPrefix(row, fmt.Sprintf("| %d ", l.level)) {
				rows += row
			}
		}
		for _, f := range slices.Concat(l.folders, l.peers) {
			if !strings.Contains(rows, "`"+f+"`") {
				t.Errorf("layer %d of docs/explanation/architecture.md does not name %s", l.level, f)
			}
		}
	}
}
