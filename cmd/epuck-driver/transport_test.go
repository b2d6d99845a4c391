// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// parseTransport reads --transport.
func parseTransport(args string) (transportChoice, error) {
	var n transportChoice
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	n.flags(flags)
	return n, flags.Parse(strings.Fields(args))
}

func TestTransportFlag(t *testing.T) {
	for _, c := range []struct {
		args, transport, bad string
	}{
		{"", "", ""},
		{"--transport rtps", "rtps", ""},
		{"--transport=rtps --transport=rtps", "rtps", ""},
		{"--transport zenoh", "", `"zenoh": there are rtps`},
		{"--transport=", "", `"": there are rtps`},
		{"--transport", "", "needs an argument"},
	} {
		n, err := parseTransport(c.args)
		if c.bad != "" {
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%q: error %v, want one with %q", c.args, err, c.bad)
			}
			continue
		}
		if err != nil || n.transport != c.transport {
			t.Errorf("%q: %+v, %v", c.args, n, err)
		}
	}
}

// TestTransportRCLGo is true on both sides of the build tag: with it the transport is taken, without it the error
// says how to get it.
func TestTransportRCLGo(t *testing.T) {
	n, err := parseTransport("--transport rclgo")
	if rclgo.BuiltIn {
		if err != nil || n.transport != transportRCLGo || !slices.Contains(transports(), transportRCLGo) {
			t.Errorf("%+v, %v, %v", n, transports(), err)
		}
		return
	}
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"not built into this program", "-tags rclgo", "scripts/rclgo-flags.sh", "Dockerfile.cross"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if _, err := (transportChoice{transport: transportRCLGo}).open(ros2.Args{}, slog.New(slog.DiscardHandler)); !errors.Is(err, rclgo.ErrNotBuiltIn) {
		t.Errorf("opened all the same: %v", err)
	}
}

func TestTransportDefault(t *testing.T) {
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", "211")
	for _, name := range []string{"", transportRTPS} {
		tr, err := transportChoice{transport: name}.open(ros2.Args{}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := tr.(ros2.DescribedTransport); !ok || d.Description() != transportRTPS {
			t.Errorf("%q opens %T", name, tr)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("ROS_DOMAIN_ID", "many")
	if _, err := (transportChoice{}).open(ros2.Args{}, slog.New(slog.DiscardHandler)); !errors.As(err, new(usageError)) {
		t.Errorf("a bad environment: %v", err)
	}
}

func TestTransportsText(t *testing.T) {
	for want, built := range map[string][]string{
		"rtps (default), rclgo":                 {"rtps", "rclgo"},
		"rtps (default); rclgo is not built in": {"rtps"},
	} {
		if got := transportsText(built); got != want {
			t.Errorf("%v: %q, want %q", built, got, want)
		}
	}
}
