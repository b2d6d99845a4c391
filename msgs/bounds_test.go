// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/testdefs/test_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common"
)

// overBound are values that exceed the bounds of their types.
func overBound() map[string]msgs.Message {
	long := strings.Repeat("x", 257)
	return map[string]msgs.Message{
		"rcl_interfaces/msg/ParameterDescriptor.integer_range": &rcl_interfaces.ParameterDescriptor{
			IntegerRange: make([]rcl_interfaces.IntegerRange, 2),
		},
		"rmw_dds_common/msg/NodeEntitiesInfo.node_name": &rmw_dds_common.ParticipantEntitiesInfo{
			NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{{NodeName: long}},
		},
		"test_msgs/msg/BoundedSequences.float64_values": &test_msgs.BoundedSequences{Float64Values: make([]float64, 4)},
		"test_msgs/msg/BoundedSequences.string_values":  &test_msgs.BoundedSequences{StringValues: make([]string, 4)},
		"test_msgs/msg/Strings.bounded_string_value":    &test_msgs.Strings{BoundedStringValue: long[:23]},
	}
}

func TestOverBoundIsNotSent(t *testing.T) {
	for field, m := range overBound() {
		out, err := cdr.Marshal(nil, m)
		if !errors.Is(err, cdr.ErrBound) || !strings.HasPrefix(err.Error(), field+":") || out != nil {
			t.Errorf("%s: %x, %v", field, out, err)
		}
	}
}

func TestOverBoundIsNotReceived(t *testing.T) {
	for field, m := range overBound() {
		err := cdr.Unmarshal(encodeReference(m, binary.LittleEndian), fresh(m))
		var de *cdr.DecodeError
		if !errors.Is(err, cdr.ErrBound) || !errors.As(err, &de) || de.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestAtTheBound(t *testing.T) {
	m := &rmw_dds_common.NodeEntitiesInfo{NodeName: strings.Repeat("x", 256)}
	data, err := cdr.Marshal(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	var got rmw_dds_common.NodeEntitiesInfo
	if err := cdr.Unmarshal(data, &got); err != nil || got.NodeName != m.NodeName {
		t.Errorf("%q, %v", got.NodeName, err)
	}
}

// A count that exceeds the data allocates no memory.
func TestHugeCountsAllocateNothing(t *testing.T) {
	data := []byte{0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff}
	for _, name := range []string{"tf2_msgs/msg/TFMessage", "rcl_interfaces/srv/GetParameters_Request", "rcl_interfaces/srv/GetParameterTypes_Response"} {
		newMessage, _ := msgs.Lookup(name)
		m := newMessage()
		if err := cdr.Unmarshal(data, m); !errors.Is(err, cdr.ErrShort) {
			t.Errorf("%s: %v", name, err)
		}
		var d cdr.Decoder
		if n := testing.AllocsPerRun(10, func() { _ = d.Unmarshal(data, m) }); n > 8 {
			t.Errorf("%s: %v allocations for an error", name, n)
		}
	}
}
