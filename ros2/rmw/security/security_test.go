// SPDX-License-Identifier: Apache-2.0

package security

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security/keystore"
)

// TestStrategyOfTheEnvironment compares exactly, as rcl's security.c does.
func TestStrategyOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		enable, strategy string
		want             Strategy
	}{
		{"", "", Off}, {"", "Enforce", Off}, {"false", "Enforce", Off}, {"True", "Enforce", Off}, {"1", "Enforce", Off}, {"true ", "Enforce", Off},
		{"true", "", Permissive}, {"true", "Permissive", Permissive}, {"true", "enforce", Permissive}, {"true", "Enforce ", Permissive},
		{"true", "Enforce", Enforce},
	} {
		env := map[string]string{envEnable: c.enable, envStrategy: c.strategy, envKeystore: "/nowhere", envOverride: "/a"}
		s := FromEnvironment(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if s.Strategy != c.want || s.Strategy == Off && s != (Settings{}) || s.Strategy != Off && (s.Keystore != "/nowhere" || s.Name() != "/a") {
			t.Errorf("enable %q, strategy %q: %+v, want %d", c.enable, c.strategy, s, c.want)
		}
		config, warning, err := s.Open(0, nil)
		if config != nil || errors.Is(err, ErrUnavailable) != (c.want == Enforce) || strings.HasPrefix(warning, "NOT SECURED") != (c.want == Permissive) {
			t.Errorf("enable %q, strategy %q: %v, %q, %v", c.enable, c.strategy, config, warning, err)
		}
	}
}

// newEnclave returns settings that enforce the keys of a new enclave, valid at now in domain 7, and its folder.
func newEnclave(t *testing.T, now time.Time) (Settings, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "keys")
	k, err := keystore.Create(folder, 7, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/class/robot1", "/other"} {
		if err := k.CreateEnclave(name, 7); err != nil {
			t.Fatal(err)
		}
	}
	s := Settings{Strategy: Enforce, Keystore: folder, Enclave: "/class/robot1"}
	enclave, err := s.Folder()
	if err != nil {
		t.Fatal(err)
	}
	return s, enclave
}

// TestFiles: with all six files there are plugins; the error names each file that is missing or wrong.
func TestFiles(t *testing.T) {
	at := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	now := func() time.Time { return at }
	s, enclave := newEnclave(t, at)
	c, warning, err := s.Open(7, now)
	if err != nil || warning != "" || c.Authentication == nil || c.Access.Local().Publish("rt/a", nil) != nil {
		t.Fatal(c, warning, err)
	}
	fails := func(want string, open func() error) {
		t.Helper()
		if err := open(); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	open := func() error { _, _, err := s.Open(7, now); return err }
	for _, name := range []string{"identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s"} {
		path := filepath.Join(enclave, name)
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		fails(name, open)
		if err := os.WriteFile(path, []byte("nothing\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		fails("", open)
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
	}
	fails("no rule for domain 8", func() error { _, _, err := s.Open(8, now); return err })
	fails("", func() error { _, _, err := s.Open(7, func() time.Time { return at.AddDate(11, 0, 0) }); return err })
	other, err := os.ReadFile(filepath.Join(s.Keystore, "enclaves/other/key.pem"))
	if err == nil {
		err = os.WriteFile(filepath.Join(enclave, "key.pem"), other, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	fails("the private key is not that of certificate", open)
	if err := os.WriteFile(filepath.Join(enclave, "key.p11"), []byte("pkcs11:object=robot1"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails("key.p11", open)
}

// TestNamesOfEnclaves: a name leads to a folder of the keystore, and nowhere else.
func TestNamesOfEnclaves(t *testing.T) {
	s, _ := newEnclave(t, time.Now())
	for _, name := range []string{"class/robot1", "/../public", "/class/", "/class/../other", "/nothing"} {
		s.Override = name
		if folder, err := s.Folder(); err == nil {
			t.Errorf("%q: %s", name, folder)
		}
	}
	s.Override = "/other"
	if folder, err := s.Folder(); err != nil || filepath.Base(folder) != "other" {
		t.Error(folder, err)
	}
	s.Keystore = ""
	if _, err := s.Folder(); err == nil || !strings.Contains(err.Error(), envKeystore) {
		t.Error(err)
	}
}
