// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// endpointGolden is the announcement of a writer as this program sends it.
const endpointGolden = `00030000
	1500 0400 02030000
	1600 0400 017e0000
	5a00 1000 017e0102 03040506 0708090a 00000103
	5000 1000 017e0102 03040506 0708090a 000001c1
	0500 1000 0a000000 72742f637570 2f78 7900 0000
	0700 0c00 05000000 613a3a62 00000000
	1a00 0c00 02000000 00000000 9a999919
	1d00 0400 01000000
	4000 0800 00000000 0a000000
	7300 0800 01000000 0000 0000
	2300 0800 01000000 00000080
	2b00 0800 0a000000 00000000
	2c00 0800 04000000 613d623b
	0100 0000`

func endpointValue() EndpointData {
	q := DefaultWriterQoS()
	q.Durability, q.Depth, q.Deadline, q.Lifespan = TransientLocal, 10, Second+Second/2, 10*Second
	q.Representation = []DataRepresentation{XCDR1}
	return EndpointData{Version: Version23, Vendor: VendorOwn, GUID: GUID{testPrefix, 0x103},
		Participant: GUID{testPrefix, EntityParticipant}, Topic: "rt/cup/xy", Type: "a::b", QoS: q, UserData: []byte("a=b;")}
}

func TestEndpointGolden(t *testing.T) {
	want, value := unhex(t, endpointGolden), endpointValue()
	if got := value.AppendPayload(nil); !bytes.Equal(got, want) {
		t.Errorf("encoded\n% x, want\n% x", got, want)
	}
	got, err := DecodePublication(want)
	if diff := cmp.Diff(value, got); err != nil || diff != "" || !got.IsWriter() {
		t.Error(err, diff)
	}
}

// TestEndpointSparse: a list with the mandatory parameters only, in the form
// of Cyclone DDS with an unknown vendor parameter, and its defaults.
func TestEndpointSparse(t *testing.T) {
	const list = `0500 0c00 05000000 72742f61 00000000 0700 0c00 05000000 613a3a62 00000000
		5a00 1000 01100b0c 0d0e0f10 11121314 %s 0c80 0400 00000000 0100 0000`
	for _, tc := range []struct {
		decode func([]byte) (EndpointData, error)
		entity string
		id     EntityID
		qos    QoS
	}{
		{DecodePublication, "00000103", 0x103, DefaultWriterQoS()},
		{DecodeSubscription, "00000104", 0x104, DefaultReaderQoS()},
	} {
		payload := unhex(t, "00030000"+string(bytes.Replace([]byte(list), []byte("%s"), []byte(tc.entity), 1)))
		got, err := tc.decode(payload)
		want := EndpointData{GUID: GUID{otherPrefix, tc.id}, Participant: GUID{otherPrefix, EntityParticipant},
			Topic: "rt/a", Type: "a::b", QoS: tc.qos}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
}

func TestEndpointErrors(t *testing.T) {
	const topic = `0500 0c00 05000000 72742f61 00000000 `
	const typ = `0700 0c00 05000000 613a3a62 00000000 `
	const guid = `5a00 1000 01100b0c 0d0e0f10 11121314 00000103 `
	const all = topic + typ + guid
	for _, tc := range []struct {
		name, list string
		want       error
	}{
		{"no GUID", topic + typ, errMissing},
		{"no topic", typ + guid, errMissing},
		{"no type", topic + guid, errMissing},
		{"a reader", topic + typ + `5a00 1000 01100b0c 0d0e0f10 11121314 00000104`, errParameter},
		{"alien participant", all + `5000 1000 017e0102 03040506 0708090a 000001c1`, errParameter},
		{"topic twice", all + topic, errDuplicate},
		{"reliability 3", all + `1a00 0c00 03000000 00000000 00000000`, errParameter},
		{"reliability 0", all + `1a00 0c00 00000000 00000000 00000000`, errParameter},
		{"reliability short", all + `1a00 0400 01000000`, errParameter},
		{"durability 4", all + `1d00 0400 04000000`, errParameter},
		{"depth 0", all + `4000 0800 00000000 00000000`, errParameter},
		{"history 2", all + `4000 0800 02000000 01000000`, errParameter},
		{"liveliness 3", all + `1b00 0c00 03000000 00000000 00000000`, errParameter},
		{"presentation short", all + `2100 0400 00000000`, errParameter},
		{"representations missing", all + `7300 0400 ff000000`, errParameter},
		{"too many representations", all + `7300 1800 09000000 0000000000000000000000000000000000000000`, errLimit},
		{"partitions missing", all + `2900 0400 ffffffff`, errParameter},
		{"partition string missing", all + `2900 0800 01000000 05000000`, errParameter},
		{"must understand", all + `ff7f 0000`, errMustUnderstand},
	} {
		got, err := DecodePublication(unhex(t, `00030000`+tc.list+`0100 0000`))
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(EndpointData{}, got); diff != "" {
			t.Errorf("%s: half applied: %s", tc.name, diff)
		}
	}
	if _, err := DecodeSubscription(unhex(t, `00030000`+all+`0100 0000`)); !errors.Is(err, errParameter) {
		t.Errorf("a writer among the subscriptions: %v", err)
	}
}

// TestEndpointKeyHash: the key may be given as KEY_HASH instead of the GUID.
func TestEndpointKeyHash(t *testing.T) {
	payload := unhex(t, `00030000 0500 0c00 05000000 72742f61 00000000 0700 0c00 05000000 613a3a62 00000000
		7000 1000 01100b0c 0d0e0f10 11121314 00000103 0100 0000`)
	if e, err := DecodePublication(payload); err != nil || e.GUID != (GUID{otherPrefix, 0x103}) {
		t.Error(e.GUID, err)
	}
}

func drawDuration(t *rapid.T, name string) Duration {
	return rapid.OneOf(rapid.Just(DurationInfinite), rapid.Just(durationZero),
		rapid.Map(rapid.Int64(), func(n int64) Duration { return Duration(n) })).Draw(t, name)
}

func drawQoS(t *rapid.T) QoS {
	kind := func(low, high uint32, name string) uint32 { return rapid.Uint32Range(low, high).Draw(t, name) }
	q := QoS{
		Reliability: ReliabilityKind(kind(1, 2, "reliability")), MaxBlocking: drawDuration(t, "blocking"),
		Durability: DurabilityKind(kind(0, 3, "durability")), History: HistoryKind(kind(0, 1, "history")),
		Depth: rapid.Int32Range(1, 1000).Draw(t, "depth"), Deadline: drawDuration(t, "deadline"),
		LatencyBudget: drawDuration(t, "latency"), Liveliness: LivelinessKind(kind(0, 2, "liveliness")),
		LivelinessLease: drawDuration(t, "lease"), Lifespan: drawDuration(t, "lifespan"),
		Ownership: OwnershipKind(kind(0, 1, "ownership")), Strength: rapid.Int32().Draw(t, "strength"),
		DestinationOrder: DestinationOrderKind(kind(0, 1, "order")), TimeFilter: drawDuration(t, "filter"),
		Presentation: Presentation{PresentationScope(kind(0, 2, "scope")), rapid.Bool().Draw(t, "coherent"), rapid.Bool().Draw(t, "ordered")},
		Representation: rapid.SliceOfN(rapid.Map(rapid.Int16(), func(n int16) DataRepresentation { return DataRepresentation(n) }),
			1, maxDataRepresentations).Draw(t, "representation"),
	}
	for range rapid.IntRange(0, 4).Draw(t, "partitions") {
		q.Partition = append(q.Partition, drawString(t, "partition"))
	}
	limits := ResourceLimits{rapid.Int32().Draw(t, "samples"), rapid.Int32().Draw(t, "instances"), -1}
	if rapid.Bool().Draw(t, "limits") {
		q.ResourceLimits = &limits
	}
	if rapid.Bool().Draw(t, "service") {
		q.DurabilityService = &DurabilityService{drawDuration(t, "cleanup"), KeepAll, 5, limits}
	}
	return q
}

func TestEndpointRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := EndpointData{Version: Version23, Vendor: VendorCyclone, GUID: GUID{otherPrefix, 0x103},
			Participant: GUID{otherPrefix, EntityParticipant}, Topic: "t" + drawString(t, "topic"),
			Type: "t" + drawString(t, "type"), QoS: drawQoS(t), Unicast: drawLocators(t), Multicast: drawLocators(t),
			UserData:         rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "user data"),
			ExpectsInlineQoS: rapid.Bool().Draw(t, "inline"), TypeMaxSize: rapid.Uint32().Draw(t, "size"),
			EntityName: drawString(t, "name")}
		got, err := DecodePublication(e.AppendPayload(nil))
		if diff := cmp.Diff(e, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
}
