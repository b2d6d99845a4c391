// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// evil clears a terminal, writes its clipboard, reverses letters, begins another line and is not UTF-8.
const evil = "\x1b[2J\x1b]52;c;Zm9v\a\u009b\u202e\r\x7f\xff"

// addHostile creates a participant with evil text in all names and values. Unlike ros2/rmw, this network does not check
// names.
func (w *world) addHostile() {
	w.t.Helper()
	tr := w.net.NewTransport()
	w.t.Cleanup(func() { _ = tr.Close() })
	node := ros2.NodeName{Namespace: "/" + evil, Name: "a" + evil}
	if err := tr.AddNode(node); err != nil {
		w.t.Fatal(err)
	}
	for topic, typ := range map[string]string{"/evil": "std_msgs/msg/String", "/x" + evil: "std_msgs/msg/String", "/other": "a/msg/B" + evil} {
		_, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Node: node, Topic: topic, Type: typ, TypeHash: evil}})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	for _, name := range []string{"/serve" + evil, "/act" + evil + "/_action/send_goal"} {
		_, err := tr.NewServer(ros2.ServerConfig{ServiceConfig: ros2.ServiceConfig{Node: node, Name: name, Type: "a/srv/B" + evil},
			OnRequest: func(ros2.Request) {}})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// speakEvil creates a topic, a service and a parameter with evil contents on the world's node.
func (w *world) speakEvil() {
	w.t.Helper()
	check := func(err error) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	pub, err := ros2.NewPublisher[std_msgs.String](w.node, "said", ros2.LatchedQoS())
	check(err)
	check(pub.Publish(&std_msgs.String{Data: evil + "\n" + evil}))
	_, err = ros2.NewService(w.node, std_srvs.Trigger{}, "go", func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
		return &std_srvs.TriggerResponse{Message: evil}, nil
	})
	check(err)
	_, err = w.node.DeclareParameter(ros2.ParameterDescriptor{Name: "p", Default: ros2.StringValue(evil), Description: evil, Constraints: evil})
	check(err)
}

// hostileRuns are command lines that print text from the network; EVIL stands for evil.
var hostileRuns = []string{
	"node list -a", "node info /robot/driver", "node info /EVIL/aEVIL", "node info /robot/drivre",
	"topic list -t", "topic list -v", "topic info -v /evil", "topic info /xEVIL", "topic info -v /other", "topic type /other", "topic find a/msg/BEVIL",
	"topic echo --once /robot/said", "topic echo --once --csv /robot/said", "topic echo --once --field data /robot/said", "topic echo --once /other",
	"topic echo --once --raw /robot/said", "topic echo --once --flow-style /robot/said", "topic hz /xEVIL", "topic bw /xEVIL", "topic delay /xEVIL",
	"service list -t", "service type /serveEVIL", "service call /robot/go std_srvs/srv/Trigger", "service call /serveEVIL std_srvs/srv/Trigger",
	"param list /robot/driver --param-type", "param get /robot/driver p", "param get --hide-type /robot/driver p", "param describe /robot/driver p", "param dump /robot/driver",
	"param set /robot/driver nopeEVIL 1", "action list -t", "action info -t /actEVIL",
	"__complete topic info ''", "__complete node info ''", "__complete service call /serveEVIL ''", "__complete action info ''",
	"topic echo /said nopeEVIL", "topic pub /a std_msgs/msg/String '{EVIL: 1}'", "topic list --EVIL",
}

func TestToolsEscapeForeignText(t *testing.T) {
	inWorld(t, func(w *world) {
		w.addHostile()
		w.speakEvil()
		printed := 0
		for _, line := range hostileRuns {
			out, errs := w.runHostile(line)
			if out+errs != "" {
				printed++
			}
			for _, text := range []string{out, errs} {
				if at := strings.IndexFunc(text, isForbidden); at >= 0 || !utf8.ValidString(text) {
					t.Errorf("%q: control character at byte %d of %q", line, at, text)
				}
			}
		}
		if printed < len(hostileRuns)-6 {
			t.Errorf("%d of %d command lines printed something", printed, len(hostileRuns))
		}
	})
}

// runHostile runs one of hostileRuns.
func (w *world) runHostile(line string) (out, errs string) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 5*time.Second)
	defer cancel()
	words := split(line)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], "EVIL", evil)
	}
	var o, e bytes.Buffer
	_ = shell.Run(ctx, w.env(&o, &e), words)
	return o.String(), e.String()
}

// The commands of a program with its own root also escape.
func TestCommandsEscapeForeignText(t *testing.T) {
	inWorld(t, func(w *world) {
		w.addHostile()
		var out, errs bytes.Buffer
		root := &cobra.Command{Use: "tool"}
		root.AddCommand(shell.Commands(w.env(&out, &errs))...)
		root.SetArgs([]string{"topic", "list", "-t"})
		if err := root.ExecuteContext(w.t.Context()); err != nil || !strings.Contains(out.String(), `[a/msg/B\x1b[2J`) {
			t.Errorf("%v, %q", err, out.String())
		}
	})
}

// A line break in a value does not start a new row of a table.
func TestCSVKeepsRowsWhole(t *testing.T) {
	inWorld(t, func(w *world) {
		w.speakEvil()
		if r := w.run("topic echo --once --csv /robot/said"); strings.Count(r.out, "\n") != 1 || r.status != 0 {
			t.Errorf("%q, %s", r.out, r.err)
		}
	})
}

func isForbidden(r rune) bool { return !printable.IsPrintable(r) && r != '\n' && r != '\t' }
