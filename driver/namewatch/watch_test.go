// SPDX-License-Identifier: Apache-2.0

package namewatch_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/mailbox"
	"github.com/epuck-ros2/epuck-driver/driver/namewatch"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func node(t *testing.T, transport ros2.Transport, namespace, name string) *ros2.Node {
	t.Helper()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: namespace, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// TestOtherNodesOfTheName: they are counted in the same process and in another, only with the same namespace, and the
// log has one line when the first comes and one when the last has gone.
func TestOtherNodesOfTheName(t *testing.T) {
	for _, namespace := range []string{"/", "/robot1"} {
		network := ros2test.NewNetwork()
		own, other := network.NewTransport(), network.NewTransport()
		watched := node(t, own, namespace, "epuck_driver")
		var log bytes.Buffer
		w := namewatch.New(watched, slog.New(slog.NewTextHandler(&log, nil)))
		now := time.Unix(1000, 0)
		check := func(others, warnings, ends int) {
			t.Helper()
			now = now.Add(mailbox.LogPause)
			w.Check(now, true)
			w.Check(now, false)
			if w.Others() != others || strings.Count(log.String(), "level=WARN") != warnings || strings.Count(log.String(), "any more") != ends {
				t.Errorf("%d others, want %d, log:\n%s", w.Others(), others, &log)
			}
		}
		check(0, 0, 0)
		node(t, other, "/robot2", "epuck_driver")
		node(t, other, namespace, "simulation")
		check(0, 0, 0)
		far := node(t, other, namespace, "epuck_driver")
		check(1, 1, 0)
		near := node(t, own, namespace, "epuck_driver")
		check(2, 1, 0)
		_ = far.Close()
		check(1, 1, 0)
		_ = near.Close()
		check(0, 1, 1)
		far = node(t, other, namespace, "epuck_driver")
		check(1, 2, 1)
		_ = far.Close()
		if !strings.Contains(log.String(), "node="+watched.FullName()) {
			t.Errorf("%s", &log)
		}
		_ = watched.Close()
		_, _ = own.Close(), other.Close()
	}
}

// TestNamesThatComeAndGoAreRateLimited: the graph is looked at every [namewatch.Pause] at most, and a peer that changes
// its name all the time gets one line in [mailbox.LogPause].
func TestNamesThatComeAndGoAreRateLimited(t *testing.T) {
	network := ros2test.NewNetwork()
	own, other := network.NewTransport(), network.NewTransport()
	var log bytes.Buffer
	w := namewatch.New(node(t, own, "/", "robot"), slog.New(slog.NewTextHandler(&log, nil)))
	now := time.Unix(1000, 0)
	w.Check(now, true)
	n := node(t, other, "/", "robot")
	w.Check(now.Add(namewatch.Pause-1), true)
	if w.Others() != 0 {
		t.Error("looked at too early")
	}
	w.Check(now.Add(-time.Hour), false) // a clock that was set back
	if w.Others() != 1 {
		t.Error("not looked at after the clock was set back")
	}
	for range 60 {
		_ = n.Close()
		now = now.Add(namewatch.Pause)
		w.Check(now, true)
		n = node(t, other, "/", "robot")
		now = now.Add(namewatch.Pause)
		w.Check(now, true)
	}
	if lines := strings.Count(log.String(), "\n"); lines < 2 || lines > 26 {
		t.Errorf("%d lines in 240 s", lines)
	}
}
