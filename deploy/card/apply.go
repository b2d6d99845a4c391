// SPDX-License-Identifier: Apache-2.0

package card

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Machine is the system on the card. All fields except Damaged are required.
type Machine struct {
	Root string // path of its root file system: "/"
	Boot string // path of its boot partition: "/boot/firmware"
	// Run runs a program of the system with text on its standard input.
	Run func(ctx context.Context, input, program string, args ...string) error
	// Writable calls f while the boot partition is writable.
	Writable func(f func() error) error
	// Damaged is the reason why the data partition can't be used; empty if it can.
	Damaged string
}

// Report is the result of applying an epuck.txt.
type Report struct {
	Mistakes []Mistake
	Applied  bool // false: it was applied before and has not changed
}

// stateFile holds the hash of the file that was applied last. It is written after all settings.
const stateFile = "var/lib/epuck-card/applied"

// version is part of the hash, so that a program that applies the same file differently applies it again.
const version = "1"

// Apply reads epuck.txt, applies its settings if it has changed since they were last applied, and writes
// epuck-log.txt next to it. It may be interrupted at any time and repeated. Mistakes of the user are in the report;
// other failures are returned as an error and are in the log as well.
func (m *Machine) Apply(ctx context.Context) (Report, error) {
	var r Report
	if m.Damaged != "" {
		r.Mistakes = append(r.Mistakes, Mistake{Cause: causeData, Text: m.Damaged})
	}
	r.Mistakes = append(r.Mistakes, m.misnamed()...)
	data, err := readLimited(filepath.Join(m.Boot, "epuck.txt"))
	if err != nil {
		text := err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			text = "there is no such file on the boot partition; the settings stay as they were"
		}
		r.Mistakes = append(r.Mistakes, Mistake{Cause: causeFile, Text: text})
		return r, m.report(r, nil)
	}
	settings, mistakes := Parse(data)
	r.Mistakes = append(r.Mistakes, mistakes...)
	enclave, mistakes := m.enclave(&settings)
	r.Mistakes = append(r.Mistakes, mistakes...)
	sum := sumOf(data, enclave)
	before, err := readFile(m.Root, stateFile)
	if before != sum || err != nil {
		r.Applied = true
		if err = m.applySettings(ctx, &settings, enclave); err == nil {
			err = writeFile(m.Root, file{stateFile, 0o644, sum})
		}
	}
	if err != nil {
		r.Mistakes = append(r.Mistakes, Mistake{Cause: causeWrite, Text: "it could not be applied: " + err.Error()})
	}
	return r, errors.Join(err, m.report(r, &settings))
}

// sumOf returns the hash of epuck.txt and the keys next to it.
func sumOf(data []byte, enclave []file) string {
	h := sha256.New()
	h.Write(append([]byte(version+"\n"), data...))
	for _, f := range enclave {
		fmt.Fprintf(h, "\x00%s %d\n%s", f.Path, len(f.Text), f.Text)
	}
	return fmt.Sprintf("%x\n", h.Sum(nil))
}

// misnamed returns files that were meant to be epuck.txt: Windows hides the extension that its editor adds, TextEdit
// saves in its own format.
func (m *Machine) misnamed() (list []Mistake) {
	for _, name := range []string{"epuck.txt.txt", "epuck", "epuck.rtf", "epuck.txt.rtf", "epuck.doc", "epuck.docx", "epuck.txt.docx"} {
		if _, err := os.Stat(filepath.Join(m.Boot, name)); err == nil {
			list = append(list, Mistake{Cause: causeFile, Text: fmt.Sprintf("%s is not read: save it as plain text with the name epuck.txt, and delete it", name)})
		}
	}
	return list
}

// applySettings writes the keys and files of the settings and sets host name and password.
func (m *Machine) applySettings(ctx context.Context, s *Settings, enclave []file) error {
	var sys system
	info, err := os.Stat(filepath.Join(m.Root, "etc/NetworkManager/system-connections"))
	sys.networkManager = err == nil && info.IsDir()
	if sys.driver, err = readFile(m.Root, "etc/default/epuck-driver"); err != nil {
		return err
	}
	if sys.network, err = readFile(m.Root, sys.networkFile()); err != nil {
		return err
	}
	files, err := s.files(sys)
	if err != nil {
		return err
	}
	if err := m.replaceKeys(ctx, s, enclave); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeFile(m.Root, f); err != nil {
			return err
		}
	}
	if s.Name != "" {
		if err := m.Run(ctx, "", "hostname", s.Name); err != nil {
			return err
		}
	}
	if s.Password != "" {
		return m.Run(ctx, user+":"+s.Password+"\n", "chpasswd")
	}
	return nil
}

// report writes epuck-log.txt unless its content is the same already. The log contains neither passwords nor keys.
func (m *Machine) report(r Report, s *Settings) error {
	text := strings.ReplaceAll(r.text(s), "\n", "\r\n")
	if was, err := os.ReadFile(filepath.Join(m.Boot, "epuck-log.txt")); err == nil && string(was) == text {
		return nil
	}
	return m.Writable(func() error { return writeFile(m.Boot, file{"epuck-log.txt", 0o755, text}) })
}

// text returns the content of epuck-log.txt.
func (r *Report) text(s *Settings) string {
	var b strings.Builder
	if len(r.Mistakes) == 0 {
		b.WriteString("epuck.txt has no mistakes.\n")
	}
	for _, m := range r.Mistakes {
		fmt.Fprintf(&b, "%s\n", m)
	}
	if first := First(r.Mistakes); first != CauseNone {
		for _, row := range causes() {
			if row.Cause == first {
				fmt.Fprintf(&b, "The robot's LEDs show this in %s (%s).\n", row.ColourName, row.Name)
			}
		}
	}
	if s != nil {
		b.WriteString("\nIn force from this file:\n" + s.summary())
	}
	return b.String()
}

// summary returns the settings without their secrets.
func (s *Settings) summary() string {
	var b strings.Builder
	for _, k := range keys() {
		for _, v := range s.values(k.name) {
			switch {
			case k.name == keyPassword || k.name == keyWiFiPassword:
				v = "(set)"
			case k.name == keySSHKey:
				v = shorten(v)
			}
			fmt.Fprintf(&b, "  %s = %s\n", k.name, v)
		}
	}
	if b.Len() == 0 {
		return "  nothing\n"
	}
	return b.String()
}
