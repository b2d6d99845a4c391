// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// number is a float64 that may be written as "nan", "inf" or "-inf" in JSON.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	switch s := strings.Trim(string(data), `"`); s {
	case "nan":
		*n = number(math.NaN())
	case "inf":
		*n = number(math.Inf(1))
	case "-inf":
		*n = number(math.Inf(-1))
	default:
		return json.Unmarshal(data, (*float64)(n))
	}
	return nil
}

// event is one line of a peer: which members are set depends on Event and, for
// a "sample", on the kind of the endpoint (testdata/common/messages.c).
type event struct {
	Event   string `json:"event"`
	ID      string `json:"id"`
	Command string `json:"command"` // done
	What    string `json:"what"`    // error
	Detail  string `json:"detail"`
	Current int    `json:"current"` // matched, stats
	Policy  int    `json:"policy"`  // incompatible: DDS policy id
	Count   int    `json:"count"`   // lost

	Received int `json:"received"` // stats
	Lost     int `json:"lost"`
	Written  int `json:"written"`
	Refused  int `json:"refused"` // submessages of a wrong origin; our stack only

	Success bool     `json:"success"` // reply; Number and Data as well
	Texts   []string `json:"texts"`   // request, reply

	N    int    `json:"n"` // sample: counts from 1 in each endpoint
	Data string `json:"data"`
	stamped
	ChildFrameID    string   `json:"child_frame_id"`
	Position        []number `json:"position"`
	Orientation     []number `json:"orientation"`
	Linear          []number `json:"linear"`
	Angular         []number `json:"angular"`
	PoseCovariance  []number `json:"pose_covariance"`
	TwistCovariance []number `json:"twist_covariance"`

	Transforms []transform `json:"transforms"`

	AngleMin       number   `json:"angle_min"`
	AngleMax       number   `json:"angle_max"`
	AngleIncrement number   `json:"angle_increment"`
	TimeIncrement  number   `json:"time_increment"`
	ScanTime       number   `json:"scan_time"`
	RangeMin       number   `json:"range_min"`
	RangeMax       number   `json:"range_max"`
	Ranges         []number `json:"ranges"`
	Intensities    []number `json:"intensities"`

	RadiationType int    `json:"radiation_type"`
	FieldOfView   number `json:"field_of_view"`
	Range         number `json:"range"`

	Height      int    `json:"height"`
	Width       int    `json:"width"`
	Step        int    `json:"step"`
	Encoding    string `json:"encoding"`
	IsBigEndian int    `json:"is_bigendian"`
	Sum         uint32 `json:"sum"`
	Format      string `json:"format"`

	Model string   `json:"model"`
	D     []number `json:"d"`
	K     []number `json:"k"`
	P     []number `json:"p"`

	Size   int `json:"size"`
	Number int `json:"number"` // blob
	Wrong  int `json:"wrong"`  // bytes that differ from the pattern

	line string
}

// stamped is a std_msgs/Header.
type stamped struct {
	Sec     int32  `json:"sec"`
	Nanosec uint32 `json:"nanosec"`
	FrameID string `json:"frame_id"`
}

// stamp returns the time of the header in nanoseconds.
func (s stamped) stamp() int64 { return int64(s.Sec)*1e9 + int64(s.Nanosec) }

// transform is a geometry_msgs/TransformStamped.
type transform struct {
	stamped
	ChildFrameID string   `json:"child_frame_id"`
	Translation  []number `json:"translation"`
	Rotation     []number `json:"rotation"`
}

// norm returns the Euclidean norm of v.
func norm(v []number) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

func parseEvent(line string) (event, error) {
	e := event{line: line}
	err := json.Unmarshal([]byte(line), &e)
	return e, err
}

func TestParseEvent(t *testing.T) {
	e, err := parseEvent(`{"event":"sample","id":"s","n":3,"sec":2,"nanosec":5,"frame_id":"f","ranges":["nan","inf","-inf",1.5]}`)
	if err != nil {
		t.Fatal(err)
	}
	if e.N != 3 || e.stamp() != 2_000_000_005 || e.FrameID != "f" || len(e.Ranges) != 4 {
		t.Errorf("%+v", e)
	}
	if !math.IsNaN(float64(e.Ranges[0])) || !math.IsInf(float64(e.Ranges[1]), 1) || !math.IsInf(float64(e.Ranges[2]), -1) || e.Ranges[3] != 1.5 {
		t.Errorf("ranges %v", e.Ranges)
	}
	if _, err := parseEvent("not an event"); err == nil {
		t.Error("no error for a line that is not JSON")
	}
}
