// SPDX-License-Identifier: Apache-2.0

package wire

import "testing"

var heartbeatFragCases = []subCase{{
	name: "heartbeat frag",
	le:   `13 01 1800 00000000 00000203 00000000 09000000 1e000000 04000000`,
	be:   `13 00 0018 00000000 00000203 00000000 00000009 0000001e 00000004`,
	want: &HeartbeatFrag{Writer: 0x203, SN: 9, Last: 30, Count: 4},
}}

func TestHeartbeatFragInvalid(t *testing.T) {
	checkInvalid(t, []invalidCase{
		{"short", `13 01 1400 00000000 00000203 00000000 09000000 1e000000`, "body 20"},
		{"number 0", `13 01 1800 00000000 00000203 00000000 00000000 1e000000 04000000`, "writerSN 0"},
		{"fragment 0", `13 01 1800 00000000 00000203 00000000 09000000 00000000 04000000`, "lastFragmentNum 0"},
	})
}
