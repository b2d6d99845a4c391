// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func testLocator(s string) Locator { return LocatorFrom(netip.MustParseAddrPort(s)) }

// participantGolden is an announcement as this program sends it.
const participantGolden = `00030000
	1500 0400 02030000
	1600 0400 017e0000
	0f00 0400 11000000
	5000 1000 017e0102 03040506 0708090a 000001c1
	5800 0400 3f0c0000
	3200 1800 01000000 f21c0000 00000000 00000000 00000000 c0000207
	3100 1800 01000000 f31c0000 00000000 00000000 00000000 c0000207
	0200 0800 14000000 00000000
	2c00 1000 0a000000 656e636c6176653d2f3b 0000
	6200 0800 02000000 2f000000
	5900 2400 01000000 0c000000 5041525449434950414e5400 0a000000 53494d504c455f31 3200 0000
	0100 0000`

var participantValue = ParticipantData{
	Version: Version23, Vendor: VendorOwn, GUID: GUID{testPrefix, EntityParticipant},
	DomainID: 17, HasDomainID: true, BuiltinEndpoints: OwnBuiltinEndpoints,
	MetatrafficUnicast: []Locator{testLocator("192.0.2.7:7410")},
	DefaultUnicast:     []Locator{testLocator("192.0.2.7:7411")},
	Lease:              20 * Second, UserData: []byte("enclave=/;"), EntityName: "/",
	Properties: []Property{{"PARTICIPANT", "SIMPLE_12"}},
}

func TestParticipantGolden(t *testing.T) {
	want := unhex(t, participantGolden)
	if got := participantValue.AppendPayload(nil); !bytes.Equal(got, want) {
		t.Errorf("encoded\n% x, want\n% x", got, want)
	}
	got, err := DecodeParticipant(want)
	if diff := cmp.Diff(participantValue, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestParticipantBigEndian decodes a sparse big-endian list; the rest is
// default.
func TestParticipantBigEndian(t *testing.T) {
	got, err := DecodeParticipant(unhex(t, `00020000
		0050 0010 01100b0c 0d0e0f10 11121314 000001c1 0058 0004 0000fc3f
		0032 0018 00000001 00001cf2 00000000 00000000 00000000 c0000207
		8007 0004 00000000 4014 0008 00000002 78000000 0043 0004 01000000 0001 0000`))
	want := ParticipantData{GUID: GUID{otherPrefix, EntityParticipant}, BuiltinEndpoints: 0xfc3f, Lease: defaultLease,
		MetatrafficUnicast: []Locator{testLocator("192.0.2.7:7410")}, DomainTag: "x", ExpectsInlineQoS: true}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestParticipantErrors(t *testing.T) {
	const guid = `5000 1000 017e0102 03040506 0708090a 000001c1 `
	const set = `5800 0400 3f0c0000 `
	const end = `0100 0000`
	for _, tc := range []struct {
		name, list string
		want       error
	}{
		{"no GUID", set + end, errMissing},
		{"GUID of a writer", `5000 1000 017e0102 03040506 0708090a 000100c2` + set + end, errMissing},
		{"no endpoint set", guid + end, errMissing},
		{"GUID twice", guid + guid + set + end, errDuplicate},
		{"GUID short", `5000 0c00 017e0102 03040506 0708090a` + set + end, errParameter},
		{"must understand", guid + set + `1340 0400 00000000` + end, errMustUnderstand},
		{"user data beyond the end", guid + set + `2c00 0400 01000000` + end, errParameter},
		{"user data of 4 GB", guid + set + `2c00 0400 ffffffff` + end, errLimit},
		{"properties missing", guid + set + `5900 0400 ffffffff` + end, errParameter},
		{"locator short", guid + set + `3200 0800 01000000 f21c0000` + end, errParameter},
		{"vendor empty", guid + set + `1600 0000` + end, errParameter},
		{"no sentinel", guid + set, ErrParameterList},
	} {
		got, err := DecodeParticipant(unhex(t, `00030000`+tc.list))
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(ParticipantData{}, got); diff != "" {
			t.Errorf("%s: half applied: %s", tc.name, diff)
		}
	}
}

// TestParticipantLocators: unusable locators are ignored, and usable ones above the limit.
func TestParticipantLocators(t *testing.T) {
	p := participantValue
	p.MetatrafficUnicast = []Locator{{Kind: locatorSHM, Port: 7410}, {Kind: locatorUDPv4, Port: 7410},
		{Kind: locatorUDPv4, Port: 7410, Address: [16]byte{0: 1, 15: 1}}, testLocator("[2001:db8::1]:7410")}
	for i := range 2 * maxLocators {
		p.MetatrafficUnicast = append(p.MetatrafficUnicast, testLocator(fmt.Sprintf("192.0.2.%d:7410", i+1)))
	}
	got, err := DecodeParticipant(p.AppendPayload(nil))
	if diff := cmp.Diff(p.MetatrafficUnicast[3:3+maxLocators], got.MetatrafficUnicast); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// TestParticipantOwnsItsMemory: nothing of the result is in the datagram.
func TestParticipantOwnsItsMemory(t *testing.T) {
	b := unhex(t, participantGolden)
	got, err := DecodeParticipant(b)
	for i := range b {
		b[i] = 0xff
	}
	if diff := cmp.Diff(participantValue, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func drawString(t *rapid.T, name string) string {
	return strings.ReplaceAll(rapid.StringN(0, 40, 80).Draw(t, name), "\x00", "_")
}

func drawLocators(t *rapid.T) []Locator {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Locator {
		l := Locator{Kind: locatorUDPv4, Port: rapid.Uint32Range(1, 65535).Draw(t, "port")}
		copy(l.Address[12:], rapid.SliceOfN(rapid.ByteRange(1, 255), 4, 4).Draw(t, "address"))
		return l
	}), 0, maxLocators).Draw(t, "locators")
}

func TestParticipantRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ParticipantData{
			Version: ProtocolVersion(rapid.Uint16().Draw(t, "version")), Vendor: VendorID(rapid.Uint16().Draw(t, "vendor")),
			GUID: GUID{otherPrefix, EntityParticipant}, HasDomainID: rapid.Bool().Draw(t, "has domain"),
			DomainTag: drawString(t, "tag"), BuiltinEndpoints: BuiltinEndpoints(rapid.Uint32().Draw(t, "builtin")),
			MetatrafficUnicast: drawLocators(t), MetatrafficMulticast: drawLocators(t),
			DefaultUnicast: drawLocators(t), DefaultMulticast: drawLocators(t),
			Lease: Duration(rapid.Int64().Draw(t, "lease")), ExpectsInlineQoS: rapid.Bool().Draw(t, "inline"),
			UserData: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "user data"), EntityName: drawString(t, "name"),
		}
		if p.HasDomainID {
			p.DomainID = rapid.Uint32().Draw(t, "domain")
		}
		for range rapid.IntRange(0, 4).Draw(t, "properties") {
			p.Properties = append(p.Properties, Property{drawString(t, "name"), drawString(t, "value")})
		}
		got, err := DecodeParticipant(p.AppendPayload(nil))
		if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatal(err, diff)
		}
	})
}
