// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
)

// spent is how much memory something asks for, bytes.
func spent(what func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	what()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A length of 16 MiB costs no memory before its bytes come, and the lengths at the bounds are distinguished.
func TestLengthsOfRequests(t *testing.T) {
	head := func(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
	if n := spent(func() {
		if _, err := wire.ReadRequest(bytes.NewReader(append(head(wire.MaxRequest), 1, 2, 3))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	}); n > 1<<20 {
		t.Errorf("3 bytes of a request cost %d", n)
	}
	whole := append(head(wire.MaxRequest), make([]byte, wire.MaxRequest-4)...)
	binary.LittleEndian.PutUint32(whole[10:], wire.MaxRequest-14) // one part has all
	if q, err := wire.ReadRequest(bytes.NewReader(whole)); err != nil || len(q.Parts) != 1 || len(q.Parts[0].Body) != wire.MaxRequest-14 {
		t.Errorf("the longest: %v", err)
	}
	for _, n := range []uint32{1, 4, 7, wire.MaxRequest + 1, 1 << 31, 1<<32 - 1} {
		in := bytes.NewReader(append(head(n), 1, 2, 3, 4))
		if _, err := wire.ReadRequest(in); !errors.Is(err, wire.ErrSize) || !strings.Contains(err.Error(), "must be 8 to 16777216") || in.Len() != 4 {
			t.Errorf("%d: %v, %d bytes left", n, err, in.Len())
		}
	}
	two := bytes.NewReader(wire.AppendRequest(wire.AppendRequest(nil, wire.Request{}), wire.Request{Bye: true}))
	if q, err := wire.ReadRequest(two); err != nil || q.Bye || two.Len() != 4 {
		t.Errorf("the first of two: %+v, %v, %d bytes left", q, err, two.Len())
	}
}

// A part that is too long is refused with its device and both lengths.
func TestLengthsOfParts(t *testing.T) {
	for text, want := range map[string]string{
		"00000000 0700 ffffffff 01":         "part of device 7 has 1 of 4294967295 bytes",
		"00000000 ffff 00000080":            "part of device 65535 has 0 of 2147483648 bytes",
		"00000000 0100 01000000 01 0200 00": "3 bytes of a part's head",
		"000000":                            "without its step",
	} {
		if q, err := wire.ParseRequest(unhex(t, text)); !errors.Is(err, wire.ErrShort) || !strings.Contains(err.Error(), want) || len(q.Parts) > 1 {
			t.Errorf("%s: %+v, %v, want %q", text, q, err, want)
		}
	}
}

// Lists and texts with wrong lengths are refused soon, with what is there and what was said.
func TestLengthsOfCommands(t *testing.T) {
	for _, c := range []struct {
		kind wire.Kind
		text string
		want error
		says string
	}{
		{wire.Speaker, "01 ffffffff", wire.ErrShort, "0 of 2 bytes"},
		{wire.Speaker, "01 ffffffff ffff 61", wire.ErrShort, "1 of 65535 bytes"},
		{wire.Speaker, "01 01000000 00000000 00000000", wire.ErrShort, "0 of 2 bytes"},
		{wire.Speaker, "02 ffff 0200 6100", wire.ErrShort, "0 of 2 bytes"},
		{wire.Speaker, "02 0100 0000", wire.ErrSize, "a text of 0 bytes"},
		{wire.Speaker, "05 0200 6161" + half, wire.ErrSize, "a text of 2 bytes without its end"},
		{wire.Robot, "1e 01 00000000", wire.ErrSize, "a text of 0 bytes"},
		{wire.Robot, "1e 01 ffffffff 00", wire.ErrShort, "1 of 4294967295 bytes"},
		{wire.Emitter, "00 01000000" + none + "00000080 61", wire.ErrShort, "1 of 2147483648 bytes"},
	} {
		var err error
		n := spent(func() { _, err = wire.Latest().Commands(c.kind, unhex(t, c.text)) })
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || n > 1<<20 {
			t.Errorf("kind %d, %s: %v, %d bytes of memory; want %v, %q", c.kind, c.text, err, n, c.want, c.says)
		}
	}
}

// The longest handshake is read, one byte more is refused with both numbers, and so is a name with a blank in it.
func TestLengthsOfHandshakes(t *testing.T) {
	begin := "CTR\nRobot-Name: "
	longest := begin + strings.Repeat("x", wire.MaxHandshake-len(begin))
	if name, whole, err := wire.ParseHandshake([]byte(longest)); err != nil || !whole || len(name) != wire.MaxHandshake-len(begin) {
		t.Errorf("%d bytes, %t, %v", len(name), whole, err)
	}
	for text, want := range map[string]string{
		longest + "x": "513 bytes, at most 512", begin + "ab c": "byte 2 of the robot's name", begin + "\x7f": "byte 0 of the robot's name",
		"CTR\nRobot-Game: a": `"CTR\nRobot-Game: "`,
	} {
		if name, whole, err := wire.ParseHandshake([]byte(text)); !errors.Is(err, wire.ErrHandshake) || !strings.Contains(err.Error(), want) || whole || name != "" {
			t.Errorf("%d bytes: %q, %t, %v, want %q", len(text), name, whole, err, want)
		}
	}
}
