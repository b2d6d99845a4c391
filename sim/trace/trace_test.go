// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/trace"
)

func record(t *trace.Trace, x float64) {
	t.Pose(1, geom.Pose{X: x})
	t.Pose(2, geom.Pose{X: x}) // it has not changed
	t.Transfer(time.Second, "e-puck", 0x1F, []byte{1, 2}, []byte{3}, nil)
	t.Transfer(2*time.Second, "e-puck", 0x1F, []byte{1}, []byte{9}, errors.New("no answer"))
	t.Receive(3, 2, func(i int) (distance, bearing float64, payload []byte) { return float64(i), 0.5, []byte{byte(i)} })
	t.Receive(4, 0, nil)
	t.Message(4*time.Second, "odom", []byte("here"))
}

// A hash that has changed means that recorded simulations do not repeat any more.
func TestTraceIsAlwaysTheSame(t *testing.T) {
	const want = "3a21c31a2ec188d138363d6001243d3cf8c3ced779318a8d884524ab9cfa42c0"
	r := trace.New("r")
	record(r, 0.25)
	if got := hex.EncodeToString(r.AppendSum(nil)); got != want {
		t.Errorf("the trace hashes to %s, want %s", got, want)
	}
}

func TestEachRecordChangesTheTrace(t *testing.T) {
	sum := func(name string, x float64, more func(*trace.Trace)) string {
		r := trace.New(name)
		record(r, x)
		more(r)
		return string(r.AppendSum(nil))
	}
	nothing := func(*trace.Trace) {}
	seen := map[string]int{}
	for i, s := range []string{
		sum("r", 0.25, nothing), sum("s", 0.25, nothing), sum("r", 0.5, nothing),
		sum("r", 0.25, func(r *trace.Trace) { r.Pose(5, geom.Pose{X: 0.25, Theta: 1}) }),
		sum("r", 0.25, func(r *trace.Trace) { r.Message(0, "", nil) }),
		sum("r", 0.25, func(r *trace.Trace) { r.Transfer(0, "board", 1, nil, nil, nil) }),
		sum("r", 0.25, func(r *trace.Trace) {
			r.Receive(5, 1, func(int) (distance, bearing float64, payload []byte) { return 1, 0, nil })
		}),
	} {
		if old, same := seen[s]; same {
			t.Errorf("traces %d and %d are equal", old, i)
		}
		seen[s] = i
	}
	if sum("r", 0.25, func(r *trace.Trace) { r.Pose(9, geom.Pose{X: 0.25}) }) != sum("r", 0.25, nothing) {
		t.Error("a pose that has not changed is recorded")
	}
}

func TestNoTraceRecordsNothing(t *testing.T) {
	var r *trace.Trace
	record(r, 1)
	if got := string(r.AppendSum([]byte("begun"))); got != "begun" {
		t.Errorf("%q", got)
	}
}
