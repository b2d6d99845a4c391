// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// weather are programs with the type of msgs/cmd/msggen/testdata/weather that do not use msggen: generated from IDL by
// Cyclone's compiler, and written by hand with Fast CDR.
var weather = []*stack{
	{
		name: "cyclone-weather", sources: []string{"weather/weather.idl", "weather/cyclone.c"},
		commands: []string{
			`idlc -x final -o . "$T/weather/weather.idl"`,
			`cc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -I. -o peer weather.c "$T/weather/cyclone.c" -lddsc`,
		},
		packages: cyclone.packages,
	},
	{
		name: "fastdds-weather", sources: []string{"weather/fastdds.cpp", "fastdds/raw_type.*"},
		commands: []string{
			`c++ -std=c++17 -O1 -Wall -Wextra -I"$T/fastdds" -o peer "$T/weather/fastdds.cpp" "$T/fastdds/raw_type.cpp" -lfastrtps -lfastcdr`,
		},
		packages: fastdds.packages,
	},
}

// weatherLine is what the peers print of main.go's reading.
const weatherLine = "weather_msgs::msg::dds_::Reading_ 12 34 map 1 2 3 roof 1:21.5 2:101325 0.5 -0.5 0\n"

// TestOwnMessagesInSeparateModule follows docs/tutorial/own-messages.md: a module outside of this one generates its
// messages, service and action, and Cyclone DDS, Fast DDS and the shell tools receive from its program; the tools get
// its types from the program's descriptions.
func TestOwnMessagesInSeparateModule(t *testing.T) {
	needNamespace(t)
	if !suite.Long {
		t.Skip("it builds a module")
	}
	program := buildWeather(t)
	const domain = 77
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), fmt.Sprint("ROS_DOMAIN_ID=", domain))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = cmd.Process.Kill(), cmd.Wait() }()
	for _, s := range weather {
		out, err := exec.Command(s.path(t), fmt.Sprint(domain), "rt/reading").Output()
		if err != nil || string(out) != weatherLine {
			t.Errorf("%s: %v\n%swant\n%s", s.name, err, out, weatherLine)
		}
	}
	for line, want := range map[string]string{
		"topic type /reading":        "weather_msgs/msg/Reading\n",
		"topic echo --once /reading": "station: roof\nsamples:\n- kind: 1\n  value: 21.5\n- kind: 2\n  value: 101325.0\nwind:\n- 0.5\n- -0.5\n- 0.0\n---\n",
		"service type /place":        "weather_msgs/srv/Place\n",
		"action list -t":             "/survey [weather_msgs/action/Survey]\n",
		"interface show weather_msgs/srv/Place --no-comments": "---\nbool success\nstring message\n",
	} {
		if got := runShell(t, domain, line); !strings.HasSuffix(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", line, got, want)
		}
	}
}

// runShell runs a shell tool that knows the types of this module alone.
func runShell(t *testing.T, domain uint32, line string) string {
	t.Helper()
	var out bytes.Buffer
	env := shell.Env{
		Program: "tool", Out: &out, Err: &out, Node: "_tool", Types: msgs.Definition, TypeNames: msgs.Names(),
		Open: func() (ros2.Transport, error) { return rmw.New(rmw.Config{DomainID: domain}) },
	}
	if status := shell.Run(t.Context(), env, strings.Fields(line)); status != shell.ExitOK {
		t.Errorf("%s: status %d", line, status)
	}
	return out.String()
}

// buildWeather copies the module, generates its packages with go generate and builds its program, without a network, by
// the commands of the tutorial for a clone of this repository.
func buildWeather(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "msgs/cmd/msggen/testdata/weather"))); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum")) // cp ../epuck-driver/go.sum .
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644); err != nil {
		t.Fatal(err)
	}
	const ours = "github.com/epuck-ros2/epuck-driver"
	for _, args := range [][]string{
		{"mod", "init", "example.com/weather"},
		{"mod", "edit", "-require", ours + "@v0.0.0", "-replace", ours + "=" + root, "-tool", ours + "/msgs/cmd/msggen"},
		{"list", "-mod=mod", "tool"}, {"generate", "-mod=mod", "./..."}, {"list", "-mod=mod", "./..."}, {"vet", "./..."}, {"build", "-o", "weather", "."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOWORK=off") // the proxy is the user's
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return filepath.Join(dir, "weather")
}
