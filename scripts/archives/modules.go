// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// modulesOf returns the modules that a program was built of, as it says itself, and Go as the last.
func modulesOf(program string) ([]debug.Module, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	var all []debug.Module
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, *m)
	}
	return append(all, debug.Module{Path: "std", Version: info.GoVersion}), nil
}

// addLicences adds the texts of all modules' licences.
func (c contents) addLicences(modules []debug.Module, prefix string) error {
	args := []string{"list", "-m", "-f", "{{.Path}}\t{{.Dir}}"}
	for _, m := range modules[:len(modules)-1] {
		args = append(args, m.Path)
	}
	list := ""
	if len(modules) > 1 {
		out, err := exec.CommandContext(context.Background(), "go", args...).Output()
		if err != nil {
			return fmt.Errorf("go list -m: %w", err)
		}
		list = string(out)
	}
	root, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	list += "std\t" + strings.TrimSpace(string(root)) + "\n"
	for line := range strings.Lines(list) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if err := c.addLicencesOf(dir, prefix+module+"/"); err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
	}
	return nil
}

// errNoLicence is returned for a module without a file of its licence.
var errNoLicence = errors.New("no licence")

// addLicencesOf adds the files of a folder that hold licences and notices.
func (c contents) addLicencesOf(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		begin, _, _ := strings.Cut(e.Name(), ".")
		if !slices.Contains([]string{"LICENSE", "COPYING", "NOTICE"}, begin) || e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		c[prefix+e.Name()], found = text, true
	}
	if !found {
		return fmt.Errorf("%w in %s", errNoLicence, dir)
	}
	return nil
}

// component is a module in an SBOM of CycloneDX 1.6.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
}

// sbom lists the modules of a program as CycloneDX 1.6, in JSON.
func sbom(modules []debug.Module, version string, when time.Time) ([]byte, error) {
	components := make([]component, 0, len(modules))
	for _, m := range modules {
		components = append(components, component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err := e.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{
			"timestamp": when.Format(time.RFC3339),
			"component": component{Type: "application", Name: "epuck-driver", Version: version},
		},
		"components": components,
	})
	return b.Bytes(), err
}
