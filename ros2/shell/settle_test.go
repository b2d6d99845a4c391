// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// appear publishes topics /robot/t0, /robot/t1 and so on, one each period: a large network that is discovered slowly.
func (w *world) appear(n int, period time.Duration) {
	go func() {
		for i := range n {
			time.Sleep(period)
			p, err := ros2.NewPublisher[std_msgs.Bool](w.node, fmt.Sprint("t", i), ros2.LatchedQoS())
			if err == nil {
				err = p.Publish(&std_msgs.Bool{Data: true})
			}
			if err != nil {
				w.t.Error(err)
			}
		}
	}()
}

// TestToolsWaitForLargeGraphs: discovery that takes longer than three seconds, but goes forward.
func TestToolsWaitForLargeGraphs(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"topic list", "/robot/t79\n"}, {"topic echo --once /robot/t70", "data: true\n"}, {"topic type /robot/t60", "std_msgs/msg/Bool\n"},
		{"topic list -c", "82\n"}, {"topic info /robot/t79", "Publisher count: 1\n"},
	} {
		inWorld(t, func(w *world) {
			w.appear(80, 100*time.Millisecond)
			if r := w.run(c.line); !strings.Contains(r.out, c.want) || strings.Contains(r.err, "The network still changes") {
				t.Errorf("%s: %s%s, want %s", c.line, r.out, r.err, c.want)
			}
		})
	}
}

// TestUnsettledGraphIsReported: a network that never settles.
func TestUnsettledGraphIsReported(t *testing.T) {
	inWorld(t, func(w *world) {
		w.appear(1000, 100*time.Millisecond)
		r := w.run("topic list -c")
		if !strings.Contains(r.err, "The network still changes after 1m0s: 1 nodes and ") || r.status != 0 {
			t.Errorf("%+v", r)
		}
		time.Sleep(time.Minute)
	})
}

// TestFieldsWithLineBreaksAreEscaped: one message is one line, and no control character reaches the terminal.
func TestFieldsWithLineBreaksAreEscaped(t *testing.T) {
	for text, want := range map[string]string{"a\nb": `a\nb`, "a\r\nb\n": `a\r\nb\n`, "\x1b[2J\n---": `\x1b[2J\n---`} {
		inWorld(t, func(w *world) {
			talk(w, "text", ros2.LatchedQoS(), time.Millisecond, 1, &std_msgs.String{Data: text})
			time.Sleep(time.Second)
			w.want("topic echo --once --field data /robot/text", want+"\n---\n")
		})
	}
}
