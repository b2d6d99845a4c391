// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
	rtpssecurity "github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

// keystore is an authority for identities and permissions, with the governance of a domain.
type keystore struct {
	t          testing.TB
	folder     string
	cert       *x509.Certificate
	key        *ecdsa.PrivateKey
	governance []byte
	issued     int64
}

// governance are the kinds of protection of a governance document.
type governance struct{ rtps, discovery, liveliness, metadata, data string }

// xml returns the document.
func (g governance) xml() string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="utf-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_governance.xsd">
  <domain_access_rules><domain_rule>
    <domains><id_range><min>0</min><max>230</max></id_range></domains>
    <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
    <enable_join_access_control>true</enable_join_access_control>
    <discovery_protection_kind>%s</discovery_protection_kind>
    <liveliness_protection_kind>%s</liveliness_protection_kind>
    <rtps_protection_kind>%s</rtps_protection_kind>
    <topic_access_rules><topic_rule>
      <topic_expression>*</topic_expression>
      <enable_discovery_protection>%v</enable_discovery_protection>
      <enable_liveliness_protection>%v</enable_liveliness_protection>
      <enable_read_access_control>true</enable_read_access_control>
      <enable_write_access_control>true</enable_write_access_control>
      <metadata_protection_kind>%s</metadata_protection_kind>
      <data_protection_kind>%s</data_protection_kind>
    </topic_rule></topic_access_rules>
  </domain_rule></domain_access_rules>
</dds>
`, g.discovery, g.liveliness, g.rtps, g.discovery != "NONE", g.liveliness != "NONE", g.metadata, g.data)
}

// newKeystore makes an authority.
func newKeystore(t testing.TB, g governance) *keystore {
	t.Helper()
	k := &keystore{t: t, folder: t.TempDir()}
	k.key = k.newKey()
	k.cert = k.issue("authority", &k.key.PublicKey)
	var err error
	k.governance, err = smime.Sign([]byte(g.xml()), k.cert, k.key)
	k.no(err)
	return k
}

func (k *keystore) no(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *keystore) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	k.no(err)
	return key
}

// issue issues a certificate; the first one is the authority's own.
func (k *keystore) issue(name string, key *ecdsa.PublicKey) *x509.Certificate {
	k.issued++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(k.issued), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-24 * time.Hour),
		NotAfter: time.Now().Add(24 * time.Hour), IsCA: k.cert == nil, BasicConstraintsValid: true,
	}
	parent := k.cert
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key, k.key)
	k.no(err)
	cert, err := x509.ParseCertificate(der)
	k.no(err)
	return cert
}

// enclave makes the files of a participant that may use the topics of an expression, and returns their folder.
func (k *keystore) enclave(name, topics string) string {
	k.t.Helper()
	folder := filepath.Join(k.folder, "enclaves", name)
	k.no(os.MkdirAll(folder, 0o700))
	key := k.newKey()
	cert := k.issue("/"+name, &key.PublicKey)
	text := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_permissions.xsd">
  <permissions><grant name="/%s">
    <subject_name>CN=/%s</subject_name>
    <validity><not_before>2020-01-01T00:00:00</not_before><not_after>2120-01-01T00:00:00</not_after></validity>
    <allow_rule>
      <domains><id_range><min>0</min><max>230</max></id_range></domains>
      <publish><topics><topic>%s</topic></topics></publish>
      <subscribe><topics><topic>%s</topic></topics></subscribe>
    </allow_rule>
    <default>DENY</default>
  </grant></permissions>
</dds>
`, name, name, topics, topics)
	signed, err := smime.Sign([]byte(text), k.cert, k.key)
	k.no(err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	k.no(err)
	certificate := func(c *x509.Certificate) []byte {
		return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
	}
	for file, data := range map[string][]byte{
		"identity_ca.cert.pem": certificate(k.cert), "permissions_ca.cert.pem": certificate(k.cert), "cert.pem": certificate(cert),
		"key.pem":        pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
		"governance.p7s": k.governance, "permissions.p7s": signed,
	} {
		k.no(os.WriteFile(filepath.Join(folder, file), data, 0o600))
	}
	return folder
}

// settings are those of a program of ours with the files of an enclave.
func settings(folder string) security.Settings {
	return security.Settings{
		Strategy: security.Enforce, Keystore: filepath.Dir(filepath.Dir(folder)), Enclave: "/" + filepath.Base(folder),
	}
}

// config returns the security of a participant of ours with the files of an enclave.
func (k *keystore) config(folder string, domain uint32) *rtpssecurity.Config {
	k.t.Helper()
	c, _, err := settings(folder).Open(domain, nil)
	k.no(err)
	return c
}
