// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// sample is a message of one of two publishers.
func sample(publisher byte, sequence int64, size int) ros2.Sample {
	return ros2.Sample{Payload: make([]byte, size), Info: ros2.MessageInfo{Publisher: ros2.GID{publisher}, Sequence: sequence}}
}

func TestInboxCountsLostMessages(t *testing.T) {
	tr := ros2test.NewTransport()
	defer func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}()
	b := newInbox()
	for _, s := range []ros2.Sample{sample(1, 7, 1), sample(2, 1, 1), sample(1, 8, 1), sample(1, 11, 1), sample(2, 2, 1), sample(1, 9, 1)} {
		b.put(s)
	}
	list, lost, err := b.receive(t.Context(), tr)
	if err != nil || len(list) != 6 || lost != 2 {
		t.Errorf("%d messages, %d lost, %v", len(list), lost, err)
	}
	b.put(sample(1, math.MaxInt64, 1))
	if _, lost, err = b.receive(t.Context(), tr); err != nil || lost != 1<<30 {
		t.Errorf("%d lost, %v", lost, err)
	}
}

// With a slow terminal messages are dropped and memory stays bounded.
func TestInboxIsBounded(t *testing.T) {
	tr := ros2test.NewTransport()
	b := newInbox()
	for i := range 3 * inboxMessages {
		b.put(sample(1, int64(i+1), 10))
	}
	list, lost, err := b.receive(t.Context(), tr)
	if err != nil || len(list) != inboxMessages || lost != 2*inboxMessages || list[0].Info.Sequence != 2*inboxMessages+1 {
		t.Errorf("%d messages, %d lost, %v", len(list), lost, err)
	}
	for i := range 3 {
		b.put(sample(2, int64(i+1), 10))
		b.bytes = inboxBytes - 5 // as if it were large
	}
	if list, lost, err = b.receive(t.Context(), tr); err != nil || len(list) != 1 || lost != 2 || b.bytes != 0 {
		t.Errorf("%d messages, %d lost, %v", len(list), lost, err)
	}
	b.bytes = inboxBytes // as if the next one exceeded the limit
	b.put(sample(2, 4, 10))
	if list, _, err = b.receive(t.Context(), tr); err != nil || len(list) != 1 {
		t.Errorf("%d messages, %v: one is always taken", len(list), err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := b.receive(t.Context(), tr); err == nil {
		t.Error("taking from a closed network")
	}
}

func TestRate(t *testing.T) {
	start := time.Unix(1000, 0)
	r := rate{window: 4}
	var got []string
	for _, ms := range []int{0, 100, 300, 400, 1200, 1300, 2300} {
		if text := r.add(start.Add(time.Duration(ms) * time.Millisecond)); text != "" {
			got = append(got, text)
		}
	}
	want := "average rate: 3.333\n\tmin: 0.100s max: 0.800s std dev: 0.29155s window: 4|" +
		"average rate: 2.000\n\tmin: 0.100s max: 1.000s std dev: 0.40620s window: 4"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("%s\nwant\n%s", s, want)
	}
	if text := r.add(start); text != "" || len(r.gaps) != 0 {
		t.Errorf("after the clock went back: %q, %d gaps", text, len(r.gaps))
	}
	if text := (&rate{gaps: []float64{0}}).text(); !strings.HasPrefix(text, "average rate: 0.000\n") {
		t.Error(text)
	}
}

func TestBandwidth(t *testing.T) {
	start := time.Unix(1000, 0)
	for size, want := range map[int]string{
		100:     "100 B/s from 2 messages\n\tMessage size mean: 100 B min: 100 B max: 100 B",
		5000:    "5.00 KB/s from 2 messages\n\tMessage size mean: 5.00 KB min: 5.00 KB max: 5.00 KB",
		1500000: "1.50 MB/s from 2 messages\n\tMessage size mean: 1.50 MB min: 1.50 MB max: 1.50 MB",
	} {
		b := bandwidth{window: 2}
		for range 5 {
			b.add(start, size)
		}
		if got := b.text(start.Add(2 * time.Second)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got := b.text(start); got != "" {
			t.Errorf("in no time: %s", got)
		}
	}
	b := bandwidth{window: 9}
	b.add(start, 1)
	if got := b.text(start.Add(time.Second)); got != "" {
		t.Errorf("of one message: %s", got)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"/a": false, "/_a": true, "/a/_b/c": true, "_a": true, "/a_b": false} {
		if hidden(name) != want {
			t.Errorf("hidden(%q) = %v", name, !want)
		}
	}
	for name, want := range map[string]string{"": "", "a": "/a", "/a/b": "/a/b"} {
		if got := absolute(name); got != want {
			t.Errorf("absolute(%q) = %q", name, got)
		}
	}
	if got := periodText(10 * time.Second); got != "10000000000 nanoseconds" {
		t.Error(got)
	}
	for text, want := range map[string]string{"": "NoneType", "yes": "bool", "1": "int", "1.5": "float", "[1]": "list", "x": "str"} {
		if got := yamlType(text); got != want {
			t.Errorf("yamlType(%q) = %q", text, got)
		}
	}
}
