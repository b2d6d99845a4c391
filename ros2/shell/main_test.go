// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// world is a network in memory with a node, in a bubble of simulated time.
type world struct {
	t    *testing.T
	net  *ros2test.Network
	node *ros2.Node
}

// inWorld runs f in a bubble with a network on which the node /robot/driver is.
func inWorld(t *testing.T, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, net: ros2test.NewNetwork()}
		w.node = w.join("driver", "/robot")
		f(w)
	})
}

// join creates another node on the network.
func (w *world) join(name, namespace string) *ros2.Node {
	w.t.Helper()
	tr := w.net.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Namespace: namespace, Transport: tr, Standard: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := n.Close(); err != nil {
			w.t.Error(err)
		}
		if err := tr.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return n
}

// result is the output and status of a tool.
type result struct {
	out, err string
	status   int
}

// env returns the environment of the tools in tests.
func (w *world) env(out, err *bytes.Buffer) shell.Env {
	return shell.Env{
		Program: "tool", Out: out, Err: err, Node: "_tool_1", Types: msgs.Definition, TypeNames: msgs.Names(), Sources: msgs.Sources(),
		Open: func() (ros2.Transport, error) { return w.net.NewTransport(), nil },
	}
}

// run runs a tool; words are separated by blanks, except within single quotes.
func (w *world) run(line string) result { return w.runFor(line, time.Hour) }

// runFor is run for a tool that is interrupted after a time.
func (w *world) runFor(line string, d time.Duration) result {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), d)
	defer cancel()
	var out, errs bytes.Buffer
	status := shell.Run(ctx, w.env(&out, &errs), split(line))
	return result{out.String(), errs.String(), status}
}

func split(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// want checks the output of a tool that succeeds.
func (w *world) want(line, out string) {
	w.t.Helper()
	if r := w.run(line); r.out != out || r.err != "" || r.status != 0 {
		w.t.Errorf("%s: status %d\n%s%s\nwant\n%s", line, r.status, r.out, r.err, out)
	}
}

// wantError checks the error of a tool that fails.
func (w *world) wantError(line, text string, status int) {
	w.t.Helper()
	if r := w.run(line); !strings.Contains(r.err, text) || r.status != status {
		w.t.Errorf("%s: status %d\n%s%s\nwant %d, %s", line, r.status, r.out, r.err, status, text)
	}
}
