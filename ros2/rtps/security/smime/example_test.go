// SPDX-License-Identifier: Apache-2.0

package smime_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

// A document that an authority has signed has its content; anything else is refused.
func ExampleVerify() {
	key, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, _ := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	authority, _ := x509.ParseCertificate(der)
	document, err := smime.Sign([]byte("<dds/>"), authority, key)
	if err != nil || len(document) > smime.MaxSize {
		fmt.Println(err)
		return
	}
	text, err := smime.Verify(document, authority)
	fmt.Printf("%s %v\n", text, err)
	_, err = smime.Verify([]byte("<dds/>"), authority)
	fmt.Println(errors.Is(err, smime.ErrFormat), errors.Is(err, smime.ErrSignature))
	// Output:
	// <dds/> <nil>
	// true false
}
