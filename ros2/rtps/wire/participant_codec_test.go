// SPDX-License-Identifier: Apache-2.0

package wire

import "testing"

func TestSmoke(t *testing.T) {
	g := GUID{GUIDPrefix{1, 0x7e, 3}, EntityParticipant}
	p := ParticipantData{Version: Version23, Vendor: VendorOwn, GUID: g, BuiltinEndpoints: OwnBuiltinEndpoints, Lease: 20 * Second, UserData: []byte("enclave=/;")}
	q, err := DecodeParticipant(p.AppendPayload(nil))
	if err != nil || q.GUID != g {
		t.Fatal(q, err)
	}
}
