// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"context"
	"log/slog"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
)

// rosoutTopic is where all nodes publish their log lines.
const rosoutTopic = "/rosout"

// rosoutDepth is how many lines a newcomer gets: fewer than the 1000 of ROS's
// profile, which for a small machine is much to keep for nobody.
const rosoutDepth = 100

// rosoutHandler publishes log lines on /rosout. It copies them to next, too.
type rosoutHandler struct {
	next slog.Handler
	out  *rosout
	text string // attributes of WithAttrs, as they stand behind the message
	path string // groups of WithGroup, each with a dot behind it
}

// rosout is where lines go, and under which name.
type rosout struct {
	name string // of the logger
	pub  *Publisher[rcl_interfaces.Log]
}

// openRosout begins to publish the node's log lines.
func (n *Node) openRosout() error {
	pub, err := NewPublisher[rcl_interfaces.Log](n, rosoutTopic, RosoutQoS().WithDepth(rosoutDepth))
	if err != nil {
		return err
	}
	name := n.name.LoggerName()
	h := rosoutHandler{next: n.logger.Handler(), out: &rosout{name, pub}}
	n.logger = slog.New(levelHandler{h, n.args.levels.of(name)})
	return nil
}

func (h rosoutHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h rosoutHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.next = h.next.WithAttrs(attrs)
	h.text = appendAttrs(h.text, h.path, attrs)
	return h
}

func (h rosoutHandler) WithGroup(name string) slog.Handler {
	h.next = h.next.WithGroup(name)
	if name != "" {
		h.path += name + "."
	}
	return h
}

// Handle copies the line and publishes it. That it could not be published cannot
// be logged.
func (h rosoutHandler) Handle(ctx context.Context, r slog.Record) error {
	text := h.text
	r.Attrs(func(a slog.Attr) bool {
		text = appendAttrs(text, h.path, []slog.Attr{a})
		return true
	})
	m := rcl_interfaces.Log{
		Stamp: builtin_interfaces.TimeOf(r.Time), Level: rosLevel(r.Level), Name: h.out.name, Msg: r.Message + text,
	}
	if source := r.Source(); source != nil {
		m.File, m.Function, m.Line = source.File, source.Function, uint32(max(source.Line, 0))
	}
	_ = h.out.pub.Publish(&m)
	if !h.next.Enabled(ctx, r.Level) {
		return nil
	}
	return h.next.Handle(ctx, r)
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
