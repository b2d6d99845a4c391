// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// Config is a participant's identity.
type Config struct {
	// Certificate, Key and Authority are the PEM files of the identity certificate, its private key and the certificate
	// of the identity authority: cert.pem, key.pem, identity_ca.cert.pem. Keys are ECDSA with curve P-256, or RSA with
	// 2048 bits or more.
	Certificate, Key, Authority []byte
	// Revoked is the authority's list of revoked certificates in PEM or DER, or empty.
	Revoked []byte
	// Permissions is the participant's signed permissions document, which peers check.
	Permissions []byte
	// Check returns the permissions of a peer from the signed document that it presents, or why it is refused.
	Check func(document []byte, identity *x509.Certificate) (security.Permissions, error)
	// Now returns the time by which certificates are checked. It defaults to time.Now.
	Now func() time.Time
}

// Authentication is the identity of one participant. It implements security.Authentication and is safe for concurrent
// use.
type Authentication struct {
	config    Config
	cert      *x509.Certificate
	key       crypto.Signer
	authority *x509.Certificate
	roots     *x509.CertPool
	revoked   map[string]bool // serial numbers
}

// New checks the identity. The error wraps ErrIdentity and names the file that is wrong.
func New(c Config) (*Authentication, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	a := &Authentication{config: c, roots: x509.NewCertPool()}
	certs, err := ParseCertificates(c.Certificate)
	if err != nil {
		return nil, fmt.Errorf("%w: certificate: %w", ErrIdentity, err)
	}
	a.cert = certs[0]
	authorities, err := ParseCertificates(c.Authority)
	if err != nil {
		return nil, fmt.Errorf("%w: certificate of the authority: %w", ErrIdentity, err)
	}
	a.authority = authorities[0]
	for _, authority := range authorities {
		a.roots.AddCert(authority)
	}
	if a.key, err = ParseKey(c.Key); err != nil {
		return nil, fmt.Errorf("%w: private key: %w", ErrIdentity, err)
	}
	if public, ok := a.key.Public().(interface{ Equal(crypto.PublicKey) bool }); !ok || !public.Equal(a.cert.PublicKey) {
		return nil, fmt.Errorf("%w: the private key is not that of certificate %q", ErrIdentity, a.cert.Subject)
	}
	if a.revoked, err = revoked(c.Revoked, authorities); err != nil {
		return nil, fmt.Errorf("%w: list of revoked certificates: %w", ErrIdentity, err)
	}
	if err := a.trust(certs); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	return a, nil
}

// Certificate returns the participant's own certificate.
func (a *Authentication) Certificate() *x509.Certificate { return a.cert }

// ParseCertificates returns the certificates of a PEM file, at least one.
func ParseCertificates(data []byte) (list []*x509.Certificate, err error) {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		if list = append(list, cert); len(list) > maxCertificates {
			return nil, fmt.Errorf("more than %d certificates", maxCertificates)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no PEM block CERTIFICATE")
	}
	return list, nil
}

// maxCertificates is the length of the longest chain.
const maxCertificates = 8

// ParseKey returns the private key of a PEM file: PKCS #8, or the forms of SEC 1 and PKCS #1.
func ParseKey(data []byte) (crypto.Signer, error) {
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		var key any
		var err error
		switch block.Type {
		case "PRIVATE KEY":
			key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
		case "EC PRIVATE KEY":
			key, err = x509.ParseECPrivateKey(block.Bytes)
		case "RSA PRIVATE KEY":
			key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
		case "ENCRYPTED PRIVATE KEY":
			err = errors.New("it is encrypted")
		default: // EC PARAMETERS
			continue
		}
		if err != nil {
			return nil, err
		}
		signer, ok := key.(crypto.Signer)
		if !ok {
			return nil, fmt.Errorf("it is of type %T", key)
		}
		return signer, algorithmError(signer.Public())
	}
	return nil, errors.New("no PEM block with a private key")
}

// algorithmError returns an error if the plugin has no such keys.
func algorithmError(key crypto.PublicKey) error {
	_, err := algorithmOf(key)
	return err
}

// algorithm is what DDS Security calls a kind of keys.
type algorithm struct {
	token string // in identity and permissions tokens (9.3.2.1)
	sign  string // property c.dsign_algo (9.3.2.5)
}

var (
	ecdsaP256 = algorithm{token: "EC-prime256v1", sign: "ECDSA-SHA256"} //nolint:gosec // the name of an algorithm or token
	rsa2048   = algorithm{token: "RSA-2048", sign: "RSASSA-PSS-SHA256"} //nolint:gosec // the name of an algorithm or token
)

// algorithmOf returns the algorithm of a key.
func algorithmOf(key crypto.PublicKey) (algorithm, error) {
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		if k.Curve == elliptic.P256() {
			return ecdsaP256, nil
		}
		return algorithm{}, fmt.Errorf("curve %s, want P-256", k.Params().Name)
	case *rsa.PublicKey:
		if k.N.BitLen() >= 2048 {
			return rsa2048, nil
		}
		return algorithm{}, fmt.Errorf("RSA with %d bits, want 2048 or more", k.N.BitLen())
	}
	return algorithm{}, fmt.Errorf("key of type %T, want ECDSA or RSA", key)
}

// revoked reads a list of revoked certificates, which one of the authorities must have signed.
func revoked(data []byte, authorities []*x509.Certificate) (map[string]bool, error) {
	if len(data) == 0 {
		return nil, nil
	}
	if block, _ := pem.Decode(data); block != nil {
		data = block.Bytes
	}
	list, err := x509.ParseRevocationList(data)
	if err != nil {
		return nil, err
	}
	signed := false
	for _, authority := range authorities {
		signed = signed || list.CheckSignatureFrom(authority) == nil
	}
	if !signed {
		return nil, fmt.Errorf("not signed by %q", authorities[0].Subject)
	}
	numbers := map[string]bool{}
	for _, e := range list.RevokedCertificateEntries {
		numbers[e.SerialNumber.String()] = true
	}
	return numbers, nil
}

// trust checks a certificate, the first of a chain, as one that the authority has issued.
func (a *Authentication) trust(chain []*x509.Certificate) error {
	cert := chain[0]
	if err := algorithmError(cert.PublicKey); err != nil {
		return fmt.Errorf("certificate %q: %w", cert.Subject, err)
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	chains, err := cert.Verify(x509.VerifyOptions{
		Roots: a.roots, Intermediates: between, CurrentTime: a.config.Now(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return fmt.Errorf("certificate %q: %w", cert.Subject, err)
	}
	for _, c := range chains[0] {
		if a.revoked[c.SerialNumber.String()] {
			return fmt.Errorf("certificate %q, number %s, is revoked", c.Subject, c.SerialNumber)
		}
	}
	return nil
}

// Prefix implements security.Authentication.
func (a *Authentication) Prefix(c wire.GUIDPrefix) wire.GUIDPrefix {
	p := subjectPrefix(a.cert)
	candidate := sha256.Sum256(c[:])
	copy(p[6:], candidate[:6])
	return p
}

// subjectPrefix returns the first six bytes of the GUID prefixes of a certificate's subject: one bit, and the first 47
// of the hash of its name (9.3.3).
func subjectPrefix(cert *x509.Certificate) (p wire.GUIDPrefix) {
	hash := sha256.Sum256(cert.RawSubject)
	high := byte(1) << 7
	for i := range 6 {
		p[i] = high | hash[i]>>1
		high = hash[i] << 7
	}
	return p
}

// IdentityToken implements security.Authentication (9.3.2.1).
func (a *Authentication) IdentityToken() wire.DataHolder {
	return wire.DataHolder{ClassID: class, Properties: []wire.Property{
		{Name: "dds.cert.sn", Value: a.cert.Subject.String()}, {Name: "dds.cert.algo", Value: tokenAlgorithm(a.cert)},
		{Name: "dds.ca.sn", Value: a.authority.Subject.String()}, {Name: "dds.ca.algo", Value: tokenAlgorithm(a.authority)},
	}}
}

// PermissionsToken implements security.Authentication (9.4.2.2). The subject and algorithm of the signer, which are
// optional, are left out: Fast DDS refuses a token that does not spell them as OpenSSL does ("/CN=name"), and peers
// check the signature of the permissions.
func (a *Authentication) PermissionsToken() wire.DataHolder {
	return wire.DataHolder{ClassID: "DDS:Access:Permissions:1.0"}
}

// tokenAlgorithm returns the algorithm of a certificate's key as tokens name it; an authority may have another key.
func tokenAlgorithm(cert *x509.Certificate) string {
	a, err := algorithmOf(cert.PublicKey)
	if err != nil {
		return cert.PublicKeyAlgorithm.String()
	}
	return a.token
}

// sign signs the hash of a message: ECDSA, or RSASSA-PSS with a salt of any length.
func (a *Authentication) sign(message []byte) ([]byte, error) {
	hash := sha256.Sum256(message)
	var options crypto.SignerOpts = crypto.SHA256
	if _, ok := a.key.Public().(*rsa.PublicKey); ok {
		options = &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: crypto.SHA256}
	}
	return a.key.Sign(rand.Reader, hash[:], options)
}

// verify checks the signature of a message by a certificate's key.
func verify(cert *x509.Certificate, message, signature []byte) bool {
	hash := sha256.Sum256(message)
	switch k := cert.PublicKey.(type) {
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(k, hash[:], signature)
	case *rsa.PublicKey:
		return rsa.VerifyPSS(k, crypto.SHA256, hash[:], signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthAuto}) == nil
	}
	return false
}
