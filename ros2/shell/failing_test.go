// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
)

// everyTool is a command line for each tool, on the network of newFull.
var everyTool = []struct {
	line  string
	stays bool // until it is interrupted
}{
	{"node info /robot/driver", false}, {"node list", false},
	{"param delete /robot/driver dyn", false}, {"param describe /robot/driver rate", false}, {"param dump /robot/driver", false},
	{"param get /robot/driver rate", false}, {"param list", false}, {"param list /robot/driver", false},
	{"param set /robot/driver rate 10.0", false},
	{"service call /robot/switch std_srvs/srv/SetBool", false}, {"service find std_srvs/srv/SetBool", false}, {"service list", false},
	{"service type /robot/switch", false}, {"service call -r 1 /robot/switch std_srvs/srv/SetBool", true},
	{"service call /nowhere std_srvs/srv/SetBool", true},
	{"topic bw /robot/state", true}, {"topic echo /robot/state", true}, {"topic find std_msgs/msg/String", false},
	{"topic hz /robot/state", true}, {"topic hz /nothing", true}, {"topic info /robot/state", false}, {"topic list", false},
	{"topic pub /robot/cmd_vel geometry_msgs/msg/Twist", true}, {"topic pub --once /nothing std_msgs/msg/Bool", true},
	{"topic type /robot/state", false},
}

// fill creates endpoints and parameters of every kind on the world's node.
func (w *world) fill() {
	w.populate()
	w.serve()
	w.declare()
}

// Every tool reports a network that cannot be joined.
func TestNoNetwork(t *testing.T) {
	for _, tool := range everyTool {
		var out, errs bytes.Buffer
		w := &world{t: t, net: ros2test.NewNetwork()}
		env := w.env(&out, &errs)
		env.Open = func() (ros2.Transport, error) { return nil, errors.New("no interface is up") }
		if status := shell.Run(t.Context(), env, split(tool.line)); status != shell.ExitFailed || errs.String() != "no interface is up\n" || out.Len() > 0 {
			t.Errorf("%s: status %d, %q, %q", tool.line, status, out.String(), errs.String())
		}
	}
}

// Every tool ends with the reason if the network fails.
func TestNetworkBreaks(t *testing.T) {
	for _, tool := range everyTool {
		inWorld(t, func(w *world) {
			w.fill()
			var out, errs bytes.Buffer
			env := w.env(&out, &errs)
			env.Open = func() (ros2.Transport, error) {
				tr := w.net.NewTransport()
				time.AfterFunc(50*time.Millisecond, func() { tr.Break(errors.New("the cable is out")) })
				return tr, nil
			}
			begin := time.Now()
			status := shell.Run(w.t.Context(), env, split(tool.line))
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("%s ended after %v only", tool.line, took)
			}
			if tool.stays && (status != shell.ExitFailed || !strings.Contains(errs.String(), "the cable is out")) {
				t.Errorf("%s: status %d, %q", tool.line, status, errs.String())
			}
		})
	}
}

// Ctrl-C ends every tool at once with its status, whatever it waits for.
func TestInterrupted(t *testing.T) {
	for _, tool := range everyTool {
		for _, after := range []time.Duration{0, 300 * time.Millisecond, 2 * time.Minute} {
			inWorld(t, func(w *world) {
				w.fill()
				ctx, cancel := context.WithCancel(w.t.Context())
				var out, errs bytes.Buffer
				time.AfterFunc(after, cancel)
				begin := time.Now()
				status := shell.Run(ctx, w.env(&out, &errs), split(tool.line))
				cancel()
				took := time.Since(begin)
				if took > after+time.Second {
					t.Errorf("%s, interrupted after %v, ended after %v", tool.line, after, took)
				}
				if tool.stays && after > time.Minute && status != shell.ExitInterrupted {
					t.Errorf("%s: status %d, %q", tool.line, status, errs.String())
				}
				for line := range strings.Lines(errs.String()) {
					if status == shell.ExitInterrupted && !strings.HasPrefix(line, "waiting for ") {
						t.Errorf("%s says of an interruption %q", tool.line, line)
					}
				}
			})
		}
	}
}

// rude is a node whose parameter services respond with arbitrary bytes.
func (w *world) rude(answer func(service string) []byte) {
	w.t.Helper()
	tr := w.net.NewTransport()
	node := ros2.NodeName{Namespace: "/", Name: "rude"}
	if err := tr.AddNode(node); err != nil {
		w.t.Fatal(err)
	}
	for service, typ := range map[string]string{
		"list_parameters": "ListParameters", "get_parameters": "GetParameters", "set_parameters": "SetParameters",
		"describe_parameters": "DescribeParameters", "get_parameter_types": "GetParameterTypes",
	} {
		_, err := tr.NewServer(ros2.ServerConfig{
			ServiceConfig: ros2.ServiceConfig{Node: node, Name: "/rude/" + service, Type: "rcl_interfaces/srv/" + typ},
			OnRequest: func(r ros2.Request) {
				if b := answer(service); b != nil {
					_ = r.Respond(b) // if the client is still there
				}
			},
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	w.t.Cleanup(func() { _ = tr.Close() })
}

// paramTools are the tools that call the rude node.
var paramTools = []string{
	"param delete /rude x", "param describe /rude x", "param dump /rude", "param get /rude x", "param list /rude",
	"param list --param-type /rude", "param set /rude x 1",
}

// Every tool handles empty responses, and does not show them as values.
func TestEmptyAnswers(t *testing.T) {
	inWorld(t, func(w *world) {
		w.rude(func(string) []byte { return []byte{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} })
		for _, line := range paramTools {
			r := w.run(line)
			if strings.Contains(r.out, "successful") || strings.Contains(r.out, "value is") {
				t.Errorf("%s: %d, %q, %q", line, r.status, r.out, r.err)
			}
		}
		w.wantError("param set /rude x 1", "node /rude returned results for 0 of 1 parameters\n", shell.ExitFailed)
	})
}

// For any response a tool ends with one of its statuses.
func TestAnyAnswer(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.SampledFrom(paramTools).Draw(rt, "line")
		answers := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 40), 1, 4).Draw(rt, "answers")
		silent := rapid.Bool().Draw(rt, "silent")
		synctest.Test(t, func(t *testing.T) {
			w := &world{t: t, net: ros2test.NewNetwork()}
			n := 0
			w.rude(func(string) []byte {
				n++
				if n > len(answers) && silent {
					return nil
				}
				return append([]byte{0, 1, 0, 0}, answers[(n-1)%len(answers)]...)
			})
			if r := w.run(line); r.status < shell.ExitOK || r.status > shell.ExitUsage {
				t.Errorf("%s: status %d", line, r.status)
			}
		})
	})
}

// A server that leaves during a call is reported at once.
func TestServerLeaves(t *testing.T) {
	inWorld(t, func(w *world) {
		tr := w.net.NewTransport()
		node := ros2.NodeName{Namespace: "/", Name: "short"}
		if err := tr.AddNode(node); err != nil {
			t.Fatal(err)
		}
		left := make(chan struct{})
		server, err := tr.NewServer(ros2.ServerConfig{
			ServiceConfig: ros2.ServiceConfig{Node: node, Name: "/go", Type: "std_srvs/srv/SetBool"},
			OnRequest:     func(ros2.Request) { close(left) },
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			<-left
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		}()
		w.wantError("service call /go std_srvs/srv/SetBool", "Exception while calling service: the server of /go left\n", shell.ExitFailed)
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A response that does not match its type is an error, and is not shown.
func TestMalformedResponse(t *testing.T) {
	inWorld(t, func(w *world) {
		tr := w.net.NewTransport()
		node := ros2.NodeName{Namespace: "/", Name: "short"}
		if err := tr.AddNode(node); err != nil {
			t.Fatal(err)
		}
		_, err := tr.NewServer(ros2.ServerConfig{
			ServiceConfig: ros2.ServiceConfig{Node: node, Name: "/go", Type: "std_srvs/srv/SetBool"},
			OnRequest:     func(r ros2.Request) { _ = r.Respond([]byte{0, 1, 0, 0, 1}) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if r := w.run("service call /go std_srvs/srv/SetBool"); r.status != shell.ExitFailed || strings.Contains(r.out, "response:") || r.err == "" {
			t.Errorf("%+v", r)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A message that does not match its type ends echo with the reason; earlier messages are shown.
func TestMalformedMessage(t *testing.T) {
	inWorld(t, func(w *world) {
		tr := w.net.NewTransport()
		node := ros2.NodeName{Namespace: "/", Name: "rude"}
		if err := tr.AddNode(node); err != nil {
			t.Fatal(err)
		}
		writer, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
			Node: node, Topic: "/bad", Type: "std_msgs/msg/String", QoS: ros2.LatchedQoS().WithDepth(2),
		}})
		if err != nil {
			t.Fatal(err)
		}
		good, err := cdr.Marshal(nil, &std_msgs.String{Data: "good"})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(writer.Write(good), writer.Write([]byte{0, 1, 0, 0, 255, 0, 0, 0, 'x'})); err != nil {
			t.Fatal(err)
		}
		r := w.run("topic echo /bad")
		if r.status != shell.ExitFailed || r.out != "data: good\n---\n" || !strings.Contains(r.err, "cannot decode a message") {
			t.Errorf("%+v", r)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
}

// For a topic with two types, tools that need one list them.
func TestTopicWithTwoTypes(t *testing.T) {
	inWorld(t, func(w *world) {
		other := w.join("other", "/")
		if _, err := ros2.NewPublisher[std_msgs.String](w.node, "/both", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		if _, err := ros2.NewPublisher[geometry_msgs.Twist](other, "/both", ros2.DefaultQoS()); err != nil {
			t.Fatal(err)
		}
		for _, tool := range []string{"echo", "hz", "bw"} {
			w.wantError("topic "+tool+" /both", "more than one type: [geometry_msgs/msg/Twist, std_msgs/msg/String]", shell.ExitFailed)
		}
		w.want("topic type /both", "geometry_msgs/msg/Twist\nstd_msgs/msg/String\n")
		r := w.run("topic info /both")
		if !strings.HasPrefix(r.out, "Type: ['geometry_msgs/msg/Twist', 'std_msgs/msg/String']\nPublisher count: 2\n") {
			t.Error(r.out)
		}
	})
}

// Two nodes with the same name are reported.
func TestNodesWithSameName(t *testing.T) {
	inWorld(t, func(w *world) {
		w.join("driver", "/robot")
		r := w.run("node list")
		if r.out != "/robot/driver\n/robot/driver\n" || !strings.Contains(r.err, "share an exact name") {
			t.Errorf("%+v", r)
		}
		r = w.run("node info /robot/driver")
		if !strings.Contains(r.err, `There are 2 nodes in the graph with the exact name "/robot/driver"`) || r.status != shell.ExitOK {
			t.Errorf("%+v", r)
		}
		w.want("node list --count-nodes --all", "2\n")
	})
}
