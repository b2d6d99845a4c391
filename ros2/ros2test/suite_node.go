// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// nodeWith creates a node with the arguments of a command line.
func (f *fixture) nodeWith(tr ros2.Transport, name, args string, log *slog.Logger) *ros2.Node {
	f.Helper()
	parsed, rest, err := ros2.ParseArgs(strings.Fields(args))
	if err != nil || len(rest) != 0 {
		f.Fatal(err, rest)
	}
	n, err := ros2.NewNode(ros2.NodeConfig{Name: name, Transport: tr, Args: parsed, Logger: log, Standard: true})
	if err != nil {
		f.Fatal(err)
	}
	return n
}

// call calls a service of a node once.
func call[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](f *fixture, n *ros2.Node, s ros2.ServiceType[Req, Res], name string, request *Req) *Res {
	f.Helper()
	c, err := ros2.NewClient[Req, Res, PReq, PRes](n, s, name)
	if err != nil {
		f.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	response, err := c.Call(ctx, request)
	if err != nil {
		f.Fatalf("%s: %v", name, err)
	}
	if err := c.Close(); err != nil {
		f.Error(err)
	}
	return response
}

// servesParameters: another process reads and sets parameters, with overrides of the command line, and is notified of
// the change.
func (f *fixture) servesParameters() {
	n := f.nodeWith(f.join(), "owner", "--ros-args -r __ns:=/suite -p speed:=0.25 -p label:=mine", nil)
	for _, d := range []ros2.ParameterDescriptor{
		{Name: "speed", Default: ros2.DoubleValue(1), FloatRange: ros2.FloatBetween(0, 1)},
		{Name: "label", Default: ros2.StringValue("")},
	} {
		if _, err := n.DeclareParameter(d); err != nil {
			f.Fatal(err)
		}
	}
	asker := f.node(f.join(), "asker")
	var events ledger
	if _, err := ros2.NewSubscription(asker, "/parameter_events", ros2.ParameterEventsQoS(), func(m *rcl_interfaces.ParameterEvent, _ ros2.MessageInfo) {
		if m.Node == n.FullName() {
			events.add(len(m.ChangedParameters))
		}
	}); err != nil {
		f.Fatal(err)
	}
	f.settle()
	get := func() []rcl_interfaces.ParameterValue {
		return call(f, asker, rcl_interfaces.GetParameters{}, "/suite/owner/get_parameters", &rcl_interfaces.GetParametersRequest{Names: []string{"speed", "label"}}).Values
	}
	if v := get(); len(v) != 2 || v[0].DoubleValue != 0.25 || v[1].StringValue != "mine" {
		f.Errorf("values %+v", v)
	}
	set := func(speed float64) bool {
		var p rcl_interfaces.Parameter
		p.Name, p.Value.Type, p.Value.DoubleValue = "speed", 3, speed
		r := call(f, asker, rcl_interfaces.SetParameters{}, "/suite/owner/set_parameters", &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{p}}).Results
		return len(r) == 1 && r[0].Successful
	}
	if !set(0.5) || set(2) {
		f.Error("a valid value was rejected, or an invalid one accepted")
	}
	if v := get(); len(v) != 2 || v[0].DoubleValue != 0.5 {
		f.Errorf("after setting: %+v", v)
	}
	f.settle()
	if got := events.all(); !slices.Equal(got, []int{1}) {
		f.Errorf("parameter events with %v changes, want one with 1", got)
	}
}

// logsToRosout: another process that joins late receives the log.
func (f *fixture) logsToRosout() {
	var terminal bytes.Buffer
	n := f.nodeWith(f.join(), "owner", "--ros-args -r __ns:=/suite", slog.New(slog.NewTextHandler(&terminal, nil)))
	n.Logger().Warn("it is late", slog.Int("hour", 23))
	listener := f.node(f.join(), "listener")
	var lines ledger
	if _, err := ros2.NewSubscription(listener, "/rosout", ros2.RosoutQoS(), func(m *rcl_interfaces.Log, _ ros2.MessageInfo) {
		if m.Name == "suite.owner" && strings.Contains(m.Msg, "hour=23") {
			lines.add(int(m.Level))
		}
	}); err != nil {
		f.Fatal(err)
	}
	f.settle()
	if got := lines.all(); !slices.Equal(got, []int{30}) {
		f.Errorf("levels of the line: %v, want that of a warning once", got)
	}
	if !strings.Contains(terminal.String(), "it is late") {
		f.Errorf("the terminal shows %q", terminal.String())
	}
}

// remapsNames: the arguments rename a node, its topics and services, each once: two rules that swap names must not be
// applied again by the transport.
func (f *fixture) remapsNames() {
	a, b := f.join(), f.join()
	n := f.nodeWith(a, "driver", "--ros-args -r __ns:=/robot1 -r __node:=base -r left:=right -r right:=left -r exchange:=/ask", nil)
	listener := f.node(b, "listener")
	_, right := f.subscribe(listener, "/robot1/right", ros2.DefaultQoS())
	_, left := f.subscribe(listener, "/robot1/left", ros2.DefaultQoS())
	_, own := f.subscribe(listener, "/robot1/base/state", ros2.DefaultQoS())
	pubs := map[string]*ros2.Publisher[note]{}
	for _, topic := range []string{"left", "right", "~/state"} {
		pubs[topic] = f.publisher(n, topic, ros2.DefaultQoS())
	}
	f.service(n, reply("moved"))
	f.settle()
	for topic, pub := range pubs {
		f.say(pub, topic)
	}
	f.expect("/robot1/right", right, "left")
	f.expect("/robot1/left", left, "right")
	f.expect("/robot1/base/state", own, "~/state")
	got := call(f, listener, exchange{}, "/ask", &question{note{"here"}})
	if got.text != "moved here" {
		f.Errorf("the service answered %q", got.text)
	}
	if g := b.Graph(); !slices.Contains(g.Nodes, ros2.NodeName{Namespace: "/robot1", Name: "base"}) || len(g.Nodes) != 2 {
		f.Errorf("nodes %v", g.Nodes)
	}
}

// leavesInOrder: nodes with all kinds of endpoints are closed, in each order, and no endpoint remains.
func (f *fixture) leavesInOrder() {
	stays := f.join()
	watcher := f.node(stays, "watcher")
	_, box := f.subscribe(watcher, "last", ros2.DefaultQoS())
	for _, order := range []string{"node, then transport", "transport, then node"} {
		tr := f.join()
		n := f.nodeWith(tr, "leaver", "--ros-args -r __ns:=/suite", nil)
		pub := f.publisher(n, "last", ros2.DefaultQoS())
		f.subscribe(n, "last", ros2.DefaultQoS())
		f.service(n, reply(""))
		f.client(n)
		f.settle()
		f.say(pub, order)
		closers := []func() error{n.Close, tr.Close}
		if strings.HasPrefix(order, "transport") {
			slices.Reverse(closers)
		}
		f.settle()
		for _, end := range closers {
			if err := end(); err != nil && !errors.Is(err, ros2.ErrClosed) {
				f.Errorf("%s: %v", order, err)
			}
		}
		f.settle()
		if g := stays.Graph(); len(g.Nodes) != 1 || len(g.Endpoints) != 1 {
			f.Errorf("%s: left behind %+v", order, g)
		}
	}
	f.expect("the remaining node", box, "node, then transport", "transport, then node")
}

// matchesByQuality: every combination of policies matches or not, as in ROS.
func (f *fixture) matchesByQuality() {
	var all []ros2.QoS
	for _, reliability := range []ros2.Reliability{ros2.Reliable, ros2.BestEffort} {
		for _, durability := range []ros2.Durability{ros2.Volatile, ros2.TransientLocal} {
			for _, deadline := range []time.Duration{0, time.Second} {
				all = append(all, ros2.QoS{Reliability: reliability, Durability: durability, Deadline: deadline})
			}
		}
	}
	for _, liveliness := range []ros2.Liveliness{ros2.LivelinessAutomatic, ros2.LivelinessManualByTopic} {
		for _, lease := range []time.Duration{0, time.Minute} {
			all = append(all, ros2.QoS{Liveliness: liveliness, LivelinessLease: lease})
		}
	}
	a, b := f.node(f.join(), "a"), f.node(f.join(), "b")
	type pair struct {
		offered, requested ros2.QoS
		pub                *ros2.Publisher[note]
		sub                *ros2.Subscription[note]
	}
	var pairs []pair
	for _, offered := range all {
		for _, requested := range all {
			topic := fmt.Sprintf("pair%d", len(pairs))
			sub, _ := f.subscribe(b, topic, requested)
			pairs = append(pairs, pair{offered, requested, f.publisher(a, topic, offered), sub})
		}
	}
	f.settle()
	for _, p := range pairs {
		want := 1
		if ros2.IncompatiblePolicies(p.offered, p.requested) != 0 {
			want = 0
		}
		if p.pub.SubscriptionCount() != want || p.sub.PublisherCount() != want {
			f.Errorf("%v offered, %v requested: %d and %d match, want %d",
				p.offered, p.requested, p.pub.SubscriptionCount(), p.sub.PublisherCount(), want)
		}
	}
}
