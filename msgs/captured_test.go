// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
	"github.com/epuck-ros2/epuck-driver/msgs/type_description_interfaces"
)

// captured is a payload captured from a network of ROS 2 programs.
type captured struct {
	Capture string // "jazzy_cyclonedds": release and middleware
	Topic   string // DDS topic: "rt/robot1/odom"
	Type    string
	Data    string // hexadecimal, with encapsulation header and padding
}

// captures reads testdata/captured.jsonl.
func captures(t *testing.T) []captured {
	t.Helper()
	text, err := os.ReadFile("testdata/captured.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var list []captured
	for line := range strings.Lines(string(text)) {
		var c captured
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// payload returns the message's bytes, without the 16 bytes of request identity that rmw_cyclonedds inserts between the
// header and the body of a service message.
func (c *captured) payload(t *testing.T) []byte {
	t.Helper()
	data, err := hex.DecodeString(c.Data)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(c.Capture, "cyclonedds") && strings.Contains(c.Type, "/srv/") {
		data = slices.Delete(data, cdr.HeaderSize, cdr.HeaderSize+16)
	}
	return data
}

// empty returns a new message in the layout of the release that was captured.
func (c *captured) empty(t *testing.T) msgs.Message {
	t.Helper()
	for _, v := range variantList() {
		if v.ROSType() == c.Type && strings.HasPrefix(c.Capture, "jazzy") {
			return v
		}
	}
	newMessage, ok := msgs.Lookup(c.Type)
	if !ok {
		t.Fatalf("no type %s", c.Type)
	}
	return newMessage()
}

// Messages of Humble and Jazzy over Cyclone DDS and Fast DDS are decoded, and encoded to the same bytes, except for the
// transport's padding to four.
func TestCapturedPayloads(t *testing.T) {
	for _, c := range captures(t) {
		data, m := c.payload(t), c.empty(t)
		if err := cdr.Unmarshal(data, m); err != nil {
			t.Errorf("%s %s: %v", c.Capture, c.Topic, err)
			continue
		}
		got := cdr.Append(nil, m)
		if len(data)-len(got) > 3 || !bytes.HasPrefix(data[cdr.HeaderSize:], got[cdr.HeaderSize:]) {
			t.Errorf("%s %s: encodes to\n%x, captured\n%x", c.Capture, c.Topic, got, data)
		}
	}
}

// find returns the captured message of one topic.
func find(t *testing.T, capture, topic string) msgs.Message {
	t.Helper()
	for _, c := range captures(t) {
		if c.Capture == capture && c.Topic == topic {
			m := c.empty(t)
			if err := cdr.Unmarshal(c.payload(t), m); err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no %s in %s", topic, capture)
	return nil
}

// Some values of captured messages, so that the round trip above is not only of zeros.
func TestCapturedValues(t *testing.T) {
	reply := find(t, "humble_cyclonedds", "rr/robot1/epuck_driver/get_parametersReply").(*rcl_interfaces.GetParametersResponse)
	if len(reply.Values) != 1 || reply.Values[0].Type != rcl_interfaces.ParameterTypeDouble || reply.Values[0].DoubleValue == 0 {
		t.Errorf("parameter %+v", reply.Values)
	}
	if r := find(t, "jazzy_fastrtps_udp", "rt/robot1/ps0").(*jazzy.Range); r.Header.FrameID != "ps0" || r.Range != 0.02 {
		t.Errorf("range %+v", r)
	}
	if h := find(t, "jazzy_cyclonedds", "rq/robot1/epuck_driver/get_type_descriptionRequest").(*type_description_interfaces.GetTypeDescriptionRequest); h.TypeHash_ != jazzyHashes(t)[h.TypeName] {
		t.Errorf("request %+v", h)
	}
}
