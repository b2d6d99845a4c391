// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestImportRulesNameFoldersThatExist: a rule about a folder that is gone, or not yet there, checks nothing.
func TestImportRulesNameFoldersThatExist(t *testing.T) {
	folders := map[string]bool{}
	for _, s := range sources(t) {
		for folder := s.folder; folder != "."; folder = filepath.ToSlash(filepath.Dir(folder)) {
			folders[folder] = true
		}
	}
	for _, r := range importRules {
		if !folders[r.folder] {
			t.Errorf("a rule for %s: there is no such folder", r.folder)
		}
		for _, banned := range r.mayNot {
			if name := strings.TrimSuffix(banned, "$"); !folders[name] && !foreign(name) {
				t.Errorf("the rule for %s speaks of %s: neither a folder nor a package of Go", r.folder, name)
			}
		}
	}
	for _, l := range layers {
		for _, folder := range l.peers {
			if !folders[folder] {
				t.Errorf("layer %d imports %s: there is no such folder", l.level, folder)
			}
		}
	}
	for _, m := range externalModules {
		for _, folder := range m.folders {
			if !folders[folder] {
				t.Errorf("module %s is for %s: there is no such folder", m.module, folder)
			}
		}
	}
}

// foreign reports whether name is a module's path or a package of the standard library.
func foreign(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	if strings.Contains(first, ".") {
		return true
	}
	info, err := os.Stat(filepath.Join(goroot(), "src", filepath.FromSlash(name)))
	return err == nil && info.IsDir()
}

// goroot returns the folder of Go, which a test built with -trimpath does not know itself.
var goroot = sync.OnceValue(func() string {
	if build.Default.GOROOT != "" {
		return build.Default.GOROOT
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})
