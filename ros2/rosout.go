// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// rosoutTopic is the topic of all nodes' log lines.
const rosoutTopic = "/rosout"

// rosoutDepth is how many lines a late subscription gets: fewer than the 1000 of ROS's profile, which use much memory
// on a small machine.
const rosoutDepth = 100

// rosoutTimeout is how long Close of a node waits until its log lines are published.
const rosoutTimeout = 100 * time.Millisecond

// openRosout starts publishing the node's log lines. Logging does not wait for the network: the lines go through a
// separate queue.
func (n *Node) openRosout() error {
	pub, err := NewPublisher[rcl_interfaces.Log](n, rosoutTopic, RosoutQoS().WithDepth(rosoutDepth))
	if err != nil {
		return err
	}
	name := n.name.LoggerName()
	queued := lineText{to: n.rosout.Logger(rosoutHandler{name, pub}).Handler()}
	n.setLogger(slog.New(levelHandler{bothHandlers{queued, n.logger.Handler()}, n.args.levels.of(name)}))
	return nil
}

// bothHandlers passes each record to two handlers. The first accepts all levels.
type bothHandlers struct{ first, second slog.Handler }

func (h bothHandlers) Enabled(context.Context, slog.Level) bool { return true }

func (h bothHandlers) WithAttrs(attrs []slog.Attr) slog.Handler {
	return bothHandlers{h.first.WithAttrs(attrs), h.second.WithAttrs(attrs)}
}

func (h bothHandlers) WithGroup(name string) slog.Handler {
	return bothHandlers{h.first.WithGroup(name), h.second.WithGroup(name)}
}

func (h bothHandlers) Handle(ctx context.Context, r slog.Record) error {
	err := h.first.Handle(ctx, r)
	if !h.second.Enabled(ctx, r.Level) {
		return err
	}
	return errors.Join(err, h.second.Handle(ctx, r))
}

// lineText formats a record and its attributes into one text immediately, because the caller may later modify the
// values to which they point.
type lineText struct {
	to   slog.Handler
	text string // formatted attributes of WithAttrs
	path string // groups of WithGroup, each followed by a dot
}

func (h lineText) Enabled(context.Context, slog.Level) bool { return true }

func (h lineText) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.text = appendAttrs(h.text, h.path, attrs)
	return h
}

func (h lineText) WithGroup(name string) slog.Handler {
	if name != "" {
		h.path += name + "."
	}
	return h
}

func (h lineText) Handle(ctx context.Context, r slog.Record) error {
	text := r.Message + h.text
	r.Attrs(func(a slog.Attr) bool {
		text = appendAttrs(text, h.path, []slog.Attr{a})
		return true
	})
	return h.to.Handle(ctx, slog.NewRecord(r.Time, r.Level, text, r.PC))
}

// rosoutHandler publishes lines on /rosout.
type rosoutHandler struct {
	name string // of the logger
	pub  *Publisher[rcl_interfaces.Log]
}

func (h rosoutHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h rosoutHandler) WithAttrs([]slog.Attr) slog.Handler       { return h } // lineText has them
func (h rosoutHandler) WithGroup(string) slog.Handler            { return h }

func (h rosoutHandler) Handle(_ context.Context, r slog.Record) error {
	m := rcl_interfaces.Log{Stamp: builtin_interfaces.TimeOf(r.Time), Level: rosLevel(r.Level), Name: h.name, Msg: r.Message}
	r.Attrs(func(a slog.Attr) bool { // of the queue's own record
		m.Msg = appendAttrs(m.Msg, "", []slog.Attr{a})
		return true
	})
	if source := r.Source(); source != nil {
		m.File, m.Function, m.Line = source.File, source.Function, uint32(max(source.Line, 0))
	}
	return h.pub.Publish(&m)
}

// rosLevel returns the level of rcl_interfaces/msg/Log.
func rosLevel(l slog.Level) uint8 {
	switch {
	case l < slog.LevelInfo:
		return rcl_interfaces.LogDebug
	case l < slog.LevelWarn:
		return rcl_interfaces.LogInfo
	case l < slog.LevelError:
		return rcl_interfaces.LogWarn
	case l < LevelFatal:
		return rcl_interfaces.LogError
	}
	return rcl_interfaces.LogFatal
}

// appendAttrs appends " path.key=value" for each attribute; values with spaces
// are quoted.
func appendAttrs(text, path string, attrs []slog.Attr) string {
	var b strings.Builder
	b.WriteString(text)
	for _, a := range attrs {
		v := a.Value.Resolve()
		if v.Kind() == slog.KindGroup {
			inner := path
			if a.Key != "" {
				inner += a.Key + "."
			}
			b.WriteString(appendAttrs("", inner, v.Group()))
			continue
		}
		if a.Equal(slog.Attr{}) {
			continue
		}
		s := v.String()
		if s == "" || strings.ContainsAny(s, " \t\n\"=") {
			s = strconv.Quote(s)
		}
		b.WriteString(" " + path + a.Key + "=" + s)
	}
	return b.String()
}
