// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// holder is the owner of a certificate.
type holder struct {
	cert *x509.Certificate
	key  crypto.Signer
	pem  []byte // of the certificate
}

var lastSerial int64

// issue has an authority issue a certificate; nil makes an authority.
func issue(t testing.TB, name string, key crypto.Signer, authority *holder, change func(*x509.Certificate)) *holder {
	t.Helper()
	lastSerial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(lastSerial), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), BasicConstraintsValid: true, IsCA: authority == nil,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature,
	}
	if change != nil {
		change(template)
	}
	parent, signer := template, key
	if authority != nil {
		parent, signer = authority.cert, authority.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &holder{cert: cert, key: key, pem: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

func ecKey(t testing.TB) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func rsaKey(t testing.TB) crypto.Signer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (h *holder) keyPEM(t testing.TB) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(h.key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// anything has no limits.
type anything struct{}

func (anything) Publish(string, []string) error   { return nil }
func (anything) Subscribe(string, []string) error { return nil }

// config returns the configuration of a holder.
func (h *holder) config(t testing.TB, authority *holder) Config {
	t.Helper()
	return Config{
		Certificate: h.pem, Key: h.keyPEM(t), Authority: authority.pem, Permissions: []byte("permissions of " + h.cert.Subject.CommonName),
		Check: func(document []byte, cert *x509.Certificate) (security.Permissions, error) {
			if text(document) != "permissions of "+cert.Subject.CommonName {
				return nil, security.ErrDenied
			}
			return anything{}, nil
		},
	}
}

// end is one end of a handshake.
type end struct {
	a    *Authentication
	guid wire.GUID
	data []byte
}

// newEnd makes an end with a candidate prefix.
func newEnd(t testing.TB, c Config, candidate byte) *end {
	t.Helper()
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	e := &end{a: a, guid: wire.GUID{Prefix: a.Prefix(wire.GUIDPrefix{candidate}), Entity: wire.EntityParticipant}}
	e.data = binary.BigEndian.AppendUint32(nil, 0x0050_0010)
	e.data = append(e.guid.Append(e.data), 0, 1, 0, 0)
	return e
}

// begin begins a handshake with another end.
func (e *end) begin(t testing.TB, with *end) security.Handshake {
	t.Helper()
	h, err := e.a.Begin(e.guid, with.guid, e.data, with.a.IdentityToken(), with.a.PermissionsToken())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// handshakes begins both handshakes; the first one initiates.
func handshakes(t testing.TB, x, y *end) (initiator, replier security.Handshake) {
	t.Helper()
	i, r := x.begin(t, y), y.begin(t, x)
	if !i.Initiates() {
		i, r = r, i
	}
	if r.Initiates() {
		t.Fatal("both initiate")
	}
	return i, r
}

// run runs a handshake to its end.
func run(i, r security.Handshake) (ofInitiator, ofReplier *security.Peer, err error) {
	request, err := i.Request()
	if err != nil {
		return nil, nil, err
	}
	reply, err := r.Reply(request)
	if err != nil {
		return nil, nil, err
	}
	final, ofReplier, err := i.Final(reply)
	if err != nil {
		return nil, nil, err
	}
	ofInitiator, err = r.Finish(final)
	return ofInitiator, ofReplier, err
}

// TestHandshake authenticates participants with each kind of keys, in each direction.
func TestHandshake(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	keys := map[string]crypto.Signer{"P-256": ecKey(t), "RSA-2048": rsaKey(t)}
	for nameX, keyX := range keys {
		for nameY, keyY := range keys {
			x := newEnd(t, issue(t, "x", keyX, authority, nil).config(t, authority), 1)
			y := newEnd(t, issue(t, "y", keyY, authority, nil).config(t, authority), 2)
			i, r := handshakes(t, x, y)
			p, q, err := run(i, r)
			if err != nil {
				t.Errorf("%s, %s: %v", nameX, nameY, err)
				continue
			}
			if p.Secret.Secret != q.Secret.Secret || p.Secret.Secret == [32]byte{} || string(p.Secret.Challenge1) != string(q.Secret.Challenge1) ||
				string(p.Secret.Challenge2) != string(q.Secret.Challenge2) || string(p.Secret.Challenge1) == string(p.Secret.Challenge2) {
				t.Errorf("%s, %s: secrets %v, %v", nameX, nameY, p.Secret, q.Secret)
			}
			if p.Name == q.Name || p.Permissions == nil || q.Permissions == nil || p.Data == nil {
				t.Errorf("%s, %s: peers %+v, %+v", nameX, nameY, p, q)
			}
		}
	}
}

// TestRepeatedMessages: a repeated request gets the same reply, a repeated reply the same peer, and a forged request
// does not end the handshake with the peer.
func TestRepeatedMessages(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	x := newEnd(t, issue(t, "x", ecKey(t), authority, nil).config(t, authority), 1)
	y := newEnd(t, issue(t, "y", ecKey(t), authority, nil).config(t, authority), 2)
	i, r := handshakes(t, x, y)
	request, err := i.Request()
	if err != nil {
		t.Fatal(err)
	}
	first, err1 := r.Reply(request)
	second, err2 := r.Reply(request)
	if err1 != nil || err2 != nil || string(first.Value("signature")) != string(second.Value("signature")) {
		t.Fatal("another reply to the same request:", err1, err2)
	}
	for n := range maxReplies - 1 { // recorded requests with another challenge
		forged := request
		forged.Binary = append([]wire.BinaryProperty(nil), request.Binary...)
		forged.Binary[len(forged.Binary)-1].Value = append(make([]byte, challengeSize-1), byte(n))
		if _, err := r.Reply(forged); err != nil {
			t.Fatal(err)
		}
	}
	final, p, err := i.Final(first)
	if err != nil {
		t.Fatal(err)
	}
	if _, again, err := i.Final(first); err != nil || again.Secret.Secret != p.Secret.Secret {
		t.Errorf("repeated reply: %v", err)
	}
	if q, err := r.Finish(final); err != nil || q.Secret.Secret != p.Secret.Secret {
		t.Errorf("after forged requests: %v", err)
	}
}

// TestStrangers are not authenticated; the error says why.
func TestStrangers(t *testing.T) {
	authority, other := issue(t, "authority", ecKey(t), nil, nil), issue(t, "authority", ecKey(t), nil, nil)
	good := issue(t, "good", ecKey(t), authority, nil)
	expired := issue(t, "stranger", ecKey(t), authority, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	foreign := issue(t, "stranger", ecKey(t), other, nil)
	withdrawn := issue(t, "stranger", ecKey(t), authority, nil)
	list, err := x509.CreateRevocationList(rand.Reader, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: time.Now(), NextUpdate: time.Now().Add(time.Hour),
		RevokedCertificateEntries: []x509.RevocationListEntry{{SerialNumber: withdrawn.cert.SerialNumber, RevocationTime: time.Now()}},
	}, authority.cert, authority.key)
	if err != nil {
		t.Fatal(err)
	}
	past := func() time.Time { return time.Now().Add(-30 * time.Minute) }
	for name, c := range map[string]struct {
		who    *holder
		change func(c *Config)
		guid   func(e *end)
	}{
		"expired":           {expired, func(c *Config) { c.Now = past }, nil},
		"foreign authority": {foreign, func(c *Config) { c.Authority = other.pem }, nil},
		"revoked":           {withdrawn, nil, nil},
		"other permissions": {issue(t, "stranger", ecKey(t), authority, nil), func(c *Config) { c.Permissions = []byte("permissions of good") }, nil},
		"GUID of another":   {issue(t, "stranger", ecKey(t), authority, nil), nil, func(e *end) { e.guid.Prefix[3] ^= 1; e.data[7] ^= 1 }},
		"other data":        {issue(t, "stranger", ecKey(t), authority, nil), nil, func(e *end) { e.data[8] ^= 1 }},
	} {
		ours := good.config(t, authority)
		ours.Revoked = list
		theirs := c.who.config(t, authority)
		if c.change != nil {
			c.change(&theirs)
		}
		for _, weInitiate := range []bool{true, false} {
			var x, y *end
			x, y = newEnd(t, ours, 1), newEnd(t, theirs, 2)
			if c.guid != nil {
				c.guid(y)
			}
			i, r := x.begin(t, y), y.begin(t, x)
			refused := checkRefused(i, r, weInitiate)
			if !errors.Is(refused, ErrAuthentication) {
				t.Errorf("%s, we initiate %v: %v", name, weInitiate, refused)
			} else {
				t.Log(name, refused)
			}
		}
	}
}

// checkRefused runs the handshake up to the first message of the stranger, and returns our error.
func checkRefused(ours, stranger security.Handshake, weInitiate bool) error {
	if !weInitiate {
		request, err := stranger.Request()
		if err != nil {
			return err
		}
		_, err = ours.Reply(request)
		return err
	}
	request, err := ours.Request()
	if err != nil {
		return err
	}
	h, ok := stranger.(*handshake)
	if !ok {
		return errors.New("no handshake")
	}
	h.a.config.Check = func([]byte, *x509.Certificate) (security.Permissions, error) { return anything{}, nil }
	h.a.roots = x509.NewCertPool() // it trusts everybody
	request2 := request
	chain, err := ParseCertificates(request2.Value("c.id"))
	if err != nil {
		return err
	}
	h.a.roots.AddCert(chain[0])
	reply, err := h.Reply(request2)
	if err != nil {
		return err
	}
	_, _, err = ours.Final(reply)
	return err
}

// TestChangedTokens: no changed bit of a token is accepted.
func TestChangedTokens(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	x := newEnd(t, issue(t, "x", ecKey(t), authority, nil).config(t, authority), 1)
	y := newEnd(t, issue(t, "y", ecKey(t), authority, nil).config(t, authority), 2)
	i, r := handshakes(t, x, y)
	request, err := i.Request()
	if err != nil {
		t.Fatal(err)
	}
	reply, err := r.Reply(request)
	if err != nil {
		t.Fatal(err)
	}
	final, _, err := i.Final(reply)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(token wire.DataHolder, check func(wire.DataHolder) error) {
		for n, p := range token.Binary {
			for _, at := range []int{0, len(p.Value) / 2, len(p.Value) - 1} {
				token := token
				token.Binary = append([]wire.BinaryProperty(nil), token.Binary...)
				token.Binary[n].Value = append([]byte(nil), p.Value...)
				token.Binary[n].Value[at] ^= 1
				if err := check(token); err == nil {
					t.Errorf("%s: %s, byte %d changed", token.ClassID, p.Name, at)
				}
			}
		}
	}
	changed(reply, func(d wire.DataHolder) error { _, _, err := i.Final(d); return err })
	changed(final, func(d wire.DataHolder) error { _, err := r.Finish(d); return err })
	if _, err := r.Finish(final); err != nil {
		t.Error("after changed ones:", err)
	}
}

// TestReplayedReply: the reply of an earlier handshake is not accepted by a later one.
func TestReplayedReply(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	x := newEnd(t, issue(t, "x", ecKey(t), authority, nil).config(t, authority), 1)
	y := newEnd(t, issue(t, "y", ecKey(t), authority, nil).config(t, authority), 2)
	i, r := handshakes(t, x, y)
	request, _ := i.Request()
	reply, err := r.Reply(request)
	if err != nil {
		t.Fatal(err)
	}
	final, _, err := i.Final(reply)
	if err != nil {
		t.Fatal(err)
	}
	later, laterReplier := handshakes(t, x, y)
	if _, err := later.Request(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := later.Final(reply); !errors.Is(err, ErrAuthentication) {
		t.Errorf("replayed reply: %v", err)
	}
	if _, err := laterReplier.Reply(request); err != nil {
		t.Fatal(err)
	}
	if _, err := laterReplier.Finish(final); !errors.Is(err, ErrAuthentication) {
		t.Errorf("replayed final: %v", err)
	}
}

// TestPrefix binds the GUID to the subject, and differs for each participant.
func TestPrefix(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	a, err := New(issue(t, "x", ecKey(t), authority, nil).config(t, authority))
	if err != nil {
		t.Fatal(err)
	}
	p, q := a.Prefix(wire.GUIDPrefix{1}), a.Prefix(wire.GUIDPrefix{2})
	if p[0]>>7 != 1 || string(p[:6]) != string(q[:6]) || p == q {
		t.Errorf("%v, %v", p, q)
	}
}

// TestWrongIdentity names what is wrong with own files.
func TestWrongIdentity(t *testing.T) {
	authority := issue(t, "authority", ecKey(t), nil, nil)
	good := issue(t, "x", ecKey(t), authority, nil)
	p224, err := ecdsa.GenerateKey(elliptic.P224(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *Config){
		"no certificate": func(c *Config) { c.Certificate = nil },
		"no key":         func(c *Config) { c.Key = []byte("x") },
		"no authority":   func(c *Config) { c.Authority = good.keyPEM(t) },
		"other key":      func(c *Config) { c.Key = authority.keyPEM(t) },
		"curve":          func(c *Config) { *c = issue(t, "x", p224, authority, nil).config(t, authority) },
		"list":           func(c *Config) { c.Revoked = []byte("x") },
		"expired":        func(c *Config) { c.Now = func() time.Time { return time.Now().Add(48 * time.Hour) } },
	} {
		c := good.config(t, authority)
		change(&c)
		if _, err := New(c); !errors.Is(err, ErrIdentity) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAgreements: both kinds, both forms of public keys, and keys outside the subgroup.
func TestAgreements(t *testing.T) {
	for _, der := range []bool{false, true} {
		first, err := newAgreement(agreeMODP, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := first.(*residue)
		if !ok {
			t.Fatal("no residue")
		}
		r.der = der
		second, err := newAgreement(agreeMODP, r.public())
		if err != nil {
			t.Fatal(err)
		}
		s1, err1 := first.secret(second.public())
		s2, err2 := second.secret(first.public())
		if err1 != nil || err2 != nil || s1 != s2 {
			t.Errorf("DER %v: %v %v", der, err1, err2)
		}
		for _, bad := range [][]byte{nil, {0}, {1}, modp().p.Bytes(), new(big.Int).Sub(modp().p, big.NewInt(1)).Bytes(), {2}, make([]byte, 300)} {
			if _, err := first.secret(bad); err == nil {
				t.Errorf("public key %x", bad)
			}
		}
	}
	if _, err := newAgreement("DH", nil); err == nil {
		t.Error("an unknown kind")
	}
}

// FuzzHandshake: tokens of strangers neither crash nor authenticate.
func FuzzHandshake(f *testing.F) {
	authority := issue(f, "authority", ecKey(f), nil, nil)
	x := newEnd(f, issue(f, "x", ecKey(f), authority, nil).config(f, authority), 1)
	y := newEnd(f, issue(f, "y", ecKey(f), authority, nil).config(f, authority), 2)
	i, r := handshakes(f, x, y)
	request, err := i.Request()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(request.ClassID, request.Value("c.id"), request.Value("c.pdata"), request.Value("dh1"), request.Value("challenge1"), []byte("s"))
	f.Fuzz(func(t *testing.T, class string, id, data, public, challenge, signature []byte) {
		token := wire.DataHolder{ClassID: class, Binary: append(newCredentials(id, []byte("p"), data, []byte("ECDSA-SHA256"), []byte(agreeMODP)).properties,
			properties("dh1", public, "dh2", public, "challenge1", challenge, "challenge2", challenge, "signature", signature)...)}
		_, _ = r.Reply(token)
		if _, _, err := i.Final(token); err == nil {
			t.Error("a reply was accepted")
		}
		if _, err := r.Finish(token); err == nil {
			t.Error("a final token was accepted")
		}
		_ = i.OnAuthRequest(token)
	})
}
