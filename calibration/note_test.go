// SPDX-License-Identifier: Apache-2.0

package calibration_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
)

var note = calibration.Note{Time: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), Robot: "epuck 7", Values: []calibration.Value{
	{Name: "left_radius", Value: 0.0201234, Interval: 0.0000213, Unit: "m"}, {Name: "runs", Value: 12},
}}

func TestNote(t *testing.T) {
	got, err := calibration.ParseNote(note.String())
	if err != nil || got.Robot != "epuck_7" || !got.Time.Equal(note.Time) || len(got.Values) != 2 ||
		got.Values[0] != (calibration.Value{Name: "left_radius", Value: 0.0201234, Interval: 0.000021, Unit: "m"}) || got.Values[1].Value != 12 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "2026", "yesterday epuck", "2026-11-22T08:00:00Z r a", "2026-11-22T08:00:00Z r a=b", "2026-11-22T08:00:00Z r =1"} {
		if _, err := calibration.ParseNote(bad); !errors.Is(err, calibration.ErrNote) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzParseNote(f *testing.F) {
	f.Add(note.String())
	f.Add("2026-11-22T08:00:00Z r a=1±2m b=3")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := calibration.ParseNote(s)
		if err != nil {
			return
		}
		if n.Time.Year() > 9999 || n.Time.Year() < 0 {
			return
		}
		if _, err := calibration.ParseNote(n.String()); err != nil {
			t.Fatalf("%q is written as %q: %v", s, n.String(), err)
		}
	})
}

func ExampleNote() {
	fmt.Println(note)
	fmt.Println(note.Age(note.Time.Add(100 * 24 * time.Hour)))
	// Output:
	// 2026-11-22T08:00:00Z epuck_7 left_radius=0.0201234±2.1e-05m runs=12
	// 100 days old
}
