// SPDX-License-Identifier: Apache-2.0

package foxglove

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"
	"time"
)

// TestWireBytes has the layouts of docs/spec.md (foxglove/ws-protocol) as bytes.
func TestWireBytes(t *testing.T) {
	for name, c := range map[string]struct {
		got  []byte
		want string
	}{
		"message":  {messageHead(0x01020304, 0x1122334455667788), "01" + "04030201" + "8877665544332211"},
		"time":     {timeFrame(1), "02" + "0100000000000000"},
		"response": {serviceHead(1, 2, "json"), "03" + "01000000" + "02000000" + "04000000" + "6a736f6e"},
		"asset":    {assetHead(5, ""), "04" + "05000000" + "00" + "00000000"},
		"playing":  {playbackFrame(&PlaybackState{Now: time.Unix(0, 0x1122334455667788), Speed: 0.5}, true, "id"), "05" + "00" + "8877665544332211" + "0000003f" + "01" + "02000000" + "6964"},
		"paused":   {playbackFrame(&PlaybackState{Now: time.Unix(0, 1), Speed: 1, Paused: true}, false, ""), "05" + "01" + "0100000000000000" + "0000803f" + "00" + "00000000"},
		"ended":    {playbackFrame(&PlaybackState{Now: time.Unix(0, 1), Speed: 1, Paused: true, Ended: true}, false, ""), "05" + "03" + "0100000000000000" + "0000803f" + "00" + "00000000"},
		"no asset": {assetHead(5, "no"), "04" + "05000000" + "01" + "02000000" + "6e6f"},
	} {
		if hex.EncodeToString(c.got) != c.want {
			t.Errorf("%s: %x, want %s", name, c.got, c.want)
		}
	}
}

func TestParseBinary(t *testing.T) {
	data := func(text string) []byte {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	m, err := parseBinary(data("01" + "07000000" + "aabb"))
	if got, ok := m.(*clientMessage); err != nil || !ok || got.channel != 7 || !bytes.Equal(got.payload, []byte{0xaa, 0xbb}) {
		t.Error(m, err)
	}
	m, err = parseBinary(data("02" + "01000000" + "02000000" + "03000000" + "636472" + "cc"))
	if got, ok := m.(*serviceRequest); err != nil || !ok || got.service != 1 || got.call != 2 || got.encoding != "cdr" || !bytes.Equal(got.payload, []byte{0xcc}) {
		t.Error(m, err)
	}
	m, err = parseBinary(data("03" + "00" + "0000003f" + "01" + "0100000000000000" + "02000000" + "6964"))
	if got, ok := m.(*playbackRequest); err != nil || !ok || !got.Play || got.Speed != 0.5 || !got.Seek.Equal(time.Unix(0, 1)) || got.id != "id" {
		t.Error(m, err)
	}
	m, err = parseBinary(data("03" + "01" + "0000803f" + "00" + "0100000000000000" + "00000000"))
	if got, ok := m.(*playbackRequest); err != nil || !ok || got.Play || got.Speed != 1 || !got.Seek.IsZero() {
		t.Error(m, err)
	}
	for _, bad := range []string{
		"03", "03" + "02" + "0000803f" + "00" + "0100000000000000" + "00000000", "03" + "01" + "00000000" + "00" + "0100000000000000" + "00000000",
		"03" + "01" + "0000c0ff" + "00" + "0100000000000000" + "00000000", "03" + "01" + "0000803f" + "01" + "ffffffffffffffff" + "00000000",
		"03" + "01" + "0000803f" + "00" + "0100000000000000" + "01000000", "03" + "01" + "0000803f" + "00" + "0100000000000000" + "ffffffff",
		"", "01", "010000", "02" + "0100000002000000", "02" + "01000000" + "02000000" + "ffffffff" + "63", "02" + "01000000" + "02000000" + "05000000" + "63", "07",
	} {
		if _, err := parseBinary(data(bad)); !errors.Is(err, ErrMessage) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// FuzzParseBinary: parsed fields are parts of the input.
func FuzzParseBinary(f *testing.F) {
	f.Add([]byte{1, 7, 0, 0, 0, 0xaa})
	f.Add([]byte{3, 0, 0, 0, 128, 63, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'x'})
	f.Add([]byte{2, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'c', 'd', 'r', 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseBinary(data)
		if (m == nil) != (err != nil) {
			t.Fatal(m, err)
		}
		switch m := m.(type) {
		case *clientMessage:
			if len(m.payload) > len(data) {
				t.Fatal(len(m.payload))
			}
		case *serviceRequest:
			if len(m.payload)+len(m.encoding) > len(data) {
				t.Fatal(len(m.payload))
			}
		}
	})
}
