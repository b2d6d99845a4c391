// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"bytes"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

// now is the time of the tests.
func now() time.Time { return time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC) }

// newKeystore makes a keystore with enclaves.
func newKeystore(t *testing.T, enclaves ...string) (*Keystore, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "keys")
	k, err := Create(folder, 7, now)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range enclaves {
		if err := k.CreateEnclave(name, 7); err != nil {
			t.Fatal(err)
		}
	}
	return k, folder
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLayout compares the files with those of "ros2 security create_keystore" and "create_enclave".
func TestLayout(t *testing.T) {
	_, folder := newKeystore(t, "/class/robot1")
	want := []string{
		"enclaves/class/robot1/cert.pem",
		"enclaves/class/robot1/governance.p7s -> ../../governance.p7s",
		"enclaves/class/robot1/identity_ca.cert.pem -> ../../../public/identity_ca.cert.pem",
		"enclaves/class/robot1/key.pem",
		"enclaves/class/robot1/permissions.p7s",
		"enclaves/class/robot1/permissions.xml",
		"enclaves/class/robot1/permissions_ca.cert.pem -> ../../../public/permissions_ca.cert.pem",
		"enclaves/governance.p7s", "enclaves/governance.xml",
		"private/ca.key.pem", "private/identity_ca.key.pem -> ca.key.pem", "private/permissions_ca.key.pem -> ca.key.pem",
		"public/ca.cert.pem", "public/identity_ca.cert.pem -> ca.cert.pem", "public/permissions_ca.cert.pem -> ca.cert.pem",
	}
	var got []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, folder+string(filepath.Separator)))
		if target, err := os.Readlink(path); err == nil {
			got = append(got, name+" -> "+target)
			return nil
		}
		got = append(got, name)
		info, err := e.Info()
		want := fs.FileMode(0o644)
		if strings.HasSuffix(name, "key.pem") {
			want = 0o600
		}
		if err == nil && info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
		return err
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, files:\n%s\nwant:\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCertificates: subjects, curve, validity and basic constraints are those of SROS2.
func TestCertificates(t *testing.T) {
	k, folder := newKeystore(t, "/robot1")
	ca, err := readCertificate(k.public(identityFile))
	if err != nil {
		t.Fatal(err)
	}
	cert, err := readCertificate(filepath.Join(folder, "enclaves/robot1/cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	if ca.Subject.String() != "CN=sros2CA" || !ca.IsCA || ca.MaxPathLen != 1 || cert.Subject.CommonName != "/robot1" || cert.IsCA {
		t.Errorf("authority %s (CA %v, %d), enclave %s (CA %v)", ca.Subject, ca.IsCA, ca.MaxPathLen, cert.Subject, cert.IsCA)
	}
	if !cert.NotBefore.Equal(now().Add(-24*time.Hour)) || !cert.NotAfter.Equal(now().Add(3650*24*time.Hour)) {
		t.Errorf("valid from %s to %s", cert.NotBefore, cert.NotAfter)
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	usages := []x509.ExtKeyUsage{x509.ExtKeyUsageAny}
	if _, err := cert.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now(), KeyUsages: usages}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"governance", "robot1/permissions"} {
		text, err := smime.Verify(read(t, folder, "enclaves", name+".p7s"), ca)
		if want := read(t, folder, "enclaves", name+".xml"); err != nil || !bytes.Equal(bytes.ReplaceAll(text, []byte("\r"), nil), want) {
			t.Errorf("%s.p7s: %v, or it has another content than the XML", name, err)
		}
	}
}

// TestRepeating: what is there stays, and a keystore that is not whole gets no second authority.
func TestRepeating(t *testing.T) {
	k, folder := newKeystore(t, "/robot1")
	if _, err := Create(folder, 7, now); !errors.Is(err, ErrKeystore) {
		t.Errorf("a second keystore: %v", err)
	}
	key := read(t, folder, "enclaves/robot1/key.pem")
	if err := k.CreateEnclave("/robot1", 7); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(key, read(t, folder, "enclaves/robot1/key.pem")) {
		t.Error("the enclave has another key")
	}
	for name, target := range map[string]string{"public/identity_ca.cert.pem": "ca.cert.pem", "private/permissions_ca.key.pem": "ca.key.pem"} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(folder, now); !errors.Is(err, ErrKeystore) || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("without %s: %v", name, err)
		}
		if _, err := Create(folder, 7, now); !errors.Is(err, ErrKeystore) {
			t.Errorf("create without %s: %v", name, err)
		}
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(folder, now); err != nil {
		t.Error(err)
	}
}

// TestNames: the names of enclaves are those that ROS 2 takes, and lead nowhere else.
func TestNames(t *testing.T) {
	k, _ := newKeystore(t)
	for _, name := range []string{"", "robot1", "/robot1/", "//robot1", "/1robot", "/../x", "/a b", "/a.b", "/" + strings.Repeat("x", 64), "/a\n"} {
		if err := k.CreateEnclave(name, 7); !errors.Is(err, ErrEnclave) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"/b", "/", "/a/_c1"} {
		if err := k.CreateEnclave(name, 7); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if names, err := k.Enclaves(); err != nil || !slices.Equal(names, []string{"/", "/a/_c1", "/b"}) {
		t.Errorf("%q, %v", names, err)
	}
}

// TestFilesWithoutLinks: where the system refuses links, as Windows does, the file is copied with its mode, and copied again
// when the original has changed.
func TestFilesWithoutLinks(t *testing.T) {
	folder := t.TempDir()
	original, path := filepath.Join(folder, "ca.key.pem"), filepath.Join(folder, "identity_ca.key.pem")
	refused := func(string, string) error { return errors.New("a required privilege is not held by the client") }
	for _, text := range []string{"first", "second"} {
		if err := os.WriteFile(original, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := link("ca.key.pem", path, refused); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		info, failed := os.Lstat(path)
		if err != nil || failed != nil || string(got) != text || info.Mode() != 0o600 {
			t.Errorf("%q, %v, %v, mode %v", got, err, failed, info.Mode())
		}
	}
	if err := link("none", path, refused); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing original: %v", err)
	}
}
