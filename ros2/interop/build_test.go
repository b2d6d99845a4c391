// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// stack is a DDS implementation with the commands that build its peer. They run in an empty directory with $T being
// testdata; the last one creates "peer".
type stack struct {
	name     string
	sources  []string // patterns below testdata
	commands []string // run by sh -e
	packages string   // Debian packages that bring what the commands need

	once   sync.Once
	binary string
	err    error
}

const compileCommon = `for f in "$T"/common/*.c; do
	cc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -I"$T/common" -c "$f"
done`

var (
	cyclone = &stack{
		name:    "cyclone",
		sources: []string{"common/*.[ch]", "cyclone/*"},
		commands: []string{
			compileCommon,
			`idlc -x final -o . "$T/cyclone/ros.idl"`,
			`cc -std=c11 -O2 -Wall -Wextra -D_GNU_SOURCE -I. -I"$T/common" -I"$T/cyclone" -o peer *.o ros.c "$T"/cyclone/*.c -lddsc`,
		},
		packages: "gcc cyclonedds-dev cyclonedds-tools",
	}
	fastdds = &stack{
		name:    "fastdds",
		sources: []string{"common/*.[ch]", "fastdds/*"},
		commands: []string{
			compileCommon,
			`c++ -std=c++17 -O1 -Wall -Wextra -I"$T/common" -I"$T/fastdds" -o peer *.o "$T"/fastdds/*.cpp -lfastrtps -lfastcdr`,
		},
		packages: "g++ libfastrtps-dev libfastcdr-dev",
	}
	stacks = []*stack{cyclone, fastdds}
)

// path builds the peer, if this machine has not built it before, and returns its file name.
func (s *stack) path(t testing.TB) string {
	t.Helper()
	s.once.Do(func() { s.binary, s.err = s.build() })
	if s.err != nil {
		unavailable(t, "the %s peer cannot be built (Debian: apt install %s): %v", s.name, s.packages, s.err)
	}
	return s.binary
}

// build stores the peer in the user's cache under the hash of the sources, the commands and the compiler, so that each
// machine compiles it once.
func (s *stack) build() (string, error) {
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		return "", err
	}
	key, err := s.key(testdata)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	binary := filepath.Join(cache, "epuck-driver", "interop", s.name+"-"+key)
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(filepath.Dir(binary), s.name)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for _, command := range s.commands {
		cmd := exec.Command("sh", "-ec", command)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "T="+testdata)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", command, err, firstLines(string(out), 20))
		}
	}
	return binary, os.Rename(filepath.Join(work, "peer"), binary)
}

func (s *stack) key(testdata string) (string, error) {
	h := sha256.New()
	for _, pattern := range s.sources {
		files, err := filepath.Glob(filepath.Join(testdata, pattern))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n%s", filepath.Base(file), len(data), data)
		}
	}
	compiler, err := exec.Command("cc", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("cc --version: %w", err)
	}
	fmt.Fprintf(h, "%q %s", s.commands, compiler)
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "")
}

func TestKeyDependsOnSources(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		unavailable(t, "no C compiler: %v", err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	s := &stack{sources: []string{"*.c"}, commands: []string{"true"}}
	keys := map[string]bool{}
	for _, content := range []string{"int a;", "int b;", "int a;"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		key, err := s.key(dir)
		if err != nil {
			t.Fatal(err)
		}
		keys[key] = true
	}
	if len(keys) != 2 {
		t.Errorf("%d keys for two contents", len(keys))
	}
}
