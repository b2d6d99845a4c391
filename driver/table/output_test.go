// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/tf2_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// outputOf offers one topic of the table.
func (p *pair) outputOf(name string) Output {
	p.Helper()
	outputs, err := newOutputs(p.robot, p.set, []Topic{p.row(name)})
	p.must(err)
	p.Cleanup(func() { p.must(CloseOutputs(outputs)) })
	return outputs[0]
}

// A message is built while there is a subscriber, and then with every reading.
func TestNothingIsBuiltUnlessWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "-p frame_prefix:=r1/")
		o, r := p.outputOf(TopicToF), &Reading{Set: p.set, ToF: ToFReading{Distance: 0.3}}
		p.must(o.Publish(r))
		if s := o.Status(); o.Wanted() || s.Messages != 0 || s.Name != "tof" {
			t.Errorf("without a subscriber: %+v", s)
		}
		got := heard[jazzy.Range](p, "tof", ros2.DefaultQoS())
		synctest.Wait()
		for range 3 {
			p.must(o.Publish(r))
			synctest.Wait()
		}
		p.must(o.Announce(r)) // is for what comes once
		synctest.Wait()
		if s := o.Status(); !o.Wanted() || s.Messages != 3 || s.Subscribers != 1 || len(*got) != 3 {
			t.Fatalf("%+v, %d came", s, len(*got))
		}
		if m := (*got)[2]; m.Header.FrameID != "r1/tof" || m.Range != 0.3 {
			t.Errorf("%+v", m)
		}
	})
}

// What is published on change follows the readings all the time, and comes late to those that come late.
func TestChangesAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "")
		o, r := p.outputOf(TopicSelector), &Reading{Set: p.set}
		for _, at := range []uint8{10, 10, 4, 4, 4} {
			r.Sensors.Selector = at
			p.must(o.Publish(r))
		}
		got := heard[std_msgs.UInt8](p, "selector", ros2.LatchedQoS())
		synctest.Wait()
		if s := o.Status(); s.Messages != 2 || len(*got) != 1 || (*got)[0].Data != 4 {
			t.Errorf("%+v, %v came", s, *got)
		}
	})
}

// What is published once is announced, and no reading brings it again.
func TestAnnouncedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "")
		o, r := p.outputOf(TopicTFStatic), &Reading{Set: p.set}
		p.must(o.Announce(r))
		got := heard[tf2_msgs.TFMessage](p, "/tf_static", ros2.TFStaticListenerQoS())
		p.must(o.Publish(r))
		synctest.Wait()
		if len(*got) != 1 || o.Status().Messages != 1 {
			t.Errorf("%d came of %d", len(*got), o.Status().Messages)
		}
	})
}

// Every published row offers its members, in its order, with its message's type.
func TestOutputsOfTheTable(t *testing.T) {
	p := newPair(t, "")
	rows := PublishedBy("")
	for _, part := range []parts.Name{parts.ToF, parts.IMU, parts.Ground, parts.Mag, parts.Battery} {
		rows = append(rows, PublishedBy(part)...)
	}
	outputs, err := newOutputs(p.robot, p.set, rows)
	p.must(err)
	var got, want []string
	for _, o := range outputs {
		got = append(got, o.Status().Name)
	}
	offered := map[string]string{}
	for _, e := range p.robot.Transport().Graph().Endpoints {
		if e.Kind == ros2.PublisherEndpoint {
			offered[strings.TrimPrefix(e.Topic, "/")] = e.Type
		}
	}
	for _, row := range rows {
		want = append(want, row.Names()...)
		for _, name := range row.Names() {
			if typ := offered[strings.TrimPrefix(name, "/")]; typ != row.Type {
				t.Errorf("%s is offered as %q, the row says %q", name, typ, row.Type)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p.must(CloseOutputs(outputs))
}

// A row that makes no topic, and a transport that takes none, leave nothing offered.
func TestNothingStaysOffered(t *testing.T) {
	p := newPair(t, "")
	before := len(p.robot.Transport().Graph().Endpoints)
	if _, err := newOutputs(p.robot, p.set, append(PublishedBy(""), p.row(TopicDiag))); !errors.Is(err, errRow) {
		t.Errorf("got %v", err)
	}
	bad := p.row(TopicToF)
	bad.Name = "not a name"
	if _, err := newOutputs(p.robot, p.set, append(PublishedBy(""), bad)); err == nil {
		t.Error("a topic with spaces is offered")
	}
	if n := len(p.robot.Transport().Graph().Endpoints); n != before {
		t.Errorf("%d endpoints stay of %d", n, before)
	}
}

// A transport that fails says so, and the message counts as built.
func TestFailedPublish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, "")
		o := p.outputOf(TopicButton)
		heard[std_msgs.Bool](p, "button", ros2.LatchedQoS())
		full := errors.New("full")
		p.transport.FailWrites(full)
		if err := o.Publish(&Reading{Set: p.set}); !errors.Is(err, full) {
			t.Errorf("got %v", err)
		}
		p.transport.FailWrites(nil)
	})
}
