// SPDX-License-Identifier: Apache-2.0

package keystore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/security/smime"
)

// The folders of a keystore.
const (
	publicFolder   = "public"
	privateFolder  = "private"
	enclavesFolder = "enclaves"
)

// The files that all enclaves of a keystore share.
const (
	identityFile    = "identity_ca"
	permissionsFile = "permissions_ca"
	governanceFile  = "governance"
)

// Keystore is a folder of keys. Its methods are not safe for concurrent use, also not by several processes.
type Keystore struct {
	folder string
	now    func() time.Time
}

// Open returns the keystore in a folder. The error wraps ErrKeystore and names the first file that is missing. now
// returns the time from which certificates are valid.
func Open(folder string, now func() time.Time) (*Keystore, error) {
	k := &Keystore{folder: folder, now: now}
	for _, path := range []string{
		k.public(permissionsFile), k.public(identityFile), k.private(permissionsFile), k.private(identityFile), k.governance(".p7s"),
	} {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%w: %s is no keystore: %s is missing", ErrKeystore, folder, path)
		}
	}
	return k, nil
}

// Create makes a keystore with a new authority for one domain, protected as SROS2 protects it: everything is encrypted.
// Files that are there already are kept; the error wraps ErrKeystore if nothing is missing.
func Create(folder string, domain uint32, now func() time.Time) (*Keystore, error) {
	if _, err := Open(folder, now); err == nil {
		return nil, fmt.Errorf("%w: there is one in %s already", ErrKeystore, folder)
	}
	return create(folder, defaultGovernance(domain), now)
}

// create makes what is missing of a keystore.
func create(folder, governance string, now func() time.Time) (*Keystore, error) {
	k := &Keystore{folder: folder, now: now}
	for _, name := range []string{"", publicFolder, enclavesFolder} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Join(folder, privateFolder), 0o700); err != nil {
		return nil, err
	}
	if err := k.createAuthority(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(k.governance(".xml"))
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte(governance), writeFile(k.governance(".xml"), []byte(governance), 0o644)
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(k.governance(".p7s")); err == nil {
		return k, nil
	}
	return k, k.sign(text, k.governance(".p7s"))
}

// createAuthority makes the certificate authority and the links to it, unless all four files are there. If only some
// are, a new authority would make all keys of the keystore invalid.
func (k *Keystore) createAuthority() error {
	links := [][2]string{
		{"ca.cert.pem", k.public(permissionsFile)}, {"ca.cert.pem", k.public(identityFile)},
		{"ca.key.pem", k.private(permissionsFile)}, {"ca.key.pem", k.private(identityFile)},
	}
	var there, missing []string
	for _, l := range links {
		if _, err := os.Stat(l[1]); err == nil {
			there = append(there, l[1])
		} else {
			missing = append(missing, l[1])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if len(there) > 0 {
		return fmt.Errorf("%w: %s is missing, and %s is there: the keystore is not whole", ErrKeystore, missing[0], there[0])
	}
	if err := newAuthority(k.public("ca"), k.private("ca"), k.now()); err != nil {
		return err
	}
	for _, l := range links {
		if err := link(l[0], l[1], os.Symlink); err != nil {
			return err
		}
	}
	return nil
}

// sign writes a text signed by the permissions authority.
func (k *Keystore) sign(text []byte, path string) error {
	cert, err := readCertificate(k.public(permissionsFile))
	if err != nil {
		return err
	}
	key, err := readKey(k.private(permissionsFile))
	if err != nil {
		return err
	}
	signed, err := smime.Sign(text, cert, key)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeFile(path, signed, 0o644)
}

func (k *Keystore) public(name string) string {
	return filepath.Join(k.folder, publicFolder, name+".cert.pem")
}

func (k *Keystore) private(name string) string {
	return filepath.Join(k.folder, privateFolder, name+".key.pem")
}

func (k *Keystore) governance(ending string) string {
	return filepath.Join(k.folder, enclavesFolder, governanceFile+ending)
}

// link makes path a link to target, which is relative to path's folder, or a copy of it where symlink, which is
// [os.Symlink], fails. One that is right already stays.
func link(target, path string, symlink func(target, path string) error) error {
	to, err := os.Stat(filepath.Join(filepath.Dir(path), target))
	if err != nil {
		return err
	}
	if is, err := os.Stat(path); err == nil && os.SameFile(is, to) {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if symlink(target, path) == nil {
		return nil
	}
	// Windows makes links for administrators alone, and some file systems have none.
	data, err := os.ReadFile(filepath.Join(filepath.Dir(path), target))
	if err != nil {
		return err
	}
	return writeFile(path, data, to.Mode().Perm())
}

// writeFile replaces a file as a whole; a reader sees the old or the new one, and never one that others may read and
// write for a moment.
func writeFile(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return system.Rename(f.Name(), path)
}
