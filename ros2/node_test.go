// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestNodeNames(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "driver", "--ros-args", "-r", "__ns:=/robot1", "-r", "scan:=laser/scan")
	if n.FullName() != "/robot1/driver" {
		t.Errorf("full name %q", n.FullName())
	}
	p := newPublisher(t, n, "scan", ros2.DefaultQoS())
	if p.Topic() != "/robot1/laser/scan" || p.Type() != "test_msgs/msg/Chatter" {
		t.Errorf("publisher of %s, %s", p.Topic(), p.Type())
	}
	if g := n.Graph(); len(g.Nodes) != 1 || g.Nodes[0] != n.Name() || len(g.EndpointsOf(n.Name())) != 1 {
		t.Errorf("graph %+v", g)
	}
}

func TestNewNodeErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	closed := ros2test.NewTransport()
	tr.Close()
	closed.Close()
	bad, _, err := ros2.ParseArgs([]string{"--ros-args", "-p", "use_sim_time:=maybe"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cfg  ros2.NodeConfig
		want error
	}{
		"no transport": {ros2.NodeConfig{Name: "n"}, ros2.ErrConfig},
		"no name":      {ros2.NodeConfig{Transport: tr}, ros2.ErrInvalidName},
		"bad name":     {ros2.NodeConfig{Name: "1st", Transport: tr}, ros2.ErrInvalidName},
		"namespace":    {ros2.NodeConfig{Name: "n", Namespace: "a//b", Transport: tr}, ros2.ErrInvalidName},
		"parameter":    {ros2.NodeConfig{Name: "n", Transport: tr, Args: bad}, ros2.ErrParameterType},
		"closed":       {ros2.NodeConfig{Name: "n", Transport: closed}, ros2.ErrClosed},
	} {
		if _, err := ros2.NewNode(c.cfg); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestNodeReportsTransportFailure(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	select {
	case <-n.Done():
		t.Fatal("done before anything broke")
	default:
	}
	lost := errors.New("no interface left")
	tr.Break(lost)
	<-n.Done()
	if !errors.Is(n.Err(), lost) {
		t.Errorf("Err() = %v", n.Err())
	}
}

func TestNodeDefaultsAndLogger(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	n.Logger().Error("goes nowhere")
	if d := time.Since(n.Now()); d < 0 || d > time.Minute {
		t.Errorf("the default clock is %v off", d)
	}
	if v, err := n.Parameter("use_sim_time"); err != nil || v.Type() != ros2.ParameterBool || v.Bool() {
		t.Errorf("use_sim_time = %v, %v", v, err)
	}
	var log strings.Builder
	args, _, err := ros2.ParseArgs([]string{"--ros-args", "--log-level", "robot.n:=warn"})
	if err != nil {
		t.Fatal(err)
	}
	n, err = ros2.NewNode(ros2.NodeConfig{
		Name: "n", Namespace: "robot", Transport: tr, Args: args,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	n.Logger().Info("too low")
	n.Logger().With("k", 1).WithGroup("g").Warn("heard")
	if got := log.String(); strings.Contains(got, "too low") || !strings.Contains(got, "logger=robot.n k=1") {
		t.Errorf("log:\n%s", got)
	}
}

func TestBatchCorksTransport(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	tr.Record()
	n := newNode(t, tr, "n")
	pub := newPublisher(t, n, "x", ros2.LatchedQoS())
	n.Batch(func() {
		for range 2 {
			if err := pub.Publish(new(chatter)); err != nil {
				t.Fatal(err)
			}
		}
	})
	func() {
		defer func() { recover() }()
		n.Batch(func() { panic("in the middle") })
	}()
	if err := pub.Publish(new(chatter)); err != nil {
		t.Fatal(err)
	}
	var batches []int
	for _, r := range tr.Recorded("/x") {
		batches = append(batches, r.Batch)
	}
	if len(batches) != 3 || batches[0] != 1 || batches[1] != 1 || batches[2] != 0 {
		t.Errorf("batches %v, want [1 1 0]: a panic must uncork, too", batches)
	}
}

// asked is a transport that requests a node's parameters as soon as the node is visible.
type asked struct {
	ros2.Transport
	see func()
}

func (a asked) AddNode(name ros2.NodeName) error {
	a.see()
	return a.Transport.AddNode(name)
}

// TestParametersAreDeclaredBeforeNodeIsVisible: a tool that requests the parameters as soon as the node is visible gets
// the program's parameters.
func TestParametersAreDeclaredBeforeNodeIsVisible(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	params := new(ros2.Parameters)
	seen := false
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Standard: true,
		Transport: asked{tr, func() {
			v, err := params.Get("rate")
			seen = err == nil && v.String() == "5.0"
		}},
		Declare: func(p *ros2.Parameters) error {
			params = p
			_, err := p.Declare(ros2.ParameterDescriptor{Name: "rate", Default: ros2.DoubleValue(5)})
			return err
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if !seen {
		t.Error("the node was on the network before its parameters were declared")
	}
	broken := errors.New("no such kind")
	if _, err := ros2.NewNode(ros2.NodeConfig{Name: "m", Transport: tr, Declare: func(*ros2.Parameters) error { return broken }}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if names := tr.Graph().Nodes; len(names) != 1 {
		t.Errorf("%v: a node that could not be made is seen", names)
	}
}
