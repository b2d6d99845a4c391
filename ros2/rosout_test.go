// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"bytes"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestRosout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		tr.Record()
		var console bytes.Buffer
		log := slog.New(slog.NewTextHandler(&console, &slog.HandlerOptions{Level: slog.LevelWarn})).With("pid", 7)
		n := standardNode(t, tr, log, "--ros-args --log-level info")
		before := time.Now()
		l := n.Logger()
		l.Debug("below the level")
		l.Info("hello", "name", "two words", "empty", "")
		l.WithGroup("bus").With("id", 3).Warn("retry", slog.Group("try", "n", 2), slog.Group("", "inline", true), slog.Attr{})
		l.Error("failed", "error", errors.New("a=b"))
		l.Log(t.Context(), ros2.LevelFatal, "over")
		synctest.Wait()
		got := ros2test.Messages[rcl_interfaces.Log](t, tr, "/rosout")
		var lines []string
		for _, m := range got {
			lines = append(lines, m.Msg)
			if m.Name != "r.n" || filepath.Base(m.File) != "rosout_test.go" || m.Line == 0 || !strings.HasSuffix(m.Function, "TestRosout.func1") {
				t.Errorf("origin of %+v", m)
			}
			if at := m.Stamp.Time(); at.Before(before.Add(-time.Second)) || at.After(time.Now().Add(time.Second)) {
				t.Errorf("stamped %v", at)
			}
		}
		want := []string{
			`hello name="two words" empty=""`,
			"retry bus.id=3 bus.try.n=2 bus.inline=true",
			`failed error="a=b"`,
			"over",
		}
		if !slices.Equal(lines, want) {
			t.Errorf("rosout:\n%q, want\n%q", lines, want)
		}
		var levels []uint8
		for _, m := range got {
			levels = append(levels, m.Level)
		}
		if !slices.Equal(levels, []uint8{20, 30, 40, 50}) {
			t.Errorf("levels %v", levels)
		}
		// The console keeps its own level and format.
		if text := console.String(); strings.Contains(text, "hello") || !strings.Contains(text, "pid=7 logger=r.n bus.id=3 bus.try.n=2") {
			t.Errorf("console:\n%s", text)
		}
	})
}

// Lines are kept for a late subscription, even without a console; a failed transport does not prevent logging.
func TestRosoutLateSubscriptionAndFailedTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		n := standardNode(t, tr, nil, "--ros-args --log-level debug")
		n.Logger().Debug("early")
		synctest.Wait()
		var late []string
		if _, err := ros2.NewSubscription(newNode(t, tr, "console"), "/rosout", ros2.RosoutQoS(),
			func(m *rcl_interfaces.Log, _ ros2.MessageInfo) { late = append(late, m.Msg) }); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if !slices.Equal(late, []string{"early"}) {
			t.Errorf("a late subscription received %q", late)
		}
		tr.Break(errors.New("lost"))
		n.Logger().Error("not published")
		n.Close()
		n.Logger().Error("nor this")
	})
}

func TestStdoutLogsCanBeSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		tr.Record()
		var console bytes.Buffer
		n := standardNode(t, tr, slog.New(slog.NewTextHandler(&console, nil)), "--ros-args --disable-stdout-logs")
		n.Logger().Error("only on rosout")
		synctest.Wait()
		if console.Len() != 0 || len(tr.Recorded("/rosout")) != 1 {
			t.Errorf("console %q, %d on rosout", console.String(), len(tr.Recorded("/rosout")))
		}
	})
}

// A stalled network does not delay logging. Lines beyond the queue are counted, and the count is logged when it
// recovers.
func TestRosoutNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		tr.Record()
		held := &heldTransport{Transport: tr, free: make(chan struct{})}
		n := standardNode(t, held, nil, "")
		n.Logger().Info("line")
		synctest.Wait() // it is being sent
		for range 299 {
			n.Logger().Info("line")
		}
		close(held.free)
		synctest.Wait()
		got := ros2test.Messages[rcl_interfaces.Log](t, tr, "/rosout")
		if len(got) != 1+256+1 || got[257].Msg != "log lines were dropped: they arrived faster than they were written lines=43" {
			t.Errorf("%d lines, the last %q", len(got), got[len(got)-1].Msg)
		}
	})
}

// heldTransport is a transport whose writers block until it is released.
type heldTransport struct {
	*ros2test.Transport
	free chan struct{}
}

func (h *heldTransport) NewWriter(cfg ros2.WriterConfig) (ros2.Writer, error) {
	w, err := h.Transport.NewWriter(cfg)
	return heldWriter{w, h.free}, err
}

type heldWriter struct {
	ros2.Writer
	free chan struct{}
}

func (w heldWriter) Write(p []byte) error {
	<-w.free
	return w.Writer.Write(p)
}
