// SPDX-License-Identifier: Apache-2.0

package permissions

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

const governance = `<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="omg_shared_ca_governance.xsd">
<domain_access_rules>
 <domain_rule>
  <domains><id>0</id><id_range><min>5</min><max>9</max></id_range></domains>
  <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
  <enable_join_access_control>true</enable_join_access_control>
  <discovery_protection_kind>ENCRYPT</discovery_protection_kind>
  <liveliness_protection_kind>SIGN</liveliness_protection_kind>
  <rtps_protection_kind>SIGN_WITH_ORIGIN_AUTHENTICATION</rtps_protection_kind>
  <topic_access_rules>
   <topic_rule>
    <topic_expression>rt/open*</topic_expression>
    <enable_discovery_protection>false</enable_discovery_protection>
    <enable_read_access_control>false</enable_read_access_control>
    <enable_write_access_control>1</enable_write_access_control>
    <metadata_protection_kind>NONE</metadata_protection_kind>
    <data_protection_kind>NONE</data_protection_kind>
   </topic_rule>
   <topic_rule>
    <topic_expression>r[tq]/*</topic_expression>
    <enable_discovery_protection>true</enable_discovery_protection>
    <enable_liveliness_protection>true</enable_liveliness_protection>
    <enable_read_access_control>true</enable_read_access_control>
    <enable_write_access_control>true</enable_write_access_control>
    <metadata_protection_kind>ENCRYPT_WITH_ORIGIN_AUTHENTICATION</metadata_protection_kind>
    <data_protection_kind>ENCRYPT</data_protection_kind>
   </topic_rule>
  </topic_access_rules>
 </domain_rule>
</domain_access_rules>
</dds>
`

// grantXML returns a permissions document with one grant.
func grantXML(subject, rules, last string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<dds><permissions><grant name="/robot"><subject_name>%s</subject_name>
<validity><not_before>2013-10-26T00:00:00</not_before><not_after>2033-10-26T22:45:30</not_after></validity>
%s<default>%s</default></grant></permissions></dds>`, subject, rules, last)
}

const rules = `
<deny_rule><domains><id>0</id></domains>
 <publish><topics><topic>rt/secret</topic></topics></publish>
 <subscribe><topics><topic>rt/private</topic></topics><partitions><partition>p*</partition></partitions></subscribe></deny_rule>
<allow_rule><domains><id>0</id></domains>
 <publish><topics><topic>rt/*</topic></topics></publish>
 <publish><topics><topic>rq/x</topic></topics><partitions><partition>a</partition><partition>b</partition></partitions></publish>
 <subscribe><topics><topic>*</topic></topics><partitions><partition>*</partition></partitions></subscribe></allow_rule>
`

// signer is an authority or the holder of a certificate.
type signer struct {
	cert *x509.Certificate
	key  crypto.Signer
}

func newSigner(t testing.TB, name pkix.Name) signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: name, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return signer{cert, key}
}

func (s signer) sign(t testing.TB, text string) []byte {
	t.Helper()
	d, err := smime.Sign([]byte(text), s.cert, s.key)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// now is a time at which the grants are valid.
func now() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }

// newAccess returns access control of a robot with a permissions document.
func newAccess(t testing.TB, authority, robot signer, document string, domain uint32, at func() time.Time) (*Access, error) {
	t.Helper()
	return New(Config{
		Authority: authority.cert, Governance: authority.sign(t, governance), Permissions: authority.sign(t, document), Identity: robot.cert,
		Domain: domain, Now: at,
	})
}

// TestGovernance reads every rule.
func TestGovernance(t *testing.T) {
	authority, robot := newSigner(t, pkix.Name{CommonName: "authority"}), newSigner(t, pkix.Name{CommonName: "/robot"})
	a, err := newAccess(t, authority, robot, grantXML("CN=/robot", rules, "DENY"), 0, now)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := a.Domain(), (security.DomainRules{JoinControl: true, RTPS: security.SignWithOrigin, Discovery: security.Encrypt, Liveliness: security.Sign}); got != want {
		t.Errorf("domain %+v, want %+v", got, want)
	}
	if got, want := a.Topic("rt/opened"), (security.TopicRules{WriteControl: true}); got != want {
		t.Errorf("first rule %+v, want %+v", got, want)
	}
	want := security.TopicRules{
		Discovery: true, Liveliness: true, ReadControl: true, WriteControl: true, Metadata: security.EncryptWithOrigin, Data: security.Encrypt,
	}
	if got := a.Topic("rt/odom"); got != want {
		t.Errorf("second rule %+v, want %+v", got, want)
	}
	if got := a.Topic("other"); !got.ReadControl || !got.WriteControl || got.Data != security.Encrypt {
		t.Errorf("no rule: %+v", got)
	}
	if err := a.Local().Subscribe("other", nil); !errors.Is(err, security.ErrDenied) {
		t.Errorf("a topic without rule: %v", err)
	}
}

// TestRules: the first rule that matches decides, and partitions count.
func TestRules(t *testing.T) {
	authority, robot := newSigner(t, pkix.Name{CommonName: "authority"}), newSigner(t, pkix.Name{CommonName: "/robot"})
	a, err := newAccess(t, authority, robot, grantXML("CN=/robot", rules, "DENY"), 0, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		publish    bool
		topic      string
		partitions []string
		want       bool
	}{
		{true, "rt/odom", nil, true},
		{true, "rt/odom", []string{""}, true},
		{true, "rt/odom", []string{"a"}, false}, // only the default partition
		{true, "rt/secret", nil, false},
		{true, "rt/secret", []string{"a"}, false},
		{true, "rq/y", nil, false},
		{true, "rq/x", nil, false},
		{true, "rq/x", []string{"a"}, true},
		{true, "rq/x", []string{"b", "a"}, true},
		{true, "rq/x", []string{"a", "c"}, false},
		{false, "rt/secret", nil, true},
		{false, "rt/private", []string{"a", "b"}, true},
		{false, "rt/private", []string{"a", "pq"}, false},
		{false, "rt/private", nil, true},
	} {
		check := a.Local().Subscribe
		if c.publish {
			check = a.Local().Publish
		}
		if err := check(c.topic, c.partitions); (err == nil) != c.want || err != nil && !errors.Is(err, security.ErrDenied) {
			t.Errorf("publish %v %s %q: %v, want %v", c.publish, c.topic, c.partitions, err, c.want)
		}
	}
	b, err := newAccess(t, authority, robot, grantXML("CN=/robot", rules, "ALLOW"), 5, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Local().Publish("rt/secret", nil); err != nil {
		t.Errorf("default of another domain: %v", err)
	}
}

// TestJoin: who has no right in the domain, or no valid document of the authority, does not join.
func TestJoin(t *testing.T) {
	authority, robot := newSigner(t, pkix.Name{CommonName: "authority"}), newSigner(t, pkix.Name{CommonName: "/robot"})
	student := newSigner(t, pkix.Name{CommonName: "/student"})
	good := grantXML("CN=/robot", rules, "DENY")
	for name, c := range map[string]struct {
		document string
		domain   uint32
		at       time.Time
		want     error
	}{
		"good":          {good, 0, now(), nil},
		"other domain":  {good, 7, now(), security.ErrDenied},
		"no rule":       {good, 3, now(), ErrGovernance},
		"too early":     {good, 0, time.Date(2013, 10, 25, 23, 0, 0, 0, time.UTC), security.ErrDenied},
		"too late":      {good, 0, time.Date(2033, 10, 26, 22, 45, 30, 0, time.UTC), security.ErrDenied},
		"other subject": {grantXML("CN=/other", rules, "DENY"), 0, now(), ErrSubject},
		"malformed":     {"<dds>", 0, now(), ErrPermissions},
	} {
		_, err := newAccess(t, authority, robot, c.document, c.domain, func() time.Time { return c.at })
		if (err == nil) != (c.want == nil) || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	a, err := newAccess(t, authority, robot, good, 0, now)
	if err != nil {
		t.Fatal(err)
	}
	theirs := grantXML("CN=/student", rules, "ALLOW")
	if _, err := a.Remote(append(authority.sign(t, theirs), 0), student.cert); err != nil {
		t.Errorf("a student: %v", err)
	}
	if _, err := a.Remote(student.sign(t, theirs), student.cert); !errors.Is(err, smime.ErrSignature) {
		t.Errorf("signed by the student: %v", err)
	}
	if _, err := a.Remote(authority.sign(t, theirs), robot.cert); !errors.Is(err, ErrSubject) {
		t.Errorf("of another one: %v", err)
	}
	a.rule.rules.JoinControl = false
	p, err := a.Remote(nil, student.cert)
	if err != nil || !errors.Is(p.Publish("rt/odom", nil), security.ErrDenied) || !errors.Is(p.Subscribe("rt/odom", nil), security.ErrDenied) {
		t.Errorf("without permissions where none are needed to join: %v", err)
	}
}

// TestPermissionsEnd when their validity ends.
func TestPermissionsEnd(t *testing.T) {
	authority, robot := newSigner(t, pkix.Name{CommonName: "authority"}), newSigner(t, pkix.Name{CommonName: "/robot"})
	at := now()
	a, err := newAccess(t, authority, robot, grantXML("CN=/robot", rules, "ALLOW"), 0, func() time.Time { return at })
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Local().Publish("rt/odom", nil); err != nil {
		t.Error(err)
	}
	at = time.Date(2034, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := a.Local().Publish("rt/odom", nil); !errors.Is(err, security.ErrDenied) {
		t.Errorf("after the end: %v", err)
	}
}

// TestSubjects are compared whatever program printed them.
func TestSubjects(t *testing.T) {
	cert := newSigner(t, pkix.Name{CommonName: "/class/robot, 1", Organization: []string{"lab"}, Country: []string{"CH"}}).cert
	for _, text := range []string{`C=CH,O=lab,CN=/class/robot\, 1`, `CN=/class/robot\, 1, O=lab, C=CH`, `cn = /class/robot\, 1, o=lab, c=CH`} {
		s, err := parseSubject(text)
		if err != nil || fmt.Sprint(s) != fmt.Sprint(subjectOf(cert)) {
			t.Errorf("%s: %v, %v, want %v", text, s, err, subjectOf(cert))
		}
	}
	if s, err := parseSubject("/CN=robot/O=lab"); err != nil || fmt.Sprint(s) != "[CN=robot O=lab]" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "robot", "CN=a,b"} {
		if s, err := parseSubject(text); err == nil {
			t.Errorf("%q: %v", text, s)
		}
	}
}

// TestMatch is fnmatch.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b", true}, {"a*b", "a/xb", true}, {"a*b", "a/xbc", false},
		{"?", "a", true}, {"?", "", false}, {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[!a-c]x", "dx", true}, {"[]a]", "]", true},
		{"[a", "[a", true}, {"[a", "a", false}, {`\*`, "*", true}, {`\*`, "a", false}, {"*a*b*", "xxaxxbxx", true}, {"[a-]", "-", true},
		{"rt/*/cmd_vel", "rt/robot/cmd_vel", true}, {"rt/*/cmd_vel", "rt/cmd_vel", false}, {"**", "a", true},
	} {
		if got := match(c.pattern, c.name); got != c.want {
			t.Errorf("match(%q, %q) is %v", c.pattern, c.name, got)
		}
	}
	if match(strings.Repeat("*a", 40), strings.Repeat("a", 10000)+"b") {
		t.Error("it ends with another letter")
	}
}

// TestMalformed names what is wrong; no unknown rule is skipped.
func TestMalformed(t *testing.T) {
	for _, change := range [][2]string{
		{"<domain_rule>", "<domain_rule><other/>"}, {"false</allow_un", "no</allow_un"}, {"ENCRYPT</discovery", "encrypted</discovery"},
		{"<id>0</id>", "<id>-1</id>"}, {"<id>0</id>", "<id></id>"}, {"<min>5", "<min>x"}, {"NONE</data", "SIGN_WITH_ORIGIN_AUTHENTICATION</data"},
		{"</dds>", ""}, {"<domains>", "<domains/><domains>"}, {"UTF-8", "UTF-16"},
		{"<topic_expression>rt/open*</topic_expression>", ""},
	} {
		text := strings.Replace(governance, change[0], change[1], 1)
		if _, err := ParseGovernance([]byte(text)); !errors.Is(err, ErrGovernance) {
			t.Errorf("%s for %s: %v", change[1], change[0], err)
		}
	}
	good := grantXML("CN=/robot", rules, "DENY")
	for _, change := range [][2]string{
		{"DENY", "MAYBE"}, {"<validity>", "<validity><not_before/>"}, {"2013-10-26T00:00:00", "yesterday"}, {"CN=/robot", "robot"},
		{"<deny_rule>", "<deny_all/><deny_rule>"}, {"<topic>", "<name>x</name><topic>"}, {"<publish>", "<write/><publish>"},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if _, err := ParseDocument([]byte(text)); !errors.Is(err, ErrPermissions) {
			t.Errorf("%s for %s: %v", change[1], change[0], err)
		}
	}
}

// FuzzParse: no document crashes.
func FuzzParse(f *testing.F) {
	f.Add([]byte(governance))
	f.Add([]byte(grantXML("CN=/robot", rules, "DENY")))
	f.Add([]byte(strings.Repeat("<a>", 1000)))
	f.Fuzz(func(t *testing.T, document []byte) {
		if g, err := ParseGovernance(document); err == nil && g.domain(0) != nil {
			g.domain(0).topic("rt/odom")
		}
		if d, err := ParseDocument(document); err == nil {
			for i := range d.grants {
				d.grants[i].allows(0, true, "rt/odom", []string{"a"})
			}
		}
	})
}
