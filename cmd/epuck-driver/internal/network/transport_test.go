// SPDX-License-Identifier: Apache-2.0

package network

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
)

// parseTransport reads --transport.
func parseTransport(args string) (Choice, error) {
	var n Choice
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
		if err != nil || n.Transport != c.transport {
			t.Errorf("%q: %+v, %v", c.args, n, err)
		}
	}
}

// TestTransportRCLGo is true on both sides of the build tag: with it the transport is taken, without it the error
// says how to get it.
func TestTransportRCLGo(t *testing.T) {
	n, err := parseTransport("--transport rclgo")
	if rclgo.BuiltIn {
		if err != nil || n.Transport != build.RCLGo || !slices.Contains(build.Transports(), build.RCLGo) {
			t.Errorf("%+v, %v, %v", n, build.Transports(), err)
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
	if _, err := (Choice{Transport: build.RCLGo}).Open(ros2.Args{}, slog.New(slog.DiscardHandler)); !errors.Is(err, rclgo.ErrNotBuiltIn) {
		t.Errorf("opened all the same: %v", err)
	}
}

func TestTransportDefault(t *testing.T) {
	t.Setenv("ROS_LOCALHOST_ONLY", "1")
	t.Setenv("ROS_DOMAIN_ID", "211")
	for _, name := range []string{"", build.RTPS} {
		tr, err := Choice{Transport: name}.Open(ros2.Args{}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := tr.(ros2.DescribedTransport); !ok || d.Description() != build.RTPS {
			t.Errorf("%q opens %T", name, tr)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("ROS_DOMAIN_ID", "many")
	if _, err := (Choice{}).Open(ros2.Args{}, slog.New(slog.DiscardHandler)); !errors.As(err, new(frame.UsageError)) {
		t.Errorf("a bad environment: %v", err)
	}
}
