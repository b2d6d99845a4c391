// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
)

// The requests are the bytes of SUMO's Python client, the answers those of SUMO 1.15, with our robots in them.
func TestGoldenBytes(t *testing.T) {
	p := serve(t, town, nil).connect()
	at := func(x, y float64) string { return "01" + doubles(x, y) }
	for _, c := range []struct{ what, request, answer string }{
		{"getVersion", "0200", "07 00 00 00000000 " + "1e 00 00000014" + text(traci.Program)},
		{"setOrder", "06 03 00000001", "07 03 00 00000000"},
		{"ΔT", "07 ab 7b 00000000", "07ab0000000000 10 bb 7b 00000000 0b 3fb999999999999a"},
		{"net bounds", "07 ab 7c 00000000", "07ab0000000000 29 bb 7c 00000000 06 02" + doubles(0, 0, 4, 2)},
		{"net bounds as Veins asks", "0b ab 7c" + text("sim0"), "07ab0000000000 2d bb 7c" + text("sim0") + "06 02" + doubles(0, 0, 4, 2)},
		{"expected", "07 ab 7d 00000000", "07ab0000000000 0c bb 7d 00000000 09 00000002"},
		{"ids before the first step", "07 a4 00 00000000", "07a40000000000 0c b4 00 00000000 0e 00000000"},
		{"subscribe the simulation", "1a db" + doubles(0) + "41dfffffffc00000 00000000 03 66 74 7a",
			"07db0000000000 00 00000024 eb 00000000 03 66 00 0b" + doubles(0) + "74 00 0e 00000000 7a 00 0e 00000000"},
		{"step", "0a 02 0000000000000000", "07 02 00 00000000 00000001 00 0000002e eb 00000000 03 66 00 0b" + doubles(0.1) +
			"74 00 0e 00000002" + text("a") + text("b") + "7a 00 0e 00000000"},
		{"target that is reached", "0a 02" + doubles(0.1), "07 02 00 00000000 00000001 00 0000002e eb 00000000 03 66 00 0b" + doubles(0.1) +
			"74 00 0e 00000002" + text("a") + text("b") + "7a 00 0e 00000000"},
		{"time", "07 ab 66 00000000", "07ab0000000000 10 bb 66 00000000 0b" + doubles(0.1)},
		{"ids", "07 a4 00 00000000", "07a40000000000 16 b4 00 00000000 0e 00000002" + text("a") + text("b")},
		{"position", "08 a4 42" + text("a"), "07a40000000000 19 b4 42" + text("a") + at(0.5, 0.5)},
		{"setSpeed", "11 c4 40" + text("a") + "0b 4008000000000000", "07c40000000000"},
		{"slowDown", "1f c4 14" + text("a") + "0f 00000002 0b" + doubles(0.05) + "0b" + doubles(2), "07c40000000000"},
		{"colour", "0d c4 45" + text("a") + "11 ff0000ff", "07c40000000000"},
		{"moveToXY", "3d c4 b4" + text("a") + "0f 00000007 0c 00000000 09 ffffffff 0b" + doubles(1) + "0b" + doubles(0.25) +
			"0b c1d0000000000000 08 02 0b" + doubles(100), "07c40000000000"},
		{"stop", "3e c4 12" + text("a") + "0f 00000007 0c" + text("town") + "0b" + doubles(1) + "08 00 0b" + doubles(5) +
			"08 00 0b c1d0000000000000 0b c1d0000000000000", "07c40000000000"},
		{"subscribe a", "1b d4 c1d0000000000000 c1d0000000000000" + text("a") + "03 42 43 40", "07d40000000000 00 00000035 e4" + text("a") +
			"03 42 00" + at(1, 0.25) + "43 00 0b" + doubles(90) + "40 00 0b ................"},
		{"context", "22 84 c1d0000000000000 c1d0000000000000" + text("a") + "a4 3fb999999999999a 01 42",
			"07840000000000 00 00000029 94" + text("a") + "a4 01 00000001" + text("a") + "42 00" + at(1, 0.25)},
		{"unknown command", "02 77", "26 77 01 0000001f 436f6d6d616e64206e6f7420696d706c656d656e74656420696e2073756d6f"},
		{"unknown vehicle", "0b a4 40 00000004 6e6f7065", "23 a4 ff 0000001c 56656869636c6520276e6f706527206973206e6f74206b6e6f776e2e"},
		{"two commands", "02 77 07 ab 7b 00000000", "26 77 01 0000001f 436f6d6d616e64206e6f7420696d706c656d656e74656420696e2073756d6f" +
			"07ab0000000000 10 bb 7b 00000000 0b 3fb999999999999a"},
		{"a long head", "00 0000000b ab 7b 00000000", "07ab0000000000 10 bb 7b 00000000 0b 3fb999999999999a"},
		{"remove", "0a c4 81" + text("a") + "08 03", "07c40000000000"},
		{"arrived at once", "07 ab 7a 00000000", "07ab0000000000 11 bb 7a 00000000 0e 00000001" + text("a")},
		{"arrived is not in the next step", "0a 02 0000000000000000", "07 02 00 00000000 00000001 00 00000024 eb 00000000 03 66 00 0b" + doubles(0.2) +
			"74 00 0e 00000000 7a 00 0e 00000000"},
		{"past the target", "0a 02" + doubles(0.25), "07 02 00 00000000 00000001 00 00000024 eb 00000000 03 66 00 0b" + doubles(0.3) +
			"74 00 0e 00000000 7a 00 0e 00000000"},
		{"close", "02 7f", "07 7f 00 00000000"},
	} {
		golden(t, c.what, p.ask(unhex(t, c.request)), c.answer)
	}
	if n, err := p.conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("the connection is open after the close")
	}
}
