// SPDX-License-Identifier: Apache-2.0

//go:build peers

package wire

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

// With -update the test runs tshark and writes its output; without, it compares with the file.
var update = flag.Bool("update", false, "rewrite testdata/tshark.json with the tshark of this machine")

const tsharkFile = "testdata/tshark.json"

// tally is what two dissectors of the same capture must agree on: for some
// fields how often each value occurs, for others their sum.
type tally struct {
	Messages int                       `json:"messages"`
	Values   map[string]map[string]int `json:"values"`
	Sums     map[string]int64          `json:"sums"`
}

func newTally() tally {
	return tally{Values: map[string]map[string]int{}, Sums: map[string]int64{}}
}

func (t *tally) value(field, v string) {
	if t.Values[field] == nil {
		t.Values[field] = map[string]int{}
	}
	t.Values[field][v]++
}

// Names of the tshark fields.
const (
	fieldID         = "rtps.sm.id"
	fieldLength     = "rtps.sm.octetsToNextHeader"
	fieldWriter     = "rtps.sm.wrEntityId"
	fieldReader     = "rtps.sm.rdEntityId"
	fieldParameter  = "rtps.param.id"
	fieldSN         = "rtps.sm.seqNumber"
	fieldBits       = "rtps.bitmap.num_bits"
	fieldHeartbeat  = "rtps.heartbeat_count"
	fieldAckNack    = "rtps.acknack.count"
	fieldFragments  = "rtps.data_frag.num_fragments"
	fieldFragment   = "rtps.data_frag.number"
	fieldFragSize   = "rtps.data_frag.size"
	fieldSampleSize = "rtps.data_frag.sample_size"
)

var (
	valueFields = []string{fieldID, fieldWriter, fieldReader, fieldParameter}
	sumFields   = []string{fieldLength, fieldSN, fieldBits, fieldHeartbeat, fieldAckNack,
		fieldFragments, fieldFragment, fieldFragSize, fieldSampleSize}
)

// askTshark has tshark dissect the file, which is not compressed.
func askTshark(t *testing.T, path string) tally {
	args := []string{"-o", "udp.try_heuristic_first:TRUE", "-r", path, "-Y", "rtps", "-T", "fields"}
	for _, f := range append(valueFields[:len(valueFields):len(valueFields)], sumFields...) {
		args = append(args, "-e", f)
	}
	out, err := exec.Command("tshark", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	tl := newTally()
	for line := range strings.Lines(string(out)) {
		tl.Messages++
		for i, list := range strings.Split(strings.TrimSuffix(line, "\n"), "\t") {
			for v := range strings.SplitSeq(list, ",") {
				switch {
				case v == "":
				case i < len(valueFields):
					tl.value(valueFields[i], v)
				default:
					n, err := strconv.ParseInt(v, 0, 64)
					if err != nil {
						t.Fatal(err)
					}
					tl.Sums[sumFields[i-len(valueFields)]] += n
				}
			}
		}
	}
	return tl
}

// tallier makes the same tally with this package.
type tallier struct{ tally }

func (t *tallier) ids(reader, writer EntityID) {
	t.value(fieldReader, fmt.Sprintf("0x%08x", uint32(reader)))
	t.value(fieldWriter, fmt.Sprintf("0x%08x", uint32(writer)))
}

func (t *tallier) sum(field string, v int64) { t.Sums[field] += v }

func (t *tallier) list(l ParameterList) {
	for p := range l.all {
		t.value(fieldParameter, fmt.Sprintf("0x%04x", uint16(p.ID)))
	}
	if !l.Empty() {
		t.value(fieldParameter, "0x0001")
	}
}

func (t *tallier) HandleData(_ *Receiver, m *Data) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.SN))
	t.list(m.InlineQoS)
	if l, err := ParsePayloadList(m.Payload); err == nil {
		t.list(l)
	}
}

func (t *tallier) HandleDataFrag(_ *Receiver, m *DataFrag) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.SN))
	t.sum(fieldFragments, int64(m.Count))
	t.sum(fieldFragment, int64(m.First))
	t.sum(fieldFragSize, int64(m.FragmentSize))
	t.sum(fieldSampleSize, int64(m.SampleSize))
	t.list(m.InlineQoS)
}

func (t *tallier) HandleHeartbeat(_ *Receiver, m *Heartbeat) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.First+m.Last))
	t.sum(fieldHeartbeat, int64(m.Count))
}

func (t *tallier) HandleHeartbeatFrag(_ *Receiver, m *HeartbeatFrag) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.SN))
}

func (t *tallier) HandleAckNack(_ *Receiver, m *AckNack) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.State.Base))
	t.sum(fieldBits, int64(m.State.NumBits))
	t.sum(fieldAckNack, int64(m.Count))
}

func (t *tallier) HandleNackFrag(_ *Receiver, m *NackFrag) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.SN))
}

func (t *tallier) HandleGap(_ *Receiver, m *Gap) {
	t.ids(m.Reader, m.Writer)
	t.sum(fieldSN, int64(m.Start+m.List.Base))
	t.sum(fieldBits, int64(m.List.NumBits))
}

// count makes the tally of a capture.
func count(t *testing.T, datagrams []pcapng.Datagram) tally {
	h := &tallier{newTally()}
	for _, d := range datagrams {
		if !isRTPS(d.Payload) {
			continue
		}
		h.Messages++
		s := NewScanner(d.Payload)
		for s.Next() {
			sub := s.Submessage()
			h.value(fieldID, fmt.Sprintf("0x%02x", uint8(sub.ID)))
			if !sub.ID.isVendorSpecific() { // tshark shows no length of those
				h.sum(fieldLength, int64(len(sub.Body)))
			}
		}
		if err := Walk(d.Payload, h); err != nil {
			t.Errorf("frame %d: %v", d.Frame, err)
		}
	}
	return h.tally
}

// TestCapturesAgainstTshark compares what this package reads in the captures
// with what tshark reads there.
func TestCapturesAgainstTshark(t *testing.T) {
	want := map[string]tally{}
	if *update {
		captures(t, func(name string, _ []pcapng.Datagram) {
			file, err := gunzip("testdata/pcap/" + name + ".pcapng.gz")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			want[name] = askTshark(t, path)
		})
		b, err := json.MarshalIndent(want, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tsharkFile, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(tsharkFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		if diff := cmp.Diff(want[name], count(t, datagrams)); diff != "" {
			t.Errorf("%s: tshark (-) and this package (+) differ: %s", name, diff)
		}
	})
}
