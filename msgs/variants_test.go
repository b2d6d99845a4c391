// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common"
	"github.com/epuck-ros2/epuck-driver/msgs/rmw_dds_common/iron"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs/jazzy"
)

// A Range of a later release is a Humble one with something behind it, so
// sending that form serves both; the other way round it does not.
func TestRangeOfLaterReleases(t *testing.T) {
	later := jazzy.Range{MaxRange: 2, Range: 0.5, Variance: 0.01}
	later.Header.FrameID = "ps0"
	data := cdr.Append(nil, &later)
	var humble sensor_msgs.Range
	if err := cdr.Unmarshal(data, &humble); err != nil {
		t.Fatal(err)
	}
	if humble.Header != later.Header || humble.MaxRange != 2 || humble.Range != 0.5 {
		t.Errorf("%+v", humble)
	}
	var got jazzy.Range
	if err := cdr.Unmarshal(data, &got); err != nil || got != later {
		t.Errorf("%+v, %v", got, err)
	}
	var where *cdr.DecodeError
	err := cdr.Unmarshal(cdr.Append(nil, &humble), &got)
	if !errors.Is(err, cdr.ErrShort) || !errors.As(err, &where) || where.Field != "sensor_msgs/msg/Range.variance" {
		t.Errorf("Humble's form: %v", err)
	}
}

// The two layouts of the graph message are distinguished by length: decoding with the wrong one fails or does not
// consume all bytes.
func TestGraphMessageOfLaterReleases(t *testing.T) {
	humble := rmw_dds_common.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []rmw_dds_common.NodeEntitiesInfo{
		{NodeNamespace: "/robot1", NodeName: "epuck_driver", WriterGidSeq: make([]rmw_dds_common.Gid, 3)},
	}}
	later := iron.ParticipantEntitiesInfo{NodeEntitiesInfoSeq: []iron.NodeEntitiesInfo{
		{NodeNamespace: "/robot1", NodeName: "epuck_driver", WriterGidSeq: make([]iron.Gid, 3)},
	}}
	ends := func(data []byte, m cdr.Unmarshaler) bool {
		var d cdr.Decoder
		if err := d.Reset(data); err != nil {
			t.Fatal(err)
		}
		m.DecodeCDR(&d)
		return d.Err() == nil && d.Remaining() == 0
	}
	for name, c := range map[string]struct {
		data          []byte
		asHumble      bool
		asIronOrLater bool
	}{
		"24 bytes": {cdr.Append(nil, &humble), true, false},
		"16 bytes": {cdr.Append(nil, &later), false, true},
	} {
		if got := ends(c.data, new(rmw_dds_common.ParticipantEntitiesInfo)); got != c.asHumble {
			t.Errorf("%s read as Humble: %v", name, got)
		}
		if got := ends(c.data, new(iron.ParticipantEntitiesInfo)); got != c.asIronOrLater {
			t.Errorf("%s read as Iron: %v", name, got)
		}
	}
}
