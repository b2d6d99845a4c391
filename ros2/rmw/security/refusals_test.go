// SPDX-License-Identifier: Apache-2.0

package security

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security/keystore"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/pki"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// newClass makes the keys of a class with one robot in domain 7 and returns their folder.
func newClass(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "keys")
	class, err := keystore.ParseClass([]byte("domain: 7\nrobots: [epuck1, epuck2]\nteachers: [teacher]\nstudents: {anna: [epuck2]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keystore.CreateClass(folder, class, time.Now); err != nil {
		t.Fatal(err)
	}
	return folder
}

// careless is access control whose own participant may do everything.
type careless struct{ security.Access }

func (careless) Local() security.Permissions      { return careless{} }
func (careless) Publish(string, []string) error   { return nil }
func (careless) Subscribe(string, []string) error { return nil }

// opened returns the security of an enclave.
func opened(t *testing.T, keys, enclave string, now func() time.Time) *security.Config {
	t.Helper()
	s := Settings{Strategy: Enforce, Keystore: keys, Enclave: enclave}
	c, _, err := s.Open(7, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRefusals: of each participant that is refused, Refusals says why: certificate, permissions, or which topic.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys, foreign := newClass(t), newClass(t)
		for name, c := range map[string]struct {
			robot, peer *security.Config
			words       []string
		}{
			"valid":              {opened(t, keys, "/epuck1", nil), opened(t, keys, "/teacher", nil), nil},
			"no keys":            {opened(t, keys, "/epuck1", nil), nil, []string{"it announces no identity"}},
			"another authority":  {opened(t, keys, "/epuck1", nil), opened(t, foreign, "/teacher", nil), []string{"authority"}},
			"expired":            {expiring(t, keys), opened(t, keys, "/teacher", nil), []string{"expired"}},
			"revoked":            {revoking(t, keys, "teacher"), opened(t, keys, "/teacher", nil), []string{"revoked"}},
			"stolen permissions": {opened(t, keys, "/epuck1", nil), stolen(t, keys), []string{"no grant for this subject"}},
			"topic":              {opened(t, keys, "/epuck1", nil), cheating(t, keys), []string{"writer of rt/epuck1/cmd_vel: ", "not permitted"}},
			"refuses the robot":  {opened(t, keys, "/epuck1", nil), expiring(t, keys), []string{"no answer in the handshake"}},
		} {
			got := strings.Join(refusals(t, c.robot, c.peer, len(c.words) > 0), "\n")
			for _, words := range c.words {
				if !strings.Contains(got, words) {
					t.Errorf("%s: %q is not in %q", name, words, got)
				}
			}
			if len(c.words) == 0 && got != "" {
				t.Errorf("%s: %s", name, got)
			}
		}
	})
}

// TestPermissionIsKnownBeforeAPeer: what an enclave may publish is known without another participant, and equals what
// becomes of a writer.
func TestPermissionIsKnownBeforeAPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := newClass(t)
		n := vnet.New(vnet.Config{})
		for host, enclave := range []string{"/teacher", "/epuck1", ""} {
			var c *security.Config
			if enclave != "" {
				c = opened(t, keys, enclave, nil)
			}
			p, err := rtps.NewParticipant(rtps.Config{DomainID: 7, Network: n.Host(byte(host + 1)), Security: c})
			if err != nil {
				t.Fatal(err)
			}
			for _, topic := range []string{"rt/epuck1/cmd_vel", "rt/epuck1/odom", "rt/epuck2/cmd_vel", "rt/rosout"} {
				before := p.MayWrite(topic)
				_, err := p.NewWriter(rtps.WriterConfig{Topic: topic, Type: "t", QoS: wire.DefaultWriterQoS()})
				if fmt.Sprint(before) != fmt.Sprint(err) || before != nil && !errors.Is(before, security.ErrDenied) || enclave == "" && err != nil {
					t.Errorf("enclave %q, %s: MayWrite %v, NewWriter %v", enclave, topic, before, err)
				}
				if topic == "rt/epuck2/cmd_vel" && (before == nil) != (enclave != "/epuck1") {
					t.Errorf("enclave %q, %s: %v", enclave, topic, before)
				}
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// refusals has a robot and a peer with a writer of the robot's commands in a network, and returns what the robot
// refuses after some seconds.
func refusals(t *testing.T, robot, peer *security.Config, some bool) (texts []string) {
	t.Helper()
	n := vnet.New(vnet.Config{})
	start := func(host byte, c *security.Config) *rtps.Participant {
		p, err := rtps.NewParticipant(rtps.Config{DomainID: 7, Network: n.Host(host), Security: c})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		return p
	}
	a, b := start(1, robot), start(2, peer)
	q := wire.DefaultWriterQoS()
	if _, err := b.NewWriter(rtps.WriterConfig{Topic: "rt/epuck1/cmd_vel", Type: "t", QoS: q}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		time.Sleep(100 * time.Millisecond)
		if all := a.Refusals(); some && len(all) > 0 && !strings.Contains(all[0].Err.Error(), rtps.ErrNoAnswer.Error()) {
			break
		}
	}
	for _, r := range a.Refusals() {
		text := r.Err.Error()
		if r.Topic != "" {
			text = map[bool]string{true: "writer of ", false: "reader of "}[r.Writer] + r.Topic + ": " + text
		}
		texts = append(texts, text)
	}
	for _, p := range []*rtps.Participant{a, b} {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	return texts
}

// expiring is the security of a participant by whose clock the certificates of others have expired.
func expiring(t *testing.T, keys string) *security.Config {
	t.Helper()
	var later atomic.Bool
	c := opened(t, keys, "/epuck1", func() time.Time {
		if later.Load() {
			return time.Now().AddDate(100, 0, 0)
		}
		return time.Now()
	})
	later.Store(true)
	return &security.Config{Authentication: c.Authentication, Access: careless{c.Access}}
}

// revoking is the security of the robot with a list of the authority that revokes the certificate of an enclave.
func revoking(t *testing.T, keys, enclave string) *security.Config {
	t.Helper()
	read := func(path string) []byte {
		b, err := os.ReadFile(filepath.Join(keys, path))
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(b)
		return block.Bytes
	}
	authority, err := x509.ParseCertificate(read("public/identity_ca.cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.ParsePKCS8PrivateKey(read("private/identity_ca.key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(read("enclaves/" + enclave + "/cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	authority.KeyUsage = x509.KeyUsageCRLSign // ROS 2's authorities restrict no use, which this function wants stated
	list, err := x509.CreateRevocationList(rand.Reader, &x509.RevocationList{
		Number: big.NewInt(1), ThisUpdate: time.Now().Add(-time.Hour), NextUpdate: time.Now().AddDate(1, 0, 0),
		RevokedCertificateEntries: []x509.RevocationListEntry{{SerialNumber: cert.SerialNumber, RevocationTime: time.Now().Add(-time.Minute)}},
	}, authority, key.(*ecdsa.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(keys, "enclaves/epuck1/crl.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "X509 CRL", Bytes: list}), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	return opened(t, keys, "/epuck1", nil)
}

// stolen is the security of a student who sends the permissions of the teacher.
func stolen(t *testing.T, keys string) *security.Config {
	t.Helper()
	read := func(path string) []byte {
		b, err := os.ReadFile(filepath.Join(keys, "enclaves", path))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	identity, err := pki.New(pki.Config{
		Certificate: read("anna/cert.pem"), Key: read("anna/key.pem"), Authority: read("anna/identity_ca.cert.pem"), Permissions: read("teacher/permissions.p7s"),
		Check: func([]byte, *x509.Certificate) (security.Permissions, error) { return careless{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return &security.Config{Authentication: identity, Access: careless{opened(t, keys, "/anna", nil).Access}}
}

// cheating is the security of a student whose program does not check what it may do.
func cheating(t *testing.T, keys string) *security.Config {
	t.Helper()
	c := opened(t, keys, "/anna", nil)
	return &security.Config{Authentication: c.Authentication, Access: careless{c.Access}}
}
