// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/pki"
)

// Certificates are valid from a day before now, for clocks that are late, and for ten years, as those of SROS2.
const (
	early    = 24 * time.Hour
	validity = 3650 * 24 * time.Hour
)

// authorityName is the subject of SROS2's authority.
const authorityName = "sros2CA"

// newAuthority writes a new certificate that may sign others, and its key.
func newAuthority(certificate, key string, now time.Time) error {
	template, err := newTemplate(authorityName, now)
	if err != nil {
		return err
	}
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLen = true, true, 1
	return issue(template, nil, nil, certificate, key)
}

// newIdentity writes a new certificate of an enclave, signed by an authority, and its key.
func newIdentity(name string, authority *x509.Certificate, by crypto.PrivateKey, certificate, key string, now time.Time) error {
	template, err := newTemplate(name, now)
	if err != nil {
		return err
	}
	// Basic constraints without CA, not critical: package x509 makes only critical ones.
	template.ExtraExtensions = []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 19}, Value: []byte{0x30, 0}}}
	return issue(template, authority, by, certificate, key)
}

// newTemplate returns what all certificates have.
func newTemplate(name string, now time.Time) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 159))
	if err != nil {
		return nil, fmt.Errorf("serial number: %w", err)
	}
	return &x509.Certificate{
		SerialNumber: serial.Add(serial, big.NewInt(1)), Subject: pkix.Name{CommonName: name},
		NotBefore: now.UTC().Add(-early), NotAfter: now.UTC().Add(validity),
	}, nil
}

// issue makes a key on curve P-256 (DDS Security 1.1, 9.3.1) and writes it and its certificate; without an authority
// the certificate is signed by its own key.
func issue(template, authority *x509.Certificate, by crypto.PrivateKey, certificate, keyFile string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("%s: %w", keyFile, err)
	}
	if authority == nil {
		authority, by = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, authority, &key.PublicKey, by)
	if err != nil {
		return fmt.Errorf("%s: %w", certificate, err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("%s: %w", keyFile, err)
	}
	if err := writeFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600); err != nil {
		return err
	}
	return writeFile(certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

// maxPEM bounds the files of certificates and keys, in bytes.
const maxPEM = 1 << 20

// readCertificate reads the first certificate of a PEM file.
func readCertificate(path string) (*x509.Certificate, error) {
	data, err := regular.Read(path, maxPEM)
	if err != nil {
		return nil, err
	}
	list, err := pki.ParseCertificates(data)
	if err != nil {
		return nil, filekind.ExplainData(path, data, fmt.Errorf("%w: %s: %w", ErrKeystore, path, err), filekind.Certificate)
	}
	return list[0], nil
}

// readKey reads a private key of a PEM file, in any of the forms that OpenSSL writes without a password.
func readKey(path string) (crypto.PrivateKey, error) {
	der, err := readPEM(path, "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	if key, err := x509.ParseECPrivateKey(der); err == nil {
		return key, nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrKeystore, path, err)
	}
	return key, nil
}

// readPEM returns the first block of one of the types.
func readPEM(path string, types ...string) ([]byte, error) {
	data, err := regular.Read(path, maxPEM)
	if err != nil {
		return nil, err
	}
	for whole := data; ; {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			return nil, filekind.ExplainData(path, whole, fmt.Errorf("%w: %s has no %s in PEM", ErrKeystore, path, types[0]))
		}
		for _, t := range types {
			if block.Type == t {
				return block.Bytes, nil
			}
		}
	}
}
