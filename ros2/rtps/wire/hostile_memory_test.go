// SPDX-License-Identifier: Apache-2.0

//go:build system

package wire

import (
	"runtime"
	"testing"
)

// TestHostileCounts: counts that announce gigabytes do not cause large allocations.
func TestHostileCounts(t *testing.T) {
	const guid = `5a00 1000 01100b0c 0d0e0f10 11121314 00000103 `
	payloads := [][]byte{
		unhex(t, `00030000`+guid+`2900 0400 ffffff7f 0100 0000`),          // partitions
		unhex(t, `00030000`+guid+`7300 0400 ffffff7f 0100 0000`),          // data representations
		unhex(t, `00030000`+guid+`2c00 0400 ffffff7f 0100 0000`),          // user data
		unhex(t, `00030000`+guid+`0500 0400 ffffff7f 0100 0000`),          // topic
		unhex(t, `00030000`+guid+`5900 0400 ffffff7f 0100 0000`),          // properties
		unhex(t, `00030000`+guid+`2900 0800 02000000 ffffffff 0100 0000`), // string in a sequence
		unhex(t, `00010000`+otherPrefixHex+`00000001 ffffff7f`),           // liveliness
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, b := range payloads {
		d := Data{Kind: PayloadData, Payload: b}
		decodeEverything{}.HandleData(nil, &d)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}
