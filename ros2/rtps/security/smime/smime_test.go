// SPDX-License-Identifier: Apache-2.0

package smime

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"testing"
	"time"
)

// authority is a certificate and its key.
type authority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// newAuthority makes an authority that signs itself, or that another one has signed.
func newAuthority(t testing.TB, name string, key crypto.Signer, issuer *authority) *authority {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(name))), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	parent, signer := template, key
	if issuer != nil {
		parent, signer = issuer.cert, issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert: cert, key: key}
}

func ecKey(t testing.TB) crypto.Signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

const text = "<?xml version=\"1.0\"?>\n<dds>\n  <a/>\n</dds>\n"

// TestSignAndVerify signs with both kinds of keys.
func TestSignAndVerify(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]crypto.Signer{"P-256": ecKey(t), "RSA-2048": rsaKey} {
		a := newAuthority(t, "authority "+name, key, nil)
		document, err := Sign([]byte(text), a.cert, a.key)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Verify(document, a.cert)
		if err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		got, err = Verify(canonical(document), a.cert)
		if err != nil || string(got) != string(canonical([]byte(text))) {
			t.Errorf("%s, CR LF: %q, %v", name, got, err)
		}
	}
}

// TestOnlyTheAuthoritySigns refuses everybody else, also one whose certificate the authority has issued, and any
// changed byte of the content.
func TestOnlyTheAuthoritySigns(t *testing.T) {
	a := newAuthority(t, "authority", ecKey(t), nil)
	student := newAuthority(t, "student", ecKey(t), a)
	other := newAuthority(t, "authority", ecKey(t), nil) // the same name and number
	for _, signer := range []*authority{student, other} {
		document, err := Sign([]byte(text), signer.cert, signer.key)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Verify(document, a.cert); !errors.Is(err, ErrSignature) {
			t.Errorf("%s: %v", signer.cert.Subject, err)
		}
	}
	document, err := Sign([]byte(text), a.cert, a.key)
	if err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(document, []byte(text))
	for i := begin; i < begin+len(text); i++ {
		changed := bytes.Clone(document)
		changed[i] ^= 1
		if got, err := Verify(changed, a.cert); err == nil {
			t.Errorf("byte %d changed: %q", i-begin, got)
		}
	}
}

// TestMalformedDocuments names what is wrong.
func TestMalformedDocuments(t *testing.T) {
	a := newAuthority(t, "authority", ecKey(t), nil)
	for _, document := range []string{
		"", "\n", "x", "Content-Type: text/plain\n\nx", "Content-Type: multipart/signed\n\n", "Content-Type: ;\n\n",
		"Content-Type: multipart/signed; boundary=b\n\n--b\nx\n", "Content-Type: multipart/signed; boundary=b\n\n--b\nx\n--b--\n",
		"Content-Type: multipart/signed; boundary=b\n\n--b\nx\n--b\n\n!\n--b--\n", "Content-Type: multipart/signed; boundary=b\n\n--b\nx\n--b\n\nAAAA\n--b--\n",
	} {
		if _, err := Verify([]byte(document), a.cert); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", document, err)
		}
	}
	if _, err := Verify(make([]byte, MaxSize+1), a.cert); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// FuzzVerify: nothing that the authority has not signed is accepted, and nothing crashes.
func FuzzVerify(f *testing.F) {
	a := newAuthority(f, "authority", ecKey(f), nil)
	document, err := Sign([]byte(text), a.cert, a.key)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(document)
	f.Add([]byte("Content-Type: multipart/signed; boundary=b\n\n--b\nx\n--b\n\nMIAGCSqGSIb3DQEHAqCAMIACAQExADALBgkqhkiG9w0BBwGgggAAMQAAAAAAAAA=\n--b--\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := Verify(b, a.cert); err == nil && string(canonical(got)) != string(canonical([]byte(text))) {
			t.Errorf("accepted %q", got)
		}
	})
}
