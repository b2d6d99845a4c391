// SPDX-License-Identifier: Apache-2.0

package security

import (
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/permissions"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/pki"
)

// Open reads the keys of the enclave for a domain. Without security it returns nil. If the keys cannot be used, the
// error wraps [ErrUnavailable] where security is enforced; else the warning, which is to be shown, says why there are
// none. now is the time by which validity is checked; nil is time.Now.
func (s Settings) Open(domain uint32, now func() time.Time) (c *security.Config, warning string, err error) {
	if s.Strategy == Off {
		return nil, "", nil
	}
	c, err = s.read(domain, now)
	switch {
	case err == nil:
		return c, "", nil
	case s.Strategy == Enforce:
		return nil, "", fmt.Errorf("%w (%s=true, %s=Enforce), and its keys cannot be used: %w", ErrUnavailable, envEnable, envStrategy, err)
	}
	return nil, fmt.Sprintf("NOT SECURED: %s=true has no effect: %v. Messages are neither authenticated nor encrypted; anyone on the network "+
		"can drive the robot. Set %s=Enforce to refuse to start instead", envEnable, err, envStrategy), nil
}

// Folder returns the folder of the enclave.
func (s Settings) Folder() (string, error) {
	if s.Keystore == "" {
		return "", fmt.Errorf("%s is not set", envKeystore)
	}
	name := s.Name()
	if name[0] != '/' || filepath.Clean(name) != name {
		return "", fmt.Errorf("enclave %q is no name as /robot1", name)
	}
	folder := filepath.Join(s.Keystore, "enclaves", filepath.FromSlash(name))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", fmt.Errorf("enclave %s has no folder %s", name, folder)
	}
	return folder, nil
}

// read reads and checks all files.
func (s Settings) read(domain uint32, now func() time.Time) (*security.Config, error) {
	folder, err := s.Folder()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range []string{"identity_ca.cert", "cert", "key", "permissions_ca.cert"} {
		if files[name], err = readPEM(folder, name); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"governance.p7s", "permissions.p7s"} {
		if files[name], err = regular.Read(filepath.Join(folder, name), maxFile); err != nil {
			return nil, err
		}
	}
	revoked, err := regular.Read(filepath.Join(folder, "crl.pem"), maxFile) // since Jazzy, where there is one
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for name, data := range files {
		if err := checkKind(folder, name, data); err != nil {
			return nil, err
		}
	}
	own, err := first(folder, "cert.pem", files["cert"])
	if err != nil {
		return nil, err
	}
	authority, err := first(folder, "permissions_ca.cert.pem", files["permissions_ca.cert"])
	if err != nil {
		return nil, err
	}
	access, err := permissions.New(permissions.Config{
		Authority: authority, Governance: files["governance.p7s"], Permissions: files["permissions.p7s"], Identity: own, Domain: domain, Now: now,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	identity, err := pki.New(pki.Config{
		Certificate: files["cert"], Key: files["key"], Authority: files["identity_ca.cert"], Revoked: revoked,
		Permissions: files["permissions.p7s"], Check: access.Remote, Now: now,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	return &security.Config{Authentication: identity, Access: access}, nil
}

// maxFile bounds the files of an enclave, in bytes.
const maxFile = 16 << 20

// readPEM reads a certificate or a key. Later releases of ROS 2 prefer a file with a URI of PKCS #11, where there is
// one.
func readPEM(folder, name string) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(folder, name+".p11")); err == nil {
		return nil, fmt.Errorf("%s: keys in hardware (PKCS #11) cannot be used by this transport", filepath.Join(folder, name+".p11"))
	}
	return regular.Read(filepath.Join(folder, name+".pem"), maxFile)
}

// errFile is matched by a file of an enclave that is of another kind.
var errFile = errors.New("not a file of an enclave")

// checkKind refuses a file that is something else, such as a Git LFS pointer or an empty file.
func checkKind(folder, name string, data []byte) error {
	if !strings.HasSuffix(name, ".p7s") {
		name += ".pem"
	}
	accepted := []filekind.Kind{filekind.Certificate, filekind.PrivateKey, filekind.Signed}
	path := filepath.Join(folder, name)
	if err := filekind.ExplainData(path, data, errFile, accepted...); err != errFile { //nolint:errorlint // the same if it is not explained
		return err
	}
	return nil
}

// first returns the first certificate of a file.
func first(folder, name string, data []byte) (*x509.Certificate, error) {
	certs, err := pki.ParseCertificates(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
	}
	return certs[0], nil
}
