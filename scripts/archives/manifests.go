// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"text/template"
)

//go:embed templates
var templates embed.FS

// project is where the releases are.
const project = "https://github.com/epuck-ros2/epuck-driver"

// manifest is what the templates of the package managers take.
type manifest struct {
	Project, Version string
	sums             map[string]string
	release          *release
}

// Sum is the checksum of a target's archive.
func (m manifest) Sum(target string) (string, error) {
	if s := m.sums[target]; s != "" {
		return s, nil
	}
	return "", fmt.Errorf("no archive for %s", target)
}

// Windows are the targets by winget's names of processors.
func (manifest) Windows() map[string]string {
	return map[string]string{"arm64": "windows-arm64", "x64": "windows-amd64"}
}

// Name is the name of a target's archive without its suffix.
func (m manifest) Name(target string) string { return m.release.name(target) }

// URL is the address of a target's archive.
func (m manifest) URL(target string) string {
	suffix := ".tar.gz"
	if strings.HasPrefix(target, "windows") {
		suffix = ".zip"
	}
	return project + "/releases/download/" + m.release.tag + "/" + m.release.name(target) + suffix
}

// manifests writes the files of package managers that name archives of this release.
func (r *release) manifests(sums map[string]string) error {
	parsed, err := template.ParseFS(templates, "templates/*")
	if err != nil {
		return err
	}
	var failed []error
	for _, t := range parsed.Templates() {
		var b bytes.Buffer
		if err := t.Execute(&b, manifest{project, r.version, sums, r}); err != nil {
			return fmt.Errorf("%s: %w", t.Name(), err)
		}
		failed = append(failed, r.write(t.Name(), b.Bytes()))
	}
	return errors.Join(failed...)
}
