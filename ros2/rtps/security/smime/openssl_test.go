// SPDX-License-Identifier: Apache-2.0

//go:build peers

package smime

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOpenSSLVerifies: openssl accepts the documents, with both kinds of keys.
func TestOpenSSLVerifies(t *testing.T) {
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
		opensslVerifies(t, document, a)
	}
}

// opensslVerifies has openssl check a document.
func opensslVerifies(t *testing.T, document []byte, a *authority) {
	t.Helper()
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Fatalf("no openssl (Debian: openssl), which scripts/setup.sh installs: %v", err)
	}
	dir := t.TempDir()
	file, ca := filepath.Join(dir, "d"), filepath.Join(dir, "ca")
	if err := errors.Join(os.WriteFile(file, document, 0o600), os.WriteFile(ca, certificatePEM(a.cert), 0o600)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(openssl, "smime", "-verify", "-text", "-in", file, "-CAfile", ca).Output()
	if err != nil || string(bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))) != text {
		t.Errorf("openssl: %v: %q", err, out)
	}
}

func certificatePEM(cert *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw})
}

// TestDocumentOfOpenSSL reads what openssl smime signs, as SROS2 did and the vendors' guides do.
func TestDocumentOfOpenSSL(t *testing.T) {
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Fatalf("no openssl (Debian: openssl), which scripts/setup.sh installs: %v", err)
	}
	a := newAuthority(t, "authority", ecKey(t), nil)
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, ca, keyFile, out := filepath.Join(dir, "in"), filepath.Join(dir, "ca"), filepath.Join(dir, "key"), filepath.Join(dir, "out")
	if err := errors.Join(os.WriteFile(in, []byte(text), 0o600), os.WriteFile(ca, certificatePEM(a.cert), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600)); err != nil {
		t.Fatal(err)
	}
	if b, err := exec.Command(openssl, "smime", "-sign", "-text", "-in", in, "-out", out, "-signer", ca, "-inkey", keyFile).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	document, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Verify(document, a.cert)
	if err != nil || string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))) != text {
		t.Errorf("%q, %v", got, err)
	}
}
