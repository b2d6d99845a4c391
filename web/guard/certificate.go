// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

// Life of a certificate that LoadCertificate makes. A Raspberry Pi without a network has no clock, so it is valid from
// long ago.
const (
	certificateLife  = 10 * 365 * 24 * time.Hour
	certificateStart = 2020
)

// maxPEM bounds the files of certificates and tokens, in bytes.
const maxPEM = 1 << 20

// LoadCertificate reads a certificate and its key from one PEM file, or makes both, signed by themselves, and the file,
// which its owner alone may read. hosts are the names and addresses that it is for.
func LoadCertificate(path string, hosts []string, now time.Time) (tls.Certificate, error) {
	data, err := regular.Read(path, maxPEM)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = newCertificate(hosts, now); err != nil {
			return tls.Certificate{}, err
		}
		if err := writeSecret(path, data); err != nil {
			return tls.Certificate{}, err
		}
	}
	if err != nil {
		return tls.Certificate{}, err
	}
	c, err := tls.X509KeyPair(data, data)
	if err != nil {
		return tls.Certificate{}, filekind.ExplainData(path, data, fmt.Errorf("%s: %w", path, err), filekind.Certificate, filekind.PrivateKey)
	}
	return c, nil
}

func writeSecret(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// newCertificate returns a certificate and its key as PEM.
func newCertificate(hosts []string, now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	t := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "epuck-driver"},
		NotBefore: time.Date(certificateStart, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: now.Add(certificateLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, h)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	out := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(out, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}
