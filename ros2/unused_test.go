// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestUnusedParameters: parameters and nodes that a command line or a file has misspelled are reported once, with their
// origin and suggestions; all others are not.
func TestUnusedParameters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.yaml")
	text := "/**:\n  ros__parameters:\n    rate: 5\n    imu: {rat: 3}\n" +
		"/driver:\n  ros__parameters: {rate: 1}\n" +
		"/a/drivr:\n  ros__parameters: {x: 1, y: 2}\n" +
		"/b/*:\n  ros__parameters: {rate: 1}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	transport := ros2test.NewTransport()
	defer func() { _ = transport.Close() }()
	args, _, err := ros2.ParseArgs([]string{"--ros-args", "--params-file", file, "-p", "rte:=1", "-p", "other:rate:=1",
		"-p", "qos_overrides./odom.publisher.depth:=3", "-p", "rte:=2"})
	if err != nil {
		t.Fatal(err)
	}
	var nodes []*ros2.Node
	for _, namespace := range []string{"/a", "/b"} {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "driver", Namespace: namespace, Transport: transport, Args: args})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = n.Close() }()
		for _, name := range []string{"rate", "imu.rate"} {
			if _, err := n.Parameters().Declare(ros2.ParameterDescriptor{Name: name, Default: ros2.IntegerValue(1)}); err != nil {
				t.Fatal(err)
			}
		}
		nodes = append(nodes, n)
	}
	var got []string
	for _, u := range ros2.UnusedParameters(args, nodes...) {
		got = append(got, strings.ReplaceAll(u.String(), file, "p.yaml"))
	}
	want := []string{
		`there is no parameter "imu.rat"; did you mean 'imu.rate'? (p.yaml:4:11)`,
		"no node is called /driver; did you mean '/a/driver' or '/b/driver'? (p.yaml:6:21)",
		"no node is called /a/drivr; did you mean '/a/driver' or '/b/driver'? (p.yaml:8:21)",
		`there is no parameter "rte"; did you mean 'rate'? (-p rte:=1)`,
		"no node is called /other (-p other:rate:=1)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
