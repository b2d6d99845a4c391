// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire/internal/pcapng"
)

func drawEntity(t *rapid.T) EntityID { return EntityID(rapid.Uint32().Draw(t, "entity")) }

func drawSN(t *rapid.T) SequenceNumber {
	return SequenceNumber(rapid.Int64Range(1, int64(maxSequenceNumber)).Draw(t, "sn"))
}

func drawCount(t *rapid.T) Count { return Count(rapid.Int32().Draw(t, "count")) }

func drawInline(t *rapid.T) ParameterList {
	if rapid.Bool().Draw(t, "no inline QoS") {
		return ParameterList{}
	}
	q := drawInlineQoS(t)
	return q.List()
}

func drawInlineQoS(t *rapid.T) InlineQoS {
	q := InlineQoS{Status: StatusInfo(rapid.Uint32().Draw(t, "status"))}
	if q.HasKeyHash = rapid.Bool().Draw(t, "has key hash"); q.HasKeyHash {
		q.KeyHash = KeyHash(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key hash"))
	}
	if q.HasRelated = rapid.Bool().Draw(t, "has related"); q.HasRelated {
		q.Related = SampleIdentity{GUID{otherPrefix, drawEntity(t)}, drawSN(t)}
	}
	if q.HasOriginal = rapid.Bool().Draw(t, "has original"); q.HasOriginal {
		q.Original = SampleIdentity{GUID{otherPrefix, drawEntity(t)}, drawSN(t)}
	}
	return q
}

// drawSubmessage draws a valid submessage of any kind.
func drawSubmessage(t *rapid.T) appender {
	reader, writer := drawEntity(t), drawEntity(t)
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		d := &Data{Reader: reader, Writer: writer, SN: drawSN(t), InlineQoS: drawInline(t)}
		if d.Kind = PayloadKind(rapid.IntRange(0, 2).Draw(t, "payload kind")); d.Kind != PayloadNone {
			// A multiple of four: the padding belongs to the payload as received.
			d.Payload = rapid.SliceOfN(rapid.Byte(), 4, 400).Draw(t, "payload")
			d.Payload = d.Payload[:len(d.Payload)&^3]
		}
		return d
	case 1:
		size := rapid.Uint16Range(1, 200).Draw(t, "fragment size")
		sample := rapid.Uint32Range(1, 5000).Draw(t, "sample size")
		total := FragmentCount(sample, size)
		first := rapid.Uint32Range(1, total).Draw(t, "first")
		n := rapid.Uint32Range(1, total-first+1).Draw(t, "fragments")
		d := &DataFrag{Reader: reader, Writer: writer, SN: drawSN(t), First: FragmentNumber(first), Count: uint16(n),
			FragmentSize: size, SampleSize: sample, InlineQoS: drawInline(t), Key: rapid.Bool().Draw(t, "key")}
		d.Payload = bytes.Repeat([]byte{0x5a}, int(min(n*uint32(size), sample-d.offset())))
		return d
	case 2:
		first := drawSN(t)
		last := SequenceNumber(rapid.Int64Range(int64(first)-1, int64(maxSequenceNumber)).Draw(t, "last"))
		return &Heartbeat{Reader: reader, Writer: writer, First: first, Last: last, Count: drawCount(t),
			Final: rapid.Bool().Draw(t, "final"), Liveliness: rapid.Bool().Draw(t, "liveliness")}
	case 3:
		return &HeartbeatFrag{Reader: reader, Writer: writer, SN: drawSN(t),
			Last: FragmentNumber(rapid.Uint32Range(1, ^uint32(0)).Draw(t, "last")), Count: drawCount(t)}
	case 4:
		s, _ := drawSequenceSet(t)
		return &AckNack{Reader: reader, Writer: writer, State: s, Count: drawCount(t), Final: rapid.Bool().Draw(t, "final")}
	case 5:
		s := FragmentNumberSet{Base: FragmentNumber(rapid.Uint32Range(1, 1<<31).Draw(t, "base"))}
		s.Add(s.Base + FragmentNumber(rapid.Uint32Range(0, 255).Draw(t, "bit")))
		return &NackFrag{Reader: reader, Writer: writer, SN: drawSN(t), State: s, Count: drawCount(t)}
	default:
		s, _ := drawSequenceSet(t)
		start := SequenceNumber(rapid.Int64Range(1, int64(s.Base)).Draw(t, "start"))
		return &Gap{Reader: reader, Writer: writer, Start: start, List: s}
	}
}

// TestMessageRoundTrip packs submessages of all kinds and walks the datagram.
func TestMessageRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder(MaxMessageSize)
		b.Begin(testPrefix)
		var want []appender
		for range rapid.IntRange(0, 8).Draw(t, "submessages") {
			m := drawSubmessage(t)
			want = append(want, m)
			if !addTo(b, m) {
				t.Fatal("does not fit")
			}
		}
		c, err := collect(b.Bytes())
		if diff := cmp.Diff(want, c.got, sameList, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
}

func TestInlineQoSRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawInlineQoS(t)
		var got InlineQoS
		if err := got.Decode(want.List()); err != nil || got != want {
			t.Fatalf("%+v becomes %+v, %v", want, got, err)
		}
	})
}

// reencoder encodes the submessages of a datagram again.
type reencoder struct{ collector }

func (h *reencoder) bytes(r *Receiver, id SubmessageID) []byte {
	switch id {
	case subInfoTS:
		return infoTS{Time: r.Timestamp}.Append(nil)
	case subInfoDst:
		return infoDst{Prefix: r.DestPrefix}.Append(nil)
	case subInfoSrc:
		return infoSrc{r.SourceVersion, r.SourceVendor, r.SourcePrefix}.Append(nil)
	}
	if len(h.got) == 0 {
		return nil
	}
	return h.got[len(h.got)-1].Append(nil)
}

// TestCapturesReencode: decoding and encoding the captured submessages yields equal bytes, except for the undefined
// bits in the set of an ACKNACK.
func TestCapturesReencode(t *testing.T) {
	captures(t, func(name string, datagrams []pcapng.Datagram) {
		equal, other := 0, 0
		for _, d := range datagrams {
			if !isRTPS(d.Payload) {
				continue
			}
			head, err := ParseHeader(d.Payload)
			if got := head.Append(nil); err != nil || !bytes.Equal(got, d.Payload[:HeaderSize]) {
				t.Errorf("%s frame %d: header % x, %v", name, d.Frame, got, err)
			}
			var p Parser
			p.recv.reset(head)
			for s := NewScanner(d.Payload); s.Next(); {
				sub := s.Submessage()
				var h reencoder
				if err := p.handle(&sub, &h); err != nil {
					t.Errorf("%s frame %d: %v", name, d.Frame, err)
				}
				again := h.bytes(&p.recv, sub.ID)
				if again == nil {
					continue
				}
				if bytes.Equal(again, d.Payload[sub.Offset:sub.Offset+submessageHeaderSize+len(sub.Body)]) {
					equal++
					continue
				}
				other++
				t.Logf("%s frame %d: %v\n% x\n% x", name, d.Frame, sub.ID, sub.Body, again)
			}
		}
		if other > 0 || equal < 1000 {
			t.Errorf("%s: %d submessages came out equal, %d not", name, equal, other)
		}
	})
}
