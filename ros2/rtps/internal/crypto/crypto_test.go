// SPDX-License-Identifier: Apache-2.0

package crypto

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// run returns n bytes that count from first.
func run(first, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(first + i)
	}
	return b
}

// known returns the material of the golden bytes.
func known(t Transform) Material {
	n := t.size()
	return Material{Transform: t, ID: KeyID([]byte("KEY1")), Salt: run(0, n), Key: run(32, n), ReceiverID: KeyID([]byte("RCV1")), ReceiverKey: run(64, n)}
}

// sealer returns a key that sends with material.
func sealer(t testing.TB, m Material) *SealKey {
	t.Helper()
	k, err := NewSealKey(m)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// opener returns a key that receives with material.
func opener(t testing.TB, m Material) *OpenKey {
	t.Helper()
	k, err := NewOpenKey(m)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestGoldenBytes: submessages as another implementation of AES-GCM and HMAC (python3-cryptography) makes them by the
// rules of the specification.
func TestGoldenBytes(t *testing.T) {
	plain := append([]byte{0x15, 5, 8, 0}, "position"...)
	for transform, want := range map[Transform]string{
		AES256GCM: "31011400000000044b455931010203040000000000000009300110000000000c35e7a71b75319db38fb4e69b320128005d8a0911" +
			"34137573be21992b52af737d00000001524356314408fe54982a573a9c4381ead997dc60",
		AES256GMAC: "31011400000000034b45593101020304000000000000000915050800706f736974696f6e3201280070b13aa6a5e861a6426d5122" +
			"b880e1e20000000152435631a6eedac8ac27547c1fc82f89bb918bce",
	} {
		m := known(transform)
		k := sealer(t, m)
		copy(k.nonce[:], []byte{1, 2, 3, 3})
		binary.BigEndian.PutUint64(k.nonce[4:], 8)
		if err := k.begin(); err != nil {
			t.Fatal(err)
		}
		got, err := k.Submessage(nil, plain, []*ReceiverKey{NewReceiverKey(&m)})
		if err != nil || hex.EncodeToString(got) != want {
			t.Errorf("algorithm %d: %v\ngot  %x\nwant %s", transform, err, got, want)
		}
	}
}

// TestKeyExchangeIsAsSpecified: the keys of the exchange, computed in the same way.
func TestKeyExchangeIsAsSpecified(t *testing.T) {
	m := KeyExchange(&security.SharedSecret{
		Challenge1: bytes.Repeat([]byte{1}, 32), Challenge2: bytes.Repeat([]byte{2}, 32), Secret: [32]byte(bytes.Repeat([]byte{3}, 32)),
	})
	if got := hex.EncodeToString(m.Salt); got != "dc724efa09341e7e6298ff75ac9fafc93923f7a5f333c5432a39a30d249769b9" {
		t.Errorf("salt %s", got)
	}
	if got := hex.EncodeToString(m.Key); got != "6c2e8f7ec1c7683b2508e3acdaa9e81c2157674e3f0cd0ca6770484f1d47a120" {
		t.Errorf("key %s", got)
	}
	if m.Transform != AES256GCM || m.ID != (KeyID{}) {
		t.Errorf("algorithm %d, id %x", m.Transform, m.ID)
	}
}

// split returns the parts of a protected submessage.
func split(t testing.TB, b []byte) (h Header, body, footer []byte) {
	t.Helper()
	h, err := ParseHeader(b[4:])
	if err != nil {
		t.Fatal(err)
	}
	at := 4 + HeaderSize
	size := 4 + int(binary.LittleEndian.Uint16(b[at+2:]))
	body = b[at : at+size]
	if h.Transform.Encrypts() {
		body = body[4:]
	}
	return h, body, b[at+size+4:]
}

func TestWhatIsSealedOpens(t *testing.T) {
	for transform := AES128GMAC; transform <= AES256GCM; transform++ {
		m := NewMaterial(transform).ForReceiver()
		seal, open := sealer(t, m), opener(t, m)
		plain := append([]byte{0x15, 5, 40, 0}, run(7, 40)...)
		b, err := seal.Submessage(nil, plain, []*ReceiverKey{NewReceiverKey(&m)})
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, plain[4:]) == transform.Encrypts() {
			t.Errorf("algorithm %d: readable is %v", transform, !transform.Encrypts())
		}
		if len(b) > len(plain)+Overhead+CodeSize {
			t.Errorf("algorithm %d: %d bytes more", transform, len(b)-len(plain))
		}
		h, body, footer := split(t, b)
		got, err := open.Open([]byte("x"), &h, body, footer, true)
		if err != nil || !bytes.Equal(got[1:], plain) {
			t.Errorf("algorithm %d: %x, %v", transform, got, err)
		}
		p, err := seal.Payload(nil, plain)
		if err != nil {
			t.Fatal(err)
		}
		if got, err = open.Payload(nil, p); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("algorithm %d: payload %x, %v", transform, got, err)
		}
		message, err := seal.Message(nil, plain, nil)
		if err != nil || message[0] != byte(wire.SubmessageMessagePrefix) {
			t.Errorf("message %x, %v", message[:4], err)
		}
	}
}

// TestForgedSessions: sessions of forged messages do not replace those in use.
func TestForgedSessions(t *testing.T) {
	for _, transform := range []Transform{AES256GMAC, AES256GCM} {
		m := NewMaterial(transform).ForReceiver()
		seal, open := sealer(t, m), opener(t, m)
		b, err := seal.Submessage(nil, append([]byte{0x15, 5, 40, 0}, run(7, 40)...), []*ReceiverKey{NewReceiverKey(&m)})
		if err != nil {
			t.Fatal(err)
		}
		h, body, footer := split(t, b)
		for range 2 {
			if _, err := open.Open(nil, &h, body, footer, true); err != nil {
				t.Fatal(err)
			}
		}
		want := [2]sessions{open.sender, open.receiver}
		for i := range byte(5) {
			for _, code := range []bool{false, true} {
				forged := h
				forged.session[3] ^= i + 1
				forged.nonce[3] ^= i + 1
				if _, err := open.Open(nil, &forged, body, footer, code); !errors.Is(err, ErrForged) {
					t.Errorf("algorithm %d: %v", transform, err)
				}
			}
		}
		if got := [2]sessions{open.sender, open.receiver}; got[0].kept != want[0].kept || got[1].kept != want[1].kept {
			t.Errorf("algorithm %d: kept %v and %v", transform, got[0].kept, got[1].kept)
		}
	}
}

// TestFlippedBits: no bit of a protected submessage can be changed unnoticed, except in the headers of submessages and
// in the number of the codes.
func TestFlippedBits(t *testing.T) {
	for _, transform := range []Transform{AES128GMAC, AES256GCM} {
		m := NewMaterial(transform).ForReceiver()
		seal, open := sealer(t, m), opener(t, m)
		plain := append([]byte{0x15, 5, 8, 0}, "position"...)
		b, err := seal.Submessage(nil, plain, []*ReceiverKey{NewReceiverKey(&m)})
		if err != nil {
			t.Fatal(err)
		}
		h, body, footer := split(t, b)
		for name, part := range map[string][]byte{"body": body, "footer": footer} {
			for i := range part {
				for bit := range 8 {
					part[i] ^= 1 << bit
					got, err := open.Open(nil, &h, body, footer, true)
					if err == nil && !(bytes.Equal(got, plain) && name == "footer" && i >= 16 && i < 20) {
						t.Errorf("algorithm %d: %s, byte %d, bit %d: accepted", transform, name, i, bit)
					}
					part[i] ^= 1 << bit
				}
			}
		}
		for i := 4; i < 4+HeaderSize; i++ {
			b[i] ^= 1
			if h, err := ParseHeader(b[4:]); err == nil {
				if _, err = open.Open(nil, &h, body, footer, true); err == nil {
					t.Errorf("algorithm %d: header, byte %d: accepted", transform, i-4)
				}
			}
			b[i] ^= 1
		}
	}
}

// TestCodesOfReceivers: only the code made with a receiver's own key satisfies it.
func TestCodesOfReceivers(t *testing.T) {
	base := NewMaterial(AES256GCM)
	first, second := base.ForReceiver(), base.ForReceiver()
	seal := sealer(t, base)
	b, err := seal.Submessage(nil, []byte{1, 1, 0, 0}, []*ReceiverKey{NewReceiverKey(&first)})
	if err != nil {
		t.Fatal(err)
	}
	h, body, footer := split(t, b)
	if k := opener(t, first); !k.Concerns(footer) {
		t.Error("the first receiver has no code")
	} else if _, err := k.Open(nil, &h, body, footer, true); err != nil {
		t.Error(err)
	}
	if k := opener(t, second); k.Concerns(footer) {
		t.Error("the second receiver has a code")
	} else if _, err := k.Open(nil, &h, body, footer, true); !errors.Is(err, ErrForged) {
		t.Errorf("without a code: %v", err)
	}
	if NewReceiverKey(&base) != nil {
		t.Error("material without a receiver has its key")
	}
}

// TestNoncesAreUnique: within a session numbers count, and a new session begins before there are too many.
func TestNoncesAreUnique(t *testing.T) {
	m := NewMaterial(AES128GCM)
	k, open := sealer(t, m), opener(t, m)
	seen := map[[nonceSize]byte]bool{}
	for i := range 100 {
		if i == 50 {
			k.sent = sessionMessages
		}
		p, err := k.Payload(nil, []byte("abcd"))
		if err != nil {
			t.Fatal(err)
		}
		if seen[k.nonce] {
			t.Fatalf("message %d: nonce %x again", i, k.nonce)
		}
		seen[k.nonce] = true
		if _, err := open.Payload(nil, p); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	sessions := map[[4]byte]bool{}
	for n := range seen {
		sessions[[4]byte(n[:4])] = true
	}
	if len(sessions) != 2 {
		t.Errorf("%d sessions", len(sessions))
	}
	if other := sealer(t, m); bytes.Equal(other.nonce[:], k.nonce[:]) {
		t.Error("two ends have the same nonce")
	}
}

func TestTokens(t *testing.T) {
	for transform := TransformNone; transform <= AES256GCM; transform++ {
		m := NewMaterial(transform)
		if transform != TransformNone {
			m = m.ForReceiver()
		}
		token := m.Token()
		got, err := FromToken(&token)
		if err != nil || got.Transform != transform || got.ID != m.ID || !bytes.Equal(got.Key, m.Key) || !bytes.Equal(got.Salt, m.Salt) ||
			got.ReceiverID != m.ReceiverID || !bytes.Equal(got.ReceiverKey, m.ReceiverKey) {
			t.Errorf("algorithm %d: %+v, %v", transform, got, err)
		}
	}
	// 9.5.2.3, in big-endian CDR
	m := known(AES128GCM)
	token := m.Token()
	want := "00000002" + "00000010000102030405060708090a0b0c0d0e0f" + "4b455931" + "00000010202122232425262728292a2b2c2d2e2f" +
		"52435631" + "00000010404142434445464748494a4b4c4d4e4f"
	if got := hex.EncodeToString(token.Value(tokenProperty)); got != want || token.ClassID != "DDS:Crypto:AES_GCM_GMAC" {
		t.Errorf("%s: %s", token.ClassID, got)
	}
}

func TestMalformedTokens(t *testing.T) {
	m := known(AES256GCM)
	whole := m.Token()
	value := whole.Value(tokenProperty)
	make := func(class string, b []byte) *wire.DataHolder {
		return &wire.DataHolder{ClassID: class, Binary: []wire.BinaryProperty{{Name: tokenProperty, Value: b}}}
	}
	for n := range len(value) {
		if _, err := FromToken(make(tokenClass, value[:n])); !errors.Is(err, ErrMalformed) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for i := range 4 {
		b := bytes.Clone(value)
		b[i] = 9
		if _, err := FromToken(make(tokenClass, b)); !errors.Is(err, ErrMalformed) {
			t.Errorf("kind with byte %d of 9: %v", i, err)
		}
	}
	b := bytes.Clone(value)
	b[3] = byte(AES128GCM) // whose keys are shorter
	for _, token := range []*wire.DataHolder{make("another", value), make(tokenClass, b), {ClassID: tokenClass}} {
		if _, err := FromToken(token); !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: %v", token.ClassID, err)
		}
	}
	if _, err := NewSealKey(Material{}); !errors.Is(err, ErrKey) {
		t.Errorf("no algorithm: %v", err)
	}
	if _, err := NewOpenKey(Material{}); !errors.Is(err, ErrKey) {
		t.Errorf("no algorithm: %v", err)
	}
}

func TestMalformedBodies(t *testing.T) {
	m := NewMaterial(AES256GCM)
	seal, open := sealer(t, m), opener(t, m)
	p, err := seal.Payload(nil, []byte("12345678"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(p) {
		if _, err := open.Payload(nil, p[:n]); err == nil {
			t.Errorf("%d bytes of %d accepted", n, len(p))
		}
	}
	if got, err := open.Payload(nil, append(p, 0, 0, 0, 0)); err != nil || string(got) != "12345678" {
		t.Errorf("with padding: %q, %v", got, err)
	}
	if _, err := opener(t, NewMaterial(AES256GCM)).Payload(nil, p); !errors.Is(err, ErrKey) {
		t.Errorf("another key: %v", err)
	}
}

// TestSealingAllocatesNothing: a robot sends for hours.
func TestSealingAllocatesNothing(t *testing.T) {
	m := NewMaterial(AES256GCM).ForReceiver()
	seal, open := sealer(t, m), opener(t, m)
	receivers := []*ReceiverKey{NewReceiverKey(&m)}
	plain := append([]byte{0x15, 5, 200, 0}, run(0, 200)...)
	var b, out []byte
	f := func() {
		b, _ = seal.Submessage(b[:0], plain, receivers)
		h, body, footer := split(t, b)
		out, _ = open.Open(out[:0], &h, body, footer, true)
	}
	f()
	if n := testing.AllocsPerRun(100, f); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if !bytes.Equal(out, plain) {
		t.Errorf("%x", out)
	}
}

// FuzzOpen: nothing but what was sealed opens, and nothing crashes.
func FuzzOpen(f *testing.F) {
	m := known(AES256GCM)
	seal := sealer(f, m)
	b, err := seal.Payload(nil, []byte("12345678"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add(b[:30])
	f.Add([]byte{})
	open := opener(f, m)
	f.Fuzz(func(t *testing.T, p []byte) {
		if got, err := open.Payload(nil, p); err == nil && !bytes.HasPrefix(p, b) {
			t.Errorf("%x opens to %q", p, got)
		}
	})
}

// FuzzFromToken: what is accepted as a token has the keys of its algorithm.
func FuzzFromToken(f *testing.F) {
	m := known(AES128GMAC)
	token := m.Token()
	f.Add(token.Value(tokenProperty))
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := FromToken(&wire.DataHolder{ClassID: tokenClass, Binary: []wire.BinaryProperty{{Name: tokenProperty, Value: b}}})
		if err == nil && m.Transform != TransformNone && (len(m.Key) != m.Transform.size() || len(m.Salt) != len(m.Key)) {
			t.Errorf("%+v", m)
		}
	})
}
