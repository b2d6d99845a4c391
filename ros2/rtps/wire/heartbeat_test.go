// SPDX-License-Identifier: Apache-2.0

package wire

import "testing"

var heartbeatCases = []subCase{
	{
		name: "heartbeat",
		le:   `07 01 1c00 000003c7 000003c2 00000000 01000000 01000000 10000000 03000000`,
		be:   `07 00 001c 000003c7 000003c2 00000000 00000001 00000001 00000010 00000003`,
		want: &Heartbeat{Reader: EntityPublicationsReader, Writer: EntityPublicationsWriter,
			First: 1, Last: 1<<32 + 16, Count: 3},
	},
	{
		name: "heartbeat of an empty writer, final, liveliness",
		le:   `07 07 1c00 00000000 000200c2 00000000 01000000 00000000 00000000 01000000`,
		be:   `07 06 001c 00000000 000200c2 00000000 00000001 00000000 00000000 00000001`,
		want: &Heartbeat{Writer: EntityParticipantMessageWriter, First: 1, Last: 0, Count: 1,
			Final: true, Liveliness: true},
	},
}

func TestHeartbeatInvalid(t *testing.T) {
	const ids = `07 01 1c00 000003c7 000003c2 `
	checkInvalid(t, []invalidCase{
		{"short", `07 01 1800 000003c7 000003c2 00000000 01000000 00000000 10000000`, "body 24"},
		{"first 0", ids + `00000000 00000000 00000000 10000000 03000000`, "firstSN 0"},
		{"first negative", ids + `ffffffff ffffffff 00000000 10000000 03000000`, "firstSN -1"},
		{"last before first-1", ids + `00000000 05000000 00000000 03000000 03000000`, "lastSN 3"},
		{"last too large", ids + `00000000 05000000 ffffff7f ffffffff 03000000`, "lastSN"},
	})
}

// TestHeartbeatGroup: the group information RTPS 2.3 may append is ignored.
func TestHeartbeatGroup(t *testing.T) {
	c, err := collect(message(t, `07 09 2400 00000000 00000203 00000000 01000000 00000000 02000000 05000000
		00000000 63000000`))
	if err != nil || len(c.got) != 1 || c.got[0].(*Heartbeat).Last != 2 {
		t.Errorf("%+v, %v", c.got, err)
	}
}
