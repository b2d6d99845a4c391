// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestImportRulesNameRoomsThatExist: a rule about a room that is gone, or not yet there, checks nothing.
func TestImportRulesNameRoomsThatExist(t *testing.T) {
	rooms := map[string]bool{}
	for _, s := range sources(t) {
		for room := s.room; room != "."; room = filepath.ToSlash(filepath.Dir(room)) {
			rooms[room] = true
		}
	}
	for _, r := range importRules {
		if !rooms[r.room] {
			t.Errorf("a rule for %s: there is no such room", r.room)
		}
		for _, banned := range r.mayNot {
			if name := strings.TrimSuffix(banned, "$"); !rooms[name] && !foreign(name) {
				t.Errorf("the rule for %s speaks of %s: neither a room nor a package of Go", r.room, name)
			}
		}
	}
	for _, l := range lots {
		for _, room := range slices.Concat(ground, l.uses) {
			if !rooms[room] {
				t.Errorf("lot %s uses %s: there is no such room", l.name, room)
			}
		}
	}
	for _, m := range externalModules {
		for _, room := range m.rooms {
			if !rooms[room] {
				t.Errorf("module %s is for %s: there is no such room", m.module, room)
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
