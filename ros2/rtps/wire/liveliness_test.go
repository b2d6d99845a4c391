// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParticipantMessage(t *testing.T) {
	want := ParticipantMessageData{Prefix: otherPrefix, Kind: LivelinessUpdateAutomatic, Data: []byte{0}}
	le := unhex(t, `00010000`+otherPrefixHex+`00000001 01000000 00`)
	if got := want.AppendPayload(nil); !bytes.Equal(got, le) {
		t.Errorf("% x", got)
	}
	for _, b := range [][]byte{
		le,
		append(bytes.Clone(le), 0, 0, 0), // padded by the transport
		unhex(t, `00010003`+otherPrefixHex+`00000001 01000000 00 000000`), // pad count in the options
		unhex(t, `00000000`+otherPrefixHex+`00000001 00000001 00`),
	} {
		got, err := DecodeParticipantMessage(b)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
}

func TestParticipantMessageErrors(t *testing.T) {
	for _, tc := range []struct {
		name, payload string
		want          error
	}{
		{"no encapsulation", `0001`, errEncapsulation},
		{"parameter list", `00030000` + otherPrefixHex + `00000001 00000000`, errEncapsulation},
		{"short", `00010000` + otherPrefixHex + `00000001`, errParameter},
		{"data missing", `00010000` + otherPrefixHex + `00000001 05000000 00000000`, errParameter},
		{"data of 4 GB", `00010000` + otherPrefixHex + `00000001 ffffffff 00000000`, errParameter},
	} {
		if _, err := DecodeParticipantMessage(unhex(t, tc.payload)); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	big := ParticipantMessageData{Data: make([]byte, maxLivelinessData+1)}
	if _, err := DecodeParticipantMessage(big.AppendPayload(nil)); !errors.Is(err, errLimit) {
		t.Error(err)
	}
}

func TestSplitPayload(t *testing.T) {
	for _, tc := range []struct {
		payload string
		e       encapsulation
		body    string
	}{
		{`00010000 01020304`, encapsulationCDRLE, `01020304`},
		{`00010001 01020300`, encapsulationCDRLE, `010203`}, // native Cyclone DDS
		{`00000003 01000000`, encapsulationCDRBE, `01`},
		{`00010002 01`, encapsulationCDRLE, `01`}, // more padding than bytes
		{`00030000`, encapsulationPLCDRLE, ``},
		{`00070000`, 7, ``},
	} {
		e, body, err := splitPayload(unhex(t, tc.payload))
		if err != nil || e != tc.e || !bytes.Equal(body, unhex(t, tc.body)) {
			t.Errorf("%s: %v % x, %v", tc.payload, e, body, err)
		}
	}
	if _, _, err := splitPayload([]byte{0, 1, 0}); !errors.Is(err, errEncapsulation) {
		t.Error(err)
	}
}
