// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// suite is the result of a suite of tests, as scripts/test-all.sh writes it to bin/suites.tsv: its name, the numbers of
// tests that passed and failed, and the seconds that it took, between tabs.
type suite struct {
	name                    string
	passed, failed, seconds float64
}

// suites reads the results; a file that does not exist has none.
func (t *tree) suites() ([]suite, error) {
	text, err := os.ReadFile(filepath.Join(t.root, "bin", "suites.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseSuites(string(text)), nil
}

// parseSuites leaves out lines that it does not understand.
func parseSuites(text string) (list []suite) {
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			continue
		}
		s := suite{name: fields[0]}
		valid := true
		for i, to := range []*float64{&s.passed, &s.failed, &s.seconds} {
			var err error
			*to, err = strconv.ParseFloat(fields[i+1], 64)
			valid = valid && err == nil
		}
		if valid {
			list = append(list, s)
		}
	}
	return list
}

// unreachable is the file of the functions that scripts/deadcode.sh found last.
const unreachable = "bin/deadcode.txt"

// runDeadcode searches for the functions that neither a program nor an Example reaches, which takes minutes.
func (t *tree) runDeadcode(log io.Writer) error {
	cmd := exec.CommandContext(context.Background(), filepath.Join(t.root, "scripts", "deadcode.sh"))
	cmd.Dir, cmd.Stderr = t.root, log
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("scripts/deadcode.sh: %w", err)
	}
	file := filepath.Join(t.root, unreachable)
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	return os.WriteFile(file, out, 0o600)
}

// unreachableFunctions returns what runDeadcode found last; false if it has not run.
func (t *tree) unreachableFunctions() ([]string, bool) {
	text, err := os.ReadFile(filepath.Join(t.root, unreachable))
	if err != nil {
		return nil, false
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }), true
}
