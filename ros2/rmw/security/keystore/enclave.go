// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// enclaveName is what ROS 2 takes as the name of an enclave: that of a namespace (rmw_validate_namespace).
var enclaveName = regexp.MustCompile(`^/$|^(/[A-Za-z_][A-Za-z0-9_]*)+$`)

// maxName is the length of the longest name, that of the longest common name of a certificate (X.520), bytes.
const maxName = 64

// checkName returns an error that wraps ErrEnclave if a name is not one of an enclave.
func checkName(name string) error {
	if len(name) > maxName || !enclaveName.MatchString(name) {
		return fmt.Errorf("%w: %.80q is no name as /robot1 or /class/robot1 (letters, digits and _, at most %d bytes)", ErrEnclave, name, maxName)
	}
	return nil
}

// CreateEnclave makes an enclave that may use all topics, services and actions of a domain. A key and a certificate
// that it has already are kept. The error wraps ErrEnclave for a name that is not valid.
func (k *Keystore) CreateEnclave(name string, domain uint32) error {
	if err := checkName(name); err != nil {
		return err
	}
	folder := k.enclave(name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, path := range []string{k.public(identityFile), k.public(permissionsFile), k.governance(".p7s")} {
		target, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if err := link(target, filepath.Join(folder, filepath.Base(path)), os.Symlink); err != nil {
			return err
		}
	}
	if err := k.createIdentity(name); err != nil {
		return err
	}
	return k.permit(name, everything(name), domain)
}

// createIdentity makes certificate and key of an enclave, unless both are there.
func (k *Keystore) createIdentity(name string) error {
	certificate, key := filepath.Join(k.enclave(name), "cert.pem"), filepath.Join(k.enclave(name), "key.pem")
	_, noCertificate := os.Stat(certificate)
	_, noKey := os.Stat(key)
	if noCertificate == nil && noKey == nil {
		return nil
	}
	authority, err := readCertificate(k.public(identityFile))
	if err != nil {
		return err
	}
	by, err := readKey(k.private(identityFile))
	if err != nil {
		return err
	}
	return newIdentity(name, authority, by, certificate, key, k.now())
}

// CreatePermission gives an enclave the rights that a policy has for it, instead of those before. The error wraps
// ErrEnclave if the keystore or the policy has no such enclave.
func (k *Keystore) CreatePermission(name string, p *Policy, domain uint32) error {
	if err := checkName(name); err != nil {
		return err
	}
	e, err := p.enclave(name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(k.enclave(name), "cert.pem")); err != nil {
		return fmt.Errorf("%w: the keystore has no enclave %s: create it first", ErrEnclave, name)
	}
	return k.permit(name, e, domain)
}

// permit writes the rights of an enclave, which are valid as long as its certificate.
func (k *Keystore) permit(name string, e *enclave, domain uint32) error {
	folder := k.enclave(name)
	cert, err := readCertificate(filepath.Join(folder, "cert.pem"))
	if err != nil {
		return err
	}
	text := e.permissions(domain, cert.NotBefore, cert.NotAfter)
	if err := writeFile(filepath.Join(folder, "permissions.xml"), text, 0o644); err != nil {
		return err
	}
	return k.sign(text, filepath.Join(folder, "permissions.p7s"))
}

// Enclaves returns the names of all enclaves that have a key, sorted.
func (k *Keystore) Enclaves() ([]string, error) {
	root := filepath.Join(k.folder, enclavesFolder)
	var names []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "key.pem" {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		names = append(names, "/"+strings.TrimPrefix(filepath.ToSlash(relative), "."))
		return nil
	})
	slices.Sort(names)
	return names, err
}

// enclave returns the folder of an enclave.
func (k *Keystore) enclave(name string) string {
	return filepath.Join(k.folder, enclavesFolder, filepath.FromSlash(name))
}
