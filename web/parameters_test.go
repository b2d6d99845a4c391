// SPDX-License-Identifier: Apache-2.0

package web

import (
	"reflect"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// TestDeclare: what a command line or file says of the parameters is what the server gets, and nothing changes it
// later.
func TestDeclare(t *testing.T) {
	for _, c := range []struct {
		args []string
		want Settings
	}{
		{nil, Settings{}},
		{
			[]string{"-p", "web.address:=0.0.0.0:8765", "-p", "web.tls:=true", "-p", "web.hosts:=[robot]", "-p", "web.origins:=[https://a.example, https://b.example]"},
			Settings{Address: "0.0.0.0:8765", TLS: true, Hosts: []string{"robot"}, Origins: []string{"https://a.example", "https://b.example"}},
		},
	} {
		args, _, err := ros2.ParseArgs(append([]string{"--ros-args"}, c.args...))
		if err != nil {
			t.Fatal(err)
		}
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: ros2test.NewNetwork().NewTransport(), Args: args})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Declare(n)
		if err != nil || got.Address != c.want.Address || got.TLS != c.want.TLS || len(got.Hosts) != len(c.want.Hosts) || len(got.Origins) != len(c.want.Origins) ||
			len(c.want.Hosts) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, %v; want %+v", got, err, c.want)
		}
		if err := n.Parameters().SetAtomically(ros2.Parameter{Name: "web.tls", Value: ros2.BoolValue(!c.want.TLS)}); err == nil {
			t.Error("a parameter that is read at the start was set later")
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}
