// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestQoSOverrides(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	const p, s = "-p qos_overrides./r/image.publisher.", "-p qos_overrides./r/image.subscription."
	n := newNode(t, tr, "n", strings.Fields("--ros-args -r __ns:=/r -r picture:=image "+
		p+"reliability:=best_effort "+p+"durability:=transient_local "+p+"history:=keep_all "+p+"liveliness:=manual_by_topic "+
		p+"deadline:=1000000 "+p+"lifespan:=2000000 "+p+"liveliness_lease_duration:=3000000 "+
		s+"depth:=3 "+s+"reliability:=reliable")...)
	pub := newPublisher(t, n, "picture", ros2.DefaultQoS())
	if got := pub.QoS().String(); got != "best effort, transient local, keep all, deadline 1ms, lifespan 2ms, liveliness lease 3ms, liveliness manual by topic" {
		t.Errorf("publisher: %s", got)
	}
	for range 2 { // the parameters are declared once
		sub, _ := subscribe(t, n, "image", ros2.SensorDataQoS())
		if got := sub.QoS().String(); got != "reliable, volatile, keep last 3" {
			t.Errorf("subscription: %s", got)
		}
	}
	if e := n.Graph().EndpointsOn("/r/image"); len(e) != 3 || e[0].QoS != pub.QoS() {
		t.Errorf("graph %+v", e)
	}
	other := newPublisher(t, n, "other", ros2.SensorDataQoS())
	if other.QoS() != ros2.SensorDataQoS() {
		t.Errorf("another topic is overridden: %v", other.QoS())
	}
	words := newNode(t, tr, "w", strings.Fields("--ros-args -p qos_overrides./w.publisher.reliability:=best_available "+
		"-p qos_overrides./w.publisher.durability:=system_default -p qos_overrides./w.publisher.liveliness:=best_available")...)
	if got := newPublisher(t, words, "/w", ros2.LatchedQoS().WithReliability(ros2.BestEffort)).QoS().String(); got != "reliable, volatile, keep last 1" {
		t.Errorf("by words: %s", got)
	}
	d, err := n.Parameters().Describe("qos_overrides./r/image.subscription.depth")
	if err != nil || !d.ReadOnly || d.Type != ros2.ParameterInteger {
		t.Errorf("parameter %+v, %v", d, err)
	}
}

func TestQoSOverrideErrors(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	for value, want := range map[string]error{
		"reliability:=sometimes": ros2.ErrParameterRange,
		"depth:=deep":            ros2.ErrParameterType,
		"depth:=-1":              ros2.ErrQoS,
		"deadline:=-1":           ros2.ErrQoS,
	} {
		n := newNode(t, tr, "n", "--ros-args", "-p", "qos_overrides./x.publisher."+value)
		_, err := ros2.NewPublisher[chatter](n, "x", ros2.DefaultQoS())
		if !errors.Is(err, want) || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%s: %v, want %v", value, err, want)
		}
	}
}
