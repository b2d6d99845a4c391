// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

func TestDecoder(t *testing.T) {
	for _, c := range layouts() {
		for header, body := range map[string]string{"00010000": c.little, "00000000": c.big, "00010001": c.little} {
			var d cdr.Decoder
			if err := d.Reset(unhex(t, header+body)); err != nil {
				t.Fatal(err)
			}
			got := c.decode(&d)
			if d.Err() != nil || d.Remaining() != 0 || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s %s%s: %v, want %v; error %v, %d bytes left", c.name, header, body, got, c.want, d.Err(), d.Remaining())
			}
		}
		var d cdr.Decoder
		d.ResetBody(unhex(t, c.big), true)
		if got := c.decode(&d); !reflect.DeepEqual(got, c.want) || d.Err() != nil {
			t.Errorf("%s without header: %v, want %v (%v)", c.name, got, c.want, d.Err())
		}
	}
}

// Truncated data cause an error with the position, and a zero value.
func TestDecoderTruncated(t *testing.T) {
	for _, c := range layouts() {
		body := unhex(t, c.little)
		for n := range body {
			var d cdr.Decoder
			d.ResetBody(body[:n], false)
			d.Field("f")
			c.decode(&d)
			var where *cdr.DecodeError
			if !errors.Is(d.Err(), cdr.ErrShort) || !errors.As(d.Err(), &where) || where.Field != "f" || where.Offset > n {
				t.Errorf("%s, %d of %d bytes: %v", c.name, n, len(body), d.Err())
			}
			if d.Uint8() != 0 || d.String() != "" || d.SeqLen(1, 0) != 0 || len(d.Float64Seq(nil, 0)) != 0 {
				t.Errorf("%s: values after an error", c.name)
			}
		}
	}
}

func TestEncapsulation(t *testing.T) {
	for data, want := range map[string]error{
		"00000000": nil, "00010000": nil, "00010003": nil, "0001ffff": nil,
		"00020000": cdr.ErrParameterList, "00030000": cdr.ErrParameterList,
		"00060000": cdr.ErrXCDR2, "00070000": cdr.ErrXCDR2, "00080000": cdr.ErrXCDR2,
		"00090000": cdr.ErrXCDR2, "000a0000": cdr.ErrXCDR2, "000b0000": cdr.ErrXCDR2,
		"00040000": cdr.ErrEncapsulation, "000c0000": cdr.ErrEncapsulation, "01000000": cdr.ErrEncapsulation,
		"": cdr.ErrShort, "0001": cdr.ErrShort, "000100": cdr.ErrShort,
	} {
		var d cdr.Decoder
		err := d.Reset(unhex(t, data))
		if !errors.Is(err, want) || (want == nil) != (err == nil) || d.Err() != err {
			t.Errorf("%q: %v, want %v", data, err, want)
		}
		if want != nil && d.Uint8() != 0 {
			t.Errorf("%q: a value after the error", data)
		}
		if want != nil && want != cdr.ErrShort && !errors.Is(err, cdr.ErrEncapsulation) {
			t.Errorf("%q: %v is not an ErrEncapsulation", data, err)
		}
	}
}

func TestStringsOfPeers(t *testing.T) {
	for body, want := range map[string]string{
		"00000000":         "",           // length 0
		"0100000000":       "",           // the NUL alone
		"020000006162":     "ab",         // no NUL
		"03000000610000":   "a\x00",      // only the last NUL ends it
		"04000000c3a46200": "\u00e4b",    // UTF-8
		"03000000ff6200":   "\xff" + "b", // no check of UTF-8
	} {
		var d cdr.Decoder
		d.ResetBody(unhex(t, body), false)
		if got := d.String(); got != want || d.Err() != nil || d.Remaining() != 0 {
			t.Errorf("%s: %q (%v), want %q", body, got, d.Err(), want)
		}
	}
}

func TestBadValues(t *testing.T) {
	for _, c := range []struct {
		body   string
		decode func(*cdr.Decoder)
		kind   error
		want   string
	}{
		{"0002", func(d *cdr.Decoder) { d.Bool(); d.Bool() }, cdr.ErrBool, "pkg/msg/T.f: byte 5: cdr: boolean is neither 0 nor 1: 0x02"},
		{"00ff", func(d *cdr.Decoder) { d.Bools(make([]bool, 2)) }, cdr.ErrBool, "pkg/msg/T.f: byte 5: cdr: boolean is neither 0 nor 1: 0xff"},
		{"03000000010101", func(d *cdr.Decoder) { d.Uint8Seq(nil, 2) }, cdr.ErrBound, "3 elements, at most 2"},
		{"0400000061626300", func(d *cdr.Decoder) { d.StringOf("", 2) }, cdr.ErrBound, "byte 8: cdr: bound exceeded: string of 3 bytes, at most 2"},
		{"ffffffff", func(d *cdr.Decoder) { d.Float64Seq(nil, 0) }, cdr.ErrShort, "4294967295 elements need at least 34359738360 bytes, 0 left"},
		{"ffffffff", func(d *cdr.Decoder) { d.StringOf("", 0) }, cdr.ErrShort, "4294967295 elements need at least 4294967295 bytes"},
		{"0200000000000000", func(d *cdr.Decoder) { d.StringSeq(nil, 0, 0) }, cdr.ErrShort, "2 elements need at least 8 bytes, 4 left"},
		{"01000000", func(d *cdr.Decoder) { d.SeqLen(0, 0) }, cdr.ErrShort, "1 elements need at least 1 bytes"},
	} {
		var d cdr.Decoder
		if err := d.Reset(unhex(t, "00010000"+c.body)); err != nil {
			t.Fatal(err)
		}
		d.Field("pkg/msg/T.f")
		c.decode(&d)
		if err := d.Err(); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
}

// A bound applies to the text without the NUL.
func TestStringAtItsBound(t *testing.T) {
	for _, body := range []string{"03000000616200", "020000006162"} {
		var d cdr.Decoder
		d.ResetBody(unhex(t, body), false)
		if got := d.StringOf("", 2); got != "ab" || d.Err() != nil {
			t.Errorf("%s: %q, %v", body, got, d.Err())
		}
	}
}

// Slices that are large enough are reused, and their old elements overwritten, even if decoding fails.
func TestDecoderReusesSlices(t *testing.T) {
	prev := []uint32{7, 8, 9}
	var d cdr.Decoder
	d.ResetBody(unhex(t, "02000000"+"01000000"+"02000000"), false)
	got := d.Uint32Seq(prev, 0)
	if !reflect.DeepEqual(got, []uint32{1, 2}) || &got[0] != &prev[0] {
		t.Errorf("%v", got)
	}
	into := []float64{1, 2}
	d.ResetBody([]byte{1, 2, 3}, false)
	if d.Float64s(into); into[0] != 0 || into[1] != 0 || d.Err() == nil {
		t.Errorf("after an error: %v, %v", into, d.Err())
	}
	flags := []bool{true, true, true}
	d.ResetBody([]byte{1, 1, 2}, false)
	if d.Bools(flags); flags[0] || flags[1] || flags[2] {
		t.Errorf("after a bad boolean: %v", flags)
	}
}

func TestErrorWithoutField(t *testing.T) {
	var d cdr.Decoder
	d.Uint16()
	if want := "byte 0: cdr: data too short: 2 bytes needed, 0 left"; d.Err() == nil || d.Err().Error() != want {
		t.Errorf("%v, want %q", d.Err(), want)
	}
}
