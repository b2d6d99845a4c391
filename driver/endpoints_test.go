// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/chips"
	"github.com/epuck-ros2/epuck-driver/driver/parts"
	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// The node's publishers and subscriptions are those of the table of topics: names in the namespace, types, quality of
// service.
func TestEndpointsAreThoseOfTheTable(t *testing.T) {
	r, _ := steppedRig(t, rigOptions{args: "-r __ns:=/robot1 -p cmd_vel_stamped:=true -p led_type:=bool", camera: true})
	want := map[string]ros2.EndpointInfo{}
	for _, row := range table.Topics() {
		if row.Part != "" && row.Part != string(parts.Pictures) { // of the parts only the camera is there
			continue
		}
		for _, name := range row.Names() {
			e := ros2.EndpointInfo{Topic: name, Type: row.Type, QoS: row.QoS}
			if row.AltType != "" {
				e.Type = row.AltType
			}
			if row.Direction == table.Subscribed {
				e.Kind = ros2.SubscriptionEndpoint
			}
			if !strings.HasPrefix(name, "/") {
				e.Topic = "/robot1/" + name
			}
			want[e.Topic] = e
		}
	}
	for _, row := range table.Services() {
		e := ros2.EndpointInfo{Topic: "/robot1/" + row.Name, Type: row.Type, QoS: ros2.ServicesQoS(), Kind: ros2.ServiceEndpoint}
		want[e.Topic] = e
	}
	for _, e := range r.node.Graph().EndpointsOf(r.node.Name()) {
		w, ok := want[e.Topic]
		if !ok {
			t.Errorf("%v of %s is not in the table", e.Kind, e.Topic)
			continue
		}
		if e.Kind != w.Kind || e.Type != w.Type || e.QoS != w.QoS {
			t.Errorf("%s: %v %s %v, the table says %v %s %v", e.Topic, e.Kind, e.Type, e.QoS, w.Kind, w.Type, w.QoS)
		}
		delete(want, e.Topic)
	}
	for topic := range want {
		t.Errorf("%s is only in the table", topic)
	}
}

// New releases everything if it fails half way.
func TestNewReleasesEverythingOnError(t *testing.T) {
	r, _ := steppedRig(t, rigOptions{})
	r.must(r.driver.Close())
	r.must(r.node.Close())
	if d, err := New(Config{Hardware: &chips.Robot{Bus: r.robot.Bus()}, Node: r.node}); err == nil {
		r.must(d.Close())
		t.Fatal("a closed node is accepted")
	}
	if e := r.node.Graph().EndpointsOf(r.node.Name()); len(e) != 0 {
		t.Errorf("%d endpoints are left", len(e))
	}
}
