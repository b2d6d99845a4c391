// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
)

// sumsFile holds the checksums of all files, as sha256sum prints them.
const sumsFile = "SHA256SUMS"

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// checksums writes the checksums of all files in the folder, and their signature if there is a key.
func (r *release) checksums(key string) error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), sumsFile) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum(data), e.Name())
	}
	if err := r.write(sumsFile, []byte(text.String())); err != nil || key == "" {
		return err
	}
	data, err := os.ReadFile(key)
	if err != nil {
		return err
	}
	var secret minisign.PrivateKey
	if err := secret.UnmarshalText(data); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	comment := "epuck-driver " + r.version
	return r.write(sumsFile+".minisig", minisign.SignWithComments(secret, []byte(text.String()), comment, comment))
}

// notes returns what a file of changes says of a version, or of what is not released yet if it does not name it.
func notes(changes, version string) string {
	for _, name := range []string{version, "Unreleased"} {
		_, text, found := strings.Cut(changes, "\n## "+name)
		if !found {
			continue
		}
		_, text, _ = strings.Cut(text, "\n") // the date
		text, _, _ = strings.Cut(text, "\n## ")
		return "# epuck-driver " + version + "\n\n" + strings.TrimSpace(text) + "\n"
	}
	return "# epuck-driver " + version + "\n"
}
