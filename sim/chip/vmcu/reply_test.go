// SPDX-License-Identifier: Apache-2.0

package vmcu_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/sim/chip/vmcu"
)

// The whole packet, byte by byte, with every field set to something else.
func TestReplyLayout(t *testing.T) {
	g := newRig()
	g.view.delta = [8]int16{0x0101, 0x0202, 0x0303, 0x0404, 0x0505, 0x0606, 0x0707, 0x0808}
	g.view.ambient = [8]uint16{0x0A01, 0x0A02, 0x0A03, 0x0A04, 0x0A05, 0x0A06, 0x0A07, 0x0A08}
	g.one(18, 4, 0x1234, -2)
	g.SetSelector(11)
	g.SetButton(true)
	g.Remote(0x55)
	g.send(0, 0)
	want := "01010202030304040505060607070808" + // proximity
		"010a020a030a040a050a060a070a080a" + // ambient
		"0000000000000000" + // microphones: no window is complete at time zero
		"1b" + // selector 11 and the button
		"3412feff" + // left and right counter
		"95" // remote: the extended code 0x55
	sum := byte(0)
	for _, b := range mustHex(want) {
		sum ^= b
	}
	want += hex.EncodeToString([]byte{sum})
	if got := hex.EncodeToString(g.reply[:]); got != want {
		t.Errorf("reply\n%s, want\n%s", got, want)
	}
}

func mustHex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err) // a mistake in the test itself
	}
	return b
}

// Fact: low nibble selector, bit 4 button, bits 5 to 7 zero.
func TestSelectorAndButton(t *testing.T) {
	g := newRig()
	for sel := range uint8(16) {
		for _, pressed := range []bool{false, true} {
			g.SetSelector(sel)
			g.SetButton(pressed)
			g.send(0, 0)
			want := sel
			if pressed {
				want |= 0x10
			}
			if g.reply[40] != want || g.Selector() != sel {
				t.Errorf("selector %d, button %v: byte %#x", sel, pressed, g.reply[40])
			}
		}
	}
}

// Whatever is written, in whatever pieces, the reply's checksum is right.
func TestChecksumIsAlwaysRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := newRig()
		for range rapid.IntRange(1, 8).Draw(t, "writes") {
			g.wait(time.Duration(rapid.IntRange(0, 100).Draw(t, "ms")) * time.Millisecond)
			if rapid.Bool().Draw(t, "error") {
				g.Disturbed()
			}
			g.raw(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes"))
			if xor(g.reply[:46]) != g.reply[46] {
				t.Fatalf("wrong checksum in % x", g.reply)
			}
			if g.reply[40]&0xE0 != 0 || g.reply[40]&0x0F != 10 {
				t.Fatalf("selector byte %#x", g.reply[40])
			}
		}
	})
}

func TestExchangeDoesNotAllocate(t *testing.T) {
	g := newRig()
	if n := testing.AllocsPerRun(100, func() { g.send(100, 200) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Fact: a firmware that is no slave does not answer: the standard one never,
// the extension only if the selector was at 10 when it started, or was turned
// there in time: see TestTurnedToTenLater.
func TestWhoAnswers(t *testing.T) {
	for _, c := range []struct {
		firmware vmcu.Firmware
		selector uint8
		want     bool
	}{
		{vmcu.Extension, 10, true},
		{vmcu.Extension, 0, false},
		{vmcu.Extension, 15, false},
		{vmcu.Standard, 10, false},
		{vmcu.York, 0, true},
	} {
		g := newRig(func(cfg *vmcu.Config) { cfg.Firmware, cfg.Selector = c.firmware, c.selector })
		if got := g.Ready(); got != c.want {
			t.Errorf("%v firmware with selector %d answers: %v", c.firmware, c.selector, got)
		}
	}
}

func TestSelectorCountsAtTheStartOnly(t *testing.T) {
	g := newRig()
	g.SetSelector(3)
	if g.send(0, 0); !g.Ready() || g.reply[40] != 3 {
		t.Errorf("after turning it: ready %v, byte %#x", g.Ready(), g.reply[40])
	}
	g.Restart()
	if g.Ready() {
		t.Error("answers after a restart with selector 3")
	}
	g.SetSelector(10)
	g.Restart()
	g.wait(2 * time.Second)
	if !g.Ready() {
		t.Error("does not answer after a restart with selector 10")
	}
}

func TestFirmwareNames(t *testing.T) {
	for f, want := range map[vmcu.Firmware]string{
		vmcu.Extension: "extension", vmcu.Standard: "standard", vmcu.York: "york", 9: "unknown",
	} {
		if got := f.String(); got != want {
			t.Errorf("firmware %d is called %q, want %q", f, got, want)
		}
	}
}
