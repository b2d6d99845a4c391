// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// unhex reads hex digits, ignoring white space.
func unhex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// testHeader is the header of the messages in tests: version 2.3, own vendor.
const testHeader = "52545053 0203 017e 017e0102 03040506 0708090a"

var testPrefix = GUIDPrefix{0x01, 0x7e, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

// otherPrefix is of a Cyclone DDS participant.
var otherPrefix = GUIDPrefix{0x01, 0x10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}

const otherPrefixHex = "01100b0c 0d0e0f10 11121314"

// message makes a datagram of submessages in hex.
func message(tb testing.TB, subs ...string) []byte {
	return unhex(tb, testHeader+strings.Join(subs, ""))
}

// appender is a submessage that can be sent.
type appender interface {
	Append(dst []byte) []byte
	Size() int
}

// collector keeps copies of what it handles, and the Receiver of the last.
type collector struct {
	got  []appender
	last Receiver
}

func (c *collector) add(r *Receiver, m appender) { c.got, c.last = append(c.got, m), *r }

func (l ParameterList) clone() ParameterList {
	return ParameterList{Bytes: bytes.Clone(l.Bytes), BigEndian: l.BigEndian}
}

func (c *collector) HandleData(r *Receiver, m *Data) {
	d := *m
	d.InlineQoS, d.Payload = m.InlineQoS.clone(), bytes.Clone(m.Payload)
	c.add(r, &d)
}

func (c *collector) HandleDataFrag(r *Receiver, m *DataFrag) {
	d := *m
	d.InlineQoS, d.Payload = m.InlineQoS.clone(), bytes.Clone(m.Payload)
	c.add(r, &d)
}

func (c *collector) HandleHeartbeat(r *Receiver, m *Heartbeat)         { d := *m; c.add(r, &d) }
func (c *collector) HandleHeartbeatFrag(r *Receiver, m *HeartbeatFrag) { d := *m; c.add(r, &d) }
func (c *collector) HandleAckNack(r *Receiver, m *AckNack)             { d := *m; c.add(r, &d) }
func (c *collector) HandleNackFrag(r *Receiver, m *NackFrag)           { d := *m; c.add(r, &d) }
func (c *collector) HandleGap(r *Receiver, m *Gap)                     { d := *m; c.add(r, &d) }

// collect walks a datagram.
func collect(datagram []byte) (*collector, error) {
	c := &collector{}
	err := Walk(datagram, c)
	return c, err
}

// sameList compares lists by their parameters, whatever their byte order.
var sameList = cmp.Comparer(func(a, b ParameterList) bool {
	var pa, pb []parameter
	for p := range a.all {
		pa = append(pa, p)
	}
	for p := range b.all {
		pb = append(pb, p)
	}
	return slices.EqualFunc(pa, pb, func(x, y parameter) bool {
		return x.ID == y.ID && bytes.Equal(x.Value, y.Value)
	})
})

// subCase is a submessage as bytes in both byte orders and as a value.
type subCase struct {
	name   string
	le, be string
	want   appender
}

// subCases are all cases; they are the seeds of FuzzMessage too.
func subCases() []subCase {
	return slices.Concat(dataCases, dataFragCases, heartbeatCases, heartbeatFragCases,
		ackNackCases, nackFragCases, gapCases)
}

// TestSubmessageGolden decodes the cases in both byte orders and encodes them.
func TestSubmessageGolden(t *testing.T) {
	for _, tc := range subCases() {
		t.Run(tc.name, func(t *testing.T) {
			for _, form := range []string{tc.le, tc.be} {
				c, err := collect(message(t, form))
				if err != nil || len(c.got) != 1 {
					t.Fatalf("%d submessages, %v", len(c.got), err)
				}
				if diff := cmp.Diff(tc.want, c.got[0], sameList); diff != "" {
					t.Error(diff)
				}
			}
			want := unhex(t, tc.le)
			if got := tc.want.Append([]byte{0xaa}); !bytes.Equal(got[1:], want) || tc.want.Size() != len(want) {
				t.Errorf("encoded (Size %d)\n% x, want\n% x", tc.want.Size(), got[1:], want)
			}
			if n := testing.AllocsPerRun(10, func() { tc.want.Append(want[:0:len(want)]) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// TestSubmessageTruncated: a case truncated at any byte is not handled, with its original length or an adapted one.
func TestSubmessageTruncated(t *testing.T) {
	for _, tc := range subCases() {
		if strings.Contains(tc.name, "padded") {
			continue
		}
		whole := unhex(t, tc.le)
		for n := 1; n < len(whole); n++ {
			cut := append(unhex(t, testHeader), whole[:n]...)
			if c, err := collect(cut); len(c.got) != 0 || !errors.Is(err, ErrTruncated) {
				t.Errorf("%s, %d bytes: %d handled, %v", tc.name, n, len(c.got), err)
			}
			if n < submessageHeaderSize+4 || strings.Contains(tc.name, "payload") {
				continue
			}
			fitted := append([]byte(nil), cut...)
			fitted[HeaderSize+2], fitted[HeaderSize+3] = byte(n-submessageHeaderSize), 0
			if c, err := collect(fitted); len(c.got) != 0 || !errors.Is(err, errInvalid) {
				t.Errorf("%s, fitted to %d bytes: %d handled, %v", tc.name, n, len(c.got), err)
			}
		}
	}
}

// invalidCase is a submessage that is rejected, with a word of the error.
type invalidCase struct{ name, sub, word string }

// checkInvalid walks each case between two valid submessages: the first is handled, the rest of the datagram ignored.
func checkInvalid(t *testing.T, cases []invalidCase) {
	t.Helper()
	good := heartbeatCases[0].le
	for _, tc := range cases {
		c, err := collect(message(t, good, tc.sub, good))
		var se *submessageError
		if !errors.Is(err, errInvalid) || !errors.As(err, &se) || se.Offset != HeaderSize+32 ||
			!strings.Contains(err.Error(), tc.word) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if len(c.got) != 1 {
			t.Errorf("%s: %d submessages handled", tc.name, len(c.got))
		}
	}
}
