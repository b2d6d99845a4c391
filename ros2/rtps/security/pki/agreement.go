// SPDX-License-Identifier: Apache-2.0

package pki

import (
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"fmt"
	"math/big"
)

// Names of the key agreements (9.3.2.5.1).
const (
	agreeECDH = "ECDH+prime256v1-CEUM"
	agreeMODP = "DH+MODP-2048-256"
)

// agreement is one end's part of a Diffie-Hellman exchange.
type agreement interface {
	// public returns the property dh1 or dh2.
	public() []byte
	// secret returns the hash of what both ends compute.
	secret(remote []byte) ([sha256.Size]byte, error)
}

// newAgreement returns a new key for a kind of agreement. like is the property of the other end, if that is known: its
// form is used.
func newAgreement(kind string, like []byte) (agreement, error) {
	switch kind {
	case agreeECDH:
		key, err := ecdh.P256().GenerateKey(rand.Reader)
		return (*curve)(key), err
	case agreeMODP:
		g := modp()
		x, err := rand.Int(rand.Reader, new(big.Int).Sub(g.q, big.NewInt(2)))
		if err != nil {
			return nil, err
		}
		_, der := decodeInteger(like)
		return &residue{group: g, x: x.Add(x, big.NewInt(1)), der: der}, nil
	}
	return nil, fmt.Errorf("key agreement %.40q, want %s or %s", kind, agreeECDH, agreeMODP)
}

// curve is a key of ECDH with P-256.
type curve ecdh.PrivateKey

func (c *curve) public() []byte { return (*ecdh.PrivateKey)(c).PublicKey().Bytes() }

func (c *curve) secret(remote []byte) (hash [sha256.Size]byte, err error) {
	public, err := ecdh.P256().NewPublicKey(remote)
	if err != nil {
		return hash, err
	}
	shared, err := (*ecdh.PrivateKey)(c).ECDH(public)
	if err != nil {
		return hash, err
	}
	return sha256.Sum256(shared), nil
}

// residue is a key of DH in the 2048-bit group with a 256-bit subgroup. Cyclone DDS writes its public key as an ASN.1
// INTEGER in DER, Fast DDS as bytes.
type residue struct {
	group
	x   *big.Int
	der bool
}

func (r *residue) public() []byte {
	y := new(big.Int).Exp(r.g, r.x, r.p)
	if r.der {
		if b, err := asn1.Marshal(y); err == nil {
			return b
		}
	}
	return y.Bytes()
}

func (r *residue) secret(remote []byte) (hash [sha256.Size]byte, err error) {
	y, _ := decodeInteger(remote)
	one := big.NewInt(1)
	if y.Cmp(one) <= 0 || y.Cmp(new(big.Int).Sub(r.p, one)) >= 0 || new(big.Int).Exp(y, r.q, r.p).Cmp(one) != 0 {
		return hash, fmt.Errorf("the public key of %d bytes is not in the subgroup", len(remote))
	}
	return sha256.Sum256(new(big.Int).Exp(y, r.x, r.p).Bytes()), nil
}

// maxPublic is the size of the largest property dh1 or dh2, bytes: an integer of 2048 bits and a sign bit in DER.
const maxPublic = 261

// decodeInteger reads a public key in either form; der reports which.
func decodeInteger(b []byte) (y *big.Int, der bool) {
	if len(b) > maxPublic {
		return new(big.Int), false
	}
	if rest, err := asn1.Unmarshal(b, &y); err == nil && len(rest) == 0 && y.Sign() > 0 {
		return y, true
	}
	return new(big.Int).SetBytes(b), false
}
