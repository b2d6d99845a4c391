// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestInfo holds the text of "ros2 bag info" (rosbag2_transport's Formatter): columns, sizes, days, services apart.
func TestInfo(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC).UnixNano()
	b := &Bag{
		Storage: StorageMCAP,
		topics: []*Topic{
			{Name: "/a", Type: "std_msgs/msg/UInt8", Format: "cdr", Messages: 3, SchemaEncoding: "ros2msg", QoS: []ros2.QoS{{}}},
			{Name: "/b", Type: "std_msgs/msg/Bool", Format: "cdr"},
			{Name: "/s/_service_event", Type: "std_srvs/srv/Trigger_Event", Format: "cdr", Messages: 2},
		},
		files: []Part{{"x_0.mcap", 1000, 2, at, at + 1}, {"x_1.mcap", 536, 3, at + 5, at + 1_500_000_000}, {Path: "x_2.mcap"}},
	}
	var out bytes.Buffer
	must(t, b.WriteInfo(&out, time.UTC, nil))
	const want = `
Files:             x_0.mcap
                   x_1.mcap
                   x_2.mcap
Bag size:          1.5 KiB
Storage id:        mcap
ROS Distro:        unknown
Duration:          1.500000000s
Start:             Feb  3 2026 04:05:06.000000007 (1770091506.000000007)
End:               Feb  3 2026 04:05:07.500000007 (1770091507.500000007)
Messages:          3
Topic information: Topic: /a | Type: std_msgs/msg/UInt8 | Count: 3 | Serialization Format: cdr
                   Topic: /b | Type: std_msgs/msg/Bool | Count: 0 | Serialization Format: cdr
Service:           1
Service information: Service: /s | Type: std_srvs/srv/Trigger | Event Count: 2 | Serialization Format: cdr
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
	out.Reset()
	b.Distribution = "jazzy"
	must(t, b.WriteInfo(&out, time.FixedZone("", 3600), map[*Topic]uint64{b.topics[0]: 2048, b.topics[2]: 7}))
	for _, want := range []string{
		"ROS Distro:        jazzy\n", "Feb  3 2026 05:05:06", "Count: 3 | Size Contribution: 2.0 KiB | Serial", "Count: 0 | Size Contribution: 0 B |",
		"Event Count: 2 | Size Contribution: 7 B |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := b.WriteInfo(fullDisk{}, time.UTC, nil); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

var errFull = errors.New("no space left")

// fullDisk writes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestJSON: what a program reads, with lists that are never null.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	writeMCAP(t, filepath.Join(dir, "x_0.mcap"), false, entry{"/a", 1_000_000_000, "xyz"}, entry{"/a", 3_500_000_000, "x"})
	b := opened(t, dir)
	sizes, err := b.Sizes(nil)
	must(t, err)
	text, err := b.JSON(sizes, nil)
	must(t, err)
	var got map[string]any
	must(t, json.Unmarshal(text, &got))
	for field, want := range map[string]string{
		"duration_s": "2.5", "start_ns": "1e+09", "end_ns": "3.5e+09", "messages": "2", "storage": "mcap", "interrupted": "[x_0.mcap]",
		"topics": "[map[has_definition:true messages:2 name:/a offered_qos:" + ros2.QoS{Durability: ros2.TransientLocal}.String() +
			" serialization_format:cdr size_bytes:4 type:std_msgs/msg/UInt8 type_hash:RIHS01_/a]]",
	} {
		if fmt.Sprint(got[field]) != want {
			t.Errorf("%s is %v, want %s", field, got[field], want)
		}
	}
	empty, err := (&Bag{}).JSON(nil, nil)
	if must(t, err); !bytes.Contains(empty, []byte(`"files": []`)) || !bytes.Contains(empty, []byte(`"topics": []`)) || bytes.Contains(empty, []byte("null")) {
		t.Errorf("%s", empty)
	}
}

// TestSizes returns how far it is, and stops at a place that can't be read.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	var entries []entry
	for i := range 2500 {
		entries = append(entries, entry{"/a", uint64(i), "xy"})
	}
	path := filepath.Join(dir, "x_0.mcap")
	writeMCAP(t, path, true, entries...)
	var shares []float64
	b := opened(t, dir)
	sizes, err := b.Sizes(func(share float64) { shares = append(shares, share) })
	if err != nil || sizes[b.topics[0]] != 5000 || fmt.Sprint(shares) != "[0.4 0.8]" {
		t.Error(sizes, shares, err)
	}
}

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1<<20 - 1: "1024.0 KiB", 1 << 20: "1.0 MiB", 5 << 30: "5.0 GiB",
		1 << 40: "1.0 TiB", 2000 << 40: "2000.0 TiB",
	} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64().Draw(t, "ns")
		var sec, frac int64
		text := seconds(ns)
		if _, err := fmt.Sscanf(strings.TrimPrefix(text, "-"), "%d.%d", &sec, &frac); err != nil || len(text)-strings.IndexByte(text, '.') != 10 {
			t.Fatal(text, err)
		}
		if got := sec*1e9 + frac; got != ns && -got != ns || strings.HasPrefix(text, "-") != (ns < 0) {
			t.Fatalf("%d is %s", ns, text)
		}
	})
}

func TestServiceOf(t *testing.T) {
	for _, c := range []struct {
		topic, rosType, name, service string
		ok                            bool
	}{
		{"/s/_service_event", "a/srv/B_Event", "/s", "a/srv/B", true}, {"/n/s/_service_event", "a/srv/B_Event", "/n/s", "a/srv/B", true},
		{"/_service_event", "a/srv/B_Event", "", "a/srv/B", false}, {"/s/_service_event", "a/srv/B", "/s", "a/srv/B", false},
		{"/s", "a/srv/B_Event", "/s", "a/srv/B", false}, {"", "", "", "", false},
	} {
		if name, service, ok := ServiceOf(c.topic, c.rosType); ok != c.ok || ok && (name != c.name || service != c.service) {
			t.Errorf("%+v: %s %s %v", c, name, service, ok)
		}
	}
}

// TestPeriods: every form in which recorders have written an infinite duration is none, and no text results in a
// negative one.
func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		sec, nsec int64
		want      time.Duration
	}{
		{0, 0, 0}, {0, 1, 1}, {1, 0, time.Second}, {2, 500_000_000, 2500 * time.Millisecond}, {0, 1_000_000_000, time.Second},
		{math.MaxInt64 / 1_000_000_000, 854775807, 0}, {math.MaxInt64 / 1_000_000_000, 854775806, math.MaxInt64 - 1},
		{math.MaxInt64 / 1_000_000_000, 854775808, 0}, // beyond the clock
		{math.MaxInt32, math.MaxUint32, 0},            // Foxy
		{-1, 0, 0}, {0, -1, 0}, {5, -1, 0}, {1, math.MaxInt64, 0}, {math.MaxInt64, math.MaxInt64, 0}, {math.MinInt64, 0, 0},
	} {
		if got := (period{c.sec, c.nsec}).duration(); got != c.want {
			t.Errorf("%d s %d ns: %v, want %v", c.sec, c.nsec, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := period{rapid.Int64().Draw(t, "sec"), rapid.Int64().Draw(t, "nsec")}
		if d := p.duration(); d < 0 {
			t.Fatalf("%+v: %v", p, d)
		}
		if d := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "duration")); periodOf(d).duration() != d && d != math.MaxInt64 {
			t.Fatalf("%d became %d", d, periodOf(d).duration())
		}
	})
}

// TestPolicies by number and by name, in any case of letters; what says nothing is ROS's default.
func TestPolicies(t *testing.T) {
	for text, want := range map[string]ros2.QoS{
		"{}": {}, "{reliability: 0, durability: 0, liveliness: 0, history: 0}": {}, "{reliability: 99, durability: 99, history: 99}": {},
		"{reliability: system_default, durability: unknown}": {}, "{reliability: BEST_EFFORT}": {Reliability: ros2.BestEffort},
		"{history: keep_last, depth: 5}": {Depth: 5}, "{history: 1, depth: -5}": {}, "{history: keep_all, depth: 5}": {History: ros2.KeepAll},
		"{history: 3, depth: 5}": {}, "{liveliness: manual_by_topic, liveliness_lease_duration: {sec: 1}}": {Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: time.Second},
		"{deadline: {nsec: 5}, lifespan: {sec: 2}}": {Deadline: 5, Lifespan: 2 * time.Second}, "{deadline: ~}": {},
	} {
		got, err := DecodeQoS("- " + text)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
		if strings.Contains(text, "99") || strings.Contains(text, "-5") { // what a bag has is read, what a user writes is checked
			continue
		}
		overrides, err := ReadOverrides([]byte("/t: " + text))
		if err != nil || overrides["/t"] != want {
			t.Errorf("%s: %+v, %v", text, overrides, err)
		}
	}
	for _, bad := range []string{"- {reliability: perhaps}", "x", "- {deadline: 5}", "- [", "- {depth: many}"} {
		if got, err := DecodeQoS(bad); !errors.Is(err, ErrMetadata) {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
	for _, bad := range []string{"- a", "/t: {reliability: perhaps}", "/t: [", "/t: 5"} {
		if got, err := ReadOverrides([]byte(bad)); !errors.Is(err, ErrMetadata) {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
	if got, err := DecodeQoS(""); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}
