// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"math"
	"net/netip"
	"testing"
	"time"
)

func TestGUID(t *testing.T) {
	g := GUID{Prefix: otherPrefix, Entity: EntityPublicationsWriter}
	if s := g.String(); s != "01.10.0b.0c.0d.0e.0f.10.11.12.13.14|00.00.03.c2" {
		t.Error(s)
	}
	if s := testPrefix.String(); s != "01.7e.01.02.03.04.05.06.07.08.09.0a" {
		t.Error(s)
	}
	b := g.Bytes()
	if GUIDFromBytes(b[:]) != g || !GUIDFromBytes(b[:15]).IsZero() || g.IsZero() || KeyHash(b).GUID() != g {
		t.Errorf("% x", b)
	}
	if g.Prefix.Vendor() != VendorCyclone || g.Prefix.IsZero() || !(GUIDPrefix{}).IsZero() {
		t.Error(g.Prefix.Vendor())
	}
	h := GUID{Prefix: otherPrefix, Entity: EntityPublicationsReader}
	if g.Compare(h) != -1 || h.Compare(g) != 1 || g.Compare(g) != 0 {
		t.Error("Compare")
	}
}

func TestEntityID(t *testing.T) {
	for _, tc := range []struct {
		id                                     EntityID
		writer, reader, keyed, builtin, vendor bool
	}{
		{EntityParticipant, false, false, false, true, false},
		{EntitySPDPWriter, true, false, true, true, false},
		{EntitySubscriptionsReader, false, true, true, true, false},
		{NewEntityID(5, KindWriter), true, false, false, false, false},
		{NewEntityID(5, KindReader), false, true, false, false, false},
		{NewEntityID(5, KindWriterKeyed), true, false, true, false, false},
		{NewEntityID(5, KindReaderKeyed), false, true, true, false, false},
		{NewEntityID(5, KindReader|0x40), false, true, false, false, true},
		{EntityUnknown, false, false, false, false, false},
	} {
		e := tc.id
		if e.isWriter() != tc.writer || e.isReader() != tc.reader || e.IsKeyed() != tc.keyed ||
			e.IsBuiltin() != tc.builtin || e.isVendorSpecific() != tc.vendor {
			t.Errorf("%v", e)
		}
	}
	if e := NewEntityID(0x010203, KindWriter); e.key() != 0x010203 || e.Kind() != KindWriter ||
		e.String() != "01.02.03.03" || e.bytes() != [4]byte{1, 2, 3, 3} {
		t.Error(e)
	}
}

func TestVendorAndVersion(t *testing.T) {
	names := map[VendorID]string{VendorRTI: "RTI Connext", vendorOpenDDS: "OpenDDS", VendorEProsima: "Fast DDS",
		VendorCyclone: "Cyclone DDS", VendorRustDDS: "RustDDS", vendorDust: "Dust DDS", VendorOwn: "epuck-driver",
		0x0142: "01.42"}
	for v, want := range names {
		if v.Name() != want {
			t.Errorf("%v is %s, want %s", v, v.Name(), want)
		}
	}
	if VendorOwn.String() != "01.7e" || Version23.String() != "2.3" {
		t.Error(VendorOwn, Version23)
	}
}

func TestTime(t *testing.T) {
	for _, at := range []time.Time{time.Unix(0, 0), time.Unix(1700000000, 1), time.Unix(1700000000, 999999999),
		time.Unix(math.MaxUint32-1, 123456789)} {
		if got := TimeOf(at); !got.Time().Equal(at) || !got.IsValid() {
			t.Errorf("%v becomes %v", at, got.Time())
		}
	}
	for _, at := range []time.Time{time.Unix(-1, 0), time.Unix(math.MaxUint32+1, 0), {}} {
		if got := TimeOf(at); got != timeInvalid || !got.Time().IsZero() {
			t.Errorf("%v becomes %v", at, got)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, tc := range []struct {
		d    time.Duration
		want Duration
		back time.Duration
		str  string
	}{
		{0, durationZero, 0, "0s"},
		{-time.Second, durationZero, 0, "0s"},
		{100 * time.Millisecond, 0x1999999a, 100 * time.Millisecond, "100ms"}, // as Fast DDS sends it
		{10 * time.Second, 10 * Second, 10 * time.Second, "10s"},
		{1, 5, 1, "1ns"},
		{math.MaxInt64, DurationInfinite, math.MaxInt64, "infinite"},
		{math.MaxInt32*time.Second + 1, DurationInfinite, math.MaxInt64, "infinite"},
		{math.MaxInt32 * time.Second, math.MaxInt32 * Second, math.MaxInt32 * time.Second, "596523h14m7s"},
	} {
		got := DurationOf(tc.d)
		if got != tc.want || got.Duration() != tc.back || got.String() != tc.str {
			t.Errorf("%v: %#x, %v, %v", tc.d, int64(got), got.Duration(), got)
		}
	}
	if b := appendDuration(nil, DurationInfinite); string(b) != "\xff\xff\xff\x7f\xff\xff\xff\xff" {
		t.Errorf("% x", b)
	}
	if durationInvalid.Duration() != -time.Second {
		t.Error(durationInvalid.Duration())
	}
}

func TestLocator(t *testing.T) {
	for _, tc := range []struct{ addr, str string }{
		{"192.0.2.7:7410", "udp/192.0.2.7:7410"},
		{"[::ffff:192.0.2.7]:7410", "udp/192.0.2.7:7410"},
		{"[2001:db8::1]:7410", "udp/[2001:db8::1]:7410"},
	} {
		l := LocatorFrom(netip.MustParseAddrPort(tc.addr))
		back, ok := l.AddrPort()
		if l.String() != tc.str || !ok || LocatorFrom(back) != l || l.validate() != nil {
			t.Errorf("%s: %v", tc.addr, l)
		}
		if b := l.Append(nil); len(b) != locatorSize || littleEndian.locator(b) != l {
			t.Errorf("%s: % x", tc.addr, b)
		}
	}
	good := LocatorFrom(netip.MustParseAddrPort("192.0.2.7:7410"))
	for name, change := range map[string]func(*Locator){
		"kind":        func(l *Locator) { l.Kind = locatorSHM },
		"port 0":      func(l *Locator) { l.Port = 0 },
		"port":        func(l *Locator) { l.Port = 65536 },
		"address":     func(l *Locator) { l.Address[0] = 1 },
		"unspecified": func(l *Locator) { l.Address = [16]byte{} },
	} {
		l := good
		change(&l)
		if _, ok := l.AddrPort(); ok || l.validate() == nil {
			t.Errorf("%s: %v is accepted", name, l)
		}
	}
	if l := LocatorFrom(netip.AddrPort{}); l.Kind != locatorInvalid || l.String() != "kind-1/00000000000000000000000000000000:0" {
		t.Error(l)
	}
}

func TestSequence(t *testing.T) {
	if b := appendSN(nil, SequenceNumberUnknown); string(b) != "\xff\xff\xff\xff\x00\x00\x00\x00" ||
		littleEndian.sn(b) != SequenceNumberUnknown || SequenceNumberUnknown.valid() {
		t.Errorf("% x", b)
	}
	for _, tc := range []struct {
		c, last Count
		want    bool
	}{{1, 0, true}, {1, 1, false}, {0, 1, false}, {math.MinInt32, math.MaxInt32, true}} {
		if tc.c.NewerThan(tc.last) != tc.want {
			t.Errorf("%d after %d: %v", tc.c, tc.last, !tc.want)
		}
	}
	if !(SampleIdentity{}).IsZero() || (SampleIdentity{SN: 1}).IsZero() {
		t.Error("IsZero")
	}
}
