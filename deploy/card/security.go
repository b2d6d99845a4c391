// SPDX-License-Identifier: Apache-2.0

package card

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// The service's keystore for DDS Security with one enclave, as scripts/robot-keys.sh installs it.
const (
	keysFolder = "etc/epuck-driver/keys"
	keysNew    = keysFolder + ".new"
	keysOld    = keysFolder + ".old"
)

// The lines of the driver's environment that name the keys are between these, as in scripts/robot-keys.sh.
const (
	securityBegin = "# DDS Security: this block is replaced together with the keys.\n"
	securityEnd   = "# End of DDS Security.\n"
)

// noKeys is the value of the key "keys" that removes the keys.
const noKeys = "off"

var (
	enclaveName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,99}$`)
	domainID    = regexp.MustCompile(`<id>([0-9]{1,3})</id>`)
)

func setKeys(s *Settings, v string) error {
	if !enclaveName.MatchString(v) {
		return fmt.Errorf("%w: %q is not the name of a folder of keys: letters, digits and _, beginning with a letter", errValue, v)
	}
	s.Keys = v
	return nil
}

// enclave reads the files of the enclave that the settings name from the boot partition. Without its folder there are
// none: the robot keeps those of the same name that it has. Mistakes are missing files and differing domains.
func (m *Machine) enclave(s *Settings) (files []file, mistakes []Mistake) {
	if s.Keys == "" || s.Keys == noKeys {
		return nil, nil
	}
	mistake := func(format string, args ...any) {
		mistakes = append(mistakes, Mistake{Key: keyKeys, Cause: causeValue, Text: keyKeys + ": " + fmt.Sprintf(format, args...)})
	}
	from, has := filepath.Join(m.Boot, s.Keys), filepath.Join(m.Root, keysFolder, "enclaves", s.Keys)
	if _, err := os.Stat(from); err != nil {
		if _, err := os.Stat(filepath.Join(has, "key.pem")); err != nil {
			mistake("there is no folder %s next to this file, and the robot has no keys of that name: it will not drive", s.Keys)
		}
		m.checkDomain(s, has, mistake)
		return nil, mistakes
	}
	for _, name := range []string{"identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s", "crl.pem"} {
		b, err := readLimited(filepath.Join(from, name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == "crl.pem": // since Jazzy, where there is one
			continue
		case err != nil || len(b) == 0 || len(b) > maxFile:
			mistake("%s/%s is missing, empty or longer than %d bytes: the keys stay as they were", s.Keys, name, maxFile)
			return nil, mistakes
		}
		files = append(files, file{filepath.Join(keysNew, "enclaves", s.Keys, name), 0o600, string(b)})
	}
	m.checkDomain(s, from, mistake)
	return files, mistakes
}

// checkDomain compares the domain with that of the keys in a folder, or takes it from there if it is not set. Keys
// for several domains are not checked.
func (m *Machine) checkDomain(s *Settings, folder string, mistake func(string, ...any)) {
	b, err := readLimited(filepath.Join(folder, "governance.p7s"))
	if err != nil {
		return
	}
	ids := domainID.FindAllStringSubmatch(string(b), -1)
	if len(ids) != 1 {
		return
	}
	switch {
	case s.Domain == nil:
		s.keysDomain = ids[0][1]
	case fmt.Sprint(*s.Domain) != ids[0][1]:
		mistake("these keys are for the domain %s, and %s is %d: the robot will not drive", ids[0][1], keyDomain, *s.Domain)
	}
}

// replaceKeys replaces the robot's keys, readable by the service's user only. After a power cut the robot has the old
// keys, the new ones or none.
func (m *Machine) replaceKeys(ctx context.Context, s *Settings, files []file) error {
	at := func(path string) string { return filepath.Join(m.Root, path) }
	if s.Keys == noKeys {
		return errors.Join(os.RemoveAll(at(keysFolder)), os.RemoveAll(at(keysNew)), os.RemoveAll(at(keysOld)))
	}
	if len(files) == 0 {
		return nil
	}
	if err := errors.Join(os.RemoveAll(at(keysNew)), os.RemoveAll(at(keysOld)), os.MkdirAll(at(filepath.Dir(keysNew)), 0o755)); err != nil {
		return err
	}
	if err := os.MkdirAll(at(filepath.Dir(files[0].Path)), 0o700); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeFile(m.Root, f); err != nil {
			return err
		}
	}
	if err := m.Run(ctx, "", "chown", "-R", "epuck:epuck", at(keysNew)); err != nil {
		return err
	}
	if err := os.Rename(at(keysFolder), at(keysOld)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(at(keysNew), at(keysFolder)); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(at(keysOld)), syncFolder(at(filepath.Dir(keysFolder))))
}

// security replaces the lines of the driver's environment that name the keys. Without a value they are not changed.
func (s *Settings) security(old string) string {
	if s.Keys == "" {
		return old
	}
	rest := withoutBlock(old, securityBegin, securityEnd)
	if s.Keys == noKeys {
		return rest
	}
	block := securityBegin
	if s.keysDomain != "" {
		block += "ROS_DOMAIN_ID=" + s.keysDomain + "\n"
	}
	block += "ROS_SECURITY_ENABLE=true\nROS_SECURITY_STRATEGY=Enforce\nROS_SECURITY_KEYSTORE=/" + keysFolder +
		"\nROS_SECURITY_ENCLAVE_OVERRIDE=/" + s.Keys + "\n"
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		rest += "\n"
	}
	return rest + block + securityEnd
}

// withoutBlock removes a block; a block without an end extends to the end of the text.
func withoutBlock(text, begin, end string) string {
	before, after, ok := strings.Cut(text, begin)
	if !ok {
		return text
	}
	_, tail, _ := strings.Cut(after, end)
	return before + tail
}
