// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"strings"
	"testing"
)

// TestParserReceiver follows the state through the interpreter submessages.
func TestParserReceiver(t *testing.T) {
	const (
		ts      = `09 01 0800 02000000 00000080`
		tsBE    = `09 00 0008 00000002 80000000`
		noTS    = `09 03 0000`
		dst     = `0e 01 0c00` + otherPrefixHex
		noDst   = `0e 01 0c00 00000000 00000000 00000000`
		src     = `0c 01 1400 00000000 0202 0110 ` + otherPrefixHex
		heart   = `07 01 1c00 00000000 00000203 00000000 01000000 00000000 01000000 01000000`
		pad     = `01 01 0000`
		pad8    = `01 01 0800 ffffffff ffffffff`
		reply   = `0f 01 1c00 01000000 01000000 e81c0000 00000000 00000000 00000000 00000000`
		unknown = `31 01 0400 ffffffff`
		vendor  = `80 01 0800 ffffffff ffffffff`
	)
	base := Receiver{SourceVersion: Version23, SourceVendor: VendorOwn, SourcePrefix: testPrefix, Timestamp: timeInvalid}
	with := func(change func(*Receiver)) Receiver { r := base; change(&r); return r }
	half := 2*Time(1<<32) + 1<<31
	for _, tc := range []struct {
		name string
		subs []string
		want Receiver
	}{
		{"header only", nil, base},
		{"time", []string{ts}, with(func(r *Receiver) { r.Timestamp = half })},
		{"time big-endian", []string{tsBE}, with(func(r *Receiver) { r.Timestamp = half })},
		{"time taken back", []string{ts, noTS}, base},
		{"destination", []string{dst}, with(func(r *Receiver) { r.DestPrefix = otherPrefix })},
		{"destination taken back", []string{dst, noDst}, base},
		{"source", []string{ts, src}, with(func(r *Receiver) {
			r.SourcePrefix, r.SourceVendor, r.SourceVersion = otherPrefix, VendorCyclone, 0x0202
		})},
		{"skipped ones", []string{pad, pad8, reply, unknown, vendor, ts, pad}, with(func(r *Receiver) { r.Timestamp = half })},
	} {
		c, err := collect(message(t, append(tc.subs, heart)...))
		if err != nil || len(c.got) != 1 || c.last != tc.want {
			t.Errorf("%s: %d handled, %v, %+v", tc.name, len(c.got), err, c.last)
		}
	}
}

func TestParserHeader(t *testing.T) {
	good := message(t)
	for n := range good {
		if _, err := collect(good[:n]); err != errNotRTPS {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := collect([]byte{0}); err != errNotRTPS { // Cyclone DDS wakes a thread
		t.Error(err)
	}
	if _, err := collect(unhex(t, strings.Replace(testHeader, "52", "58", 1))); err != errNotRTPS {
		t.Error(err)
	}
	for version, ok := range map[string]bool{"0201": true, "0203": true, "0205": true, "02ff": true,
		"0200": false, "0100": false, "0301": false} {
		_, err := collect(unhex(t, strings.Replace(testHeader, "0203", version, 1)))
		if ok != (err == nil) || !ok && !errors.Is(err, errVersion) {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

func TestParserInterpreterErrors(t *testing.T) {
	heart := heartbeatCases[0].le
	for _, tc := range []struct {
		name, sub string
		want      error
	}{
		{"time short", `09 01 0400 02000000`, errInvalid},
		{"time of length 0", `09 01 0000`, errInvalid},
		{"destination short", `0e 01 0800 01020304 05060708`, errInvalid},
		{"source short", `0c 01 1000 00000000 0203 0110 01020304 05060708`, errInvalid},
		{"source of version 1", `0c 01 1400 00000000 0100 0110 ` + otherPrefixHex, errVersion},
	} {
		c, err := collect(message(t, heart, tc.sub, heart))
		var se *submessageError
		if !errors.Is(err, tc.want) || !errors.As(err, &se) || se.Offset != 52 || len(c.got) != 1 {
			t.Errorf("%s: %d handled, %v", tc.name, len(c.got), err)
		}
	}
}

// TestParserOwn: submessages to another participant, or from the participant itself, are skipped without decoding.
func TestParserOwn(t *testing.T) {
	const heart = `07 01 1c00 00000000 00000203 00000000 01000000 00000000 01000000 01000000`
	const broken = `07 01 0400 00000000`
	const toOther = `0e 01 0c00 01100b0c 0d0e0f10 11121314`
	const toThird = `0e 01 0c00 ffffffff ffffffff ffffffff`
	b := message(t, heart, toOther, heart, toThird, heart, broken, heart)
	for _, tc := range []struct {
		own  GUIDPrefix
		want int
	}{{otherPrefix, 2}, {testPrefix, 0}, {GUIDPrefix{9}, 1}} {
		p, c := Parser{Own: tc.own}, &collector{}
		if err := p.Walk(b, c); err != nil || len(c.got) != tc.want {
			t.Errorf("own %v: %d handled, %v", tc.own, len(c.got), err)
		}
	}
}

// TestParserReuse: no state of one datagram remains for the next.
func TestParserReuse(t *testing.T) {
	var p Parser
	first, second := &collector{}, &collector{}
	if err := p.Walk(message(t, `09 01 0800 02000000 00000080`, `0e 01 0c00`+otherPrefixHex, dataCases[2].le), first); err != nil {
		t.Fatal(err)
	}
	if err := p.Walk(message(t, dataCases[1].le), second); err != nil {
		t.Fatal(err)
	}
	d := second.got[0].(*Data)
	if second.last.Timestamp != timeInvalid || second.last.Directed() || !d.InlineQoS.Empty() {
		t.Errorf("%+v %+v", second.last, d)
	}
}

// TestParserAllocs: walking does not allocate, decoding inline QoS included.
func TestParserAllocs(t *testing.T) {
	var subs []string
	for _, tc := range subCases() {
		subs = append(subs, tc.le, tc.be)
	}
	b := message(t, subs...)
	p, h := new(Parser), &inlineReader{}
	n := testing.AllocsPerRun(100, func() {
		if err := p.Walk(b, h); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 || h.n == 0 {
		t.Errorf("%v allocations, %d lists", n, h.n)
	}
}

type inlineReader struct {
	NopHandler
	q InlineQoS
	n int
}

func (h *inlineReader) HandleData(_ *Receiver, m *Data) {
	if !m.InlineQoS.Empty() && h.q.Decode(m.InlineQoS) == nil {
		h.n++
	}
}

func TestReceiver(t *testing.T) {
	r := Receiver{SourcePrefix: otherPrefix, DestPrefix: testPrefix}
	if !r.Directed() || !r.For(testPrefix) || r.For(otherPrefix) ||
		r.Source(0x203) != (GUID{otherPrefix, 0x203}) {
		t.Errorf("%+v", r)
	}
	r.DestPrefix = GUIDPrefix{}
	if r.Directed() || !r.For(testPrefix) || !r.For(otherPrefix) {
		t.Errorf("%+v", r)
	}
}
