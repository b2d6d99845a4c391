// SPDX-License-Identifier: Apache-2.0

//go:build system && linux && linux && !arm

package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sys/unix"
)

// laboratory is an experiment that the program makes, attacked from outside.
type laboratory struct {
	t       *testing.T
	file    string
	results string
	runs    int
}

// newLaboratory writes an experiment file of so many runs of so many simulated seconds, for results in a folder of its
// own or in the one given.
func newLaboratory(t *testing.T, runs int, duration float64, results string) *laboratory {
	t.Helper()
	l := &laboratory{t: t, file: filepath.Join(t.TempDir(), "e.yaml"), results: results, runs: runs}
	if results == "" {
		l.results = filepath.Join(t.TempDir(), "results")
	}
	text := fmt.Sprintf("name: e\nworld: empty\nrobots: 10\ncontroller: avoid\nduration: %g\nseeds: {from: 1, count: %d}\nparameters: {speed: [3, 4]}", duration, runs/2)
	if err := os.WriteFile(l.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return l
}

// command is the program at this experiment.
func (l *laboratory) command(verb string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "experiment", verb, l.file, "--results", l.results)
	cmd.Env = append(os.Environ(), programEnv+"=1")
	return cmd
}

// made gives the files of all results, each with the time of its last write; all of them are complete.
func (l *laboratory) made() map[string]os.FileInfo {
	l.t.Helper()
	paths, err := filepath.Glob(filepath.Join(l.results, "run-*.json"))
	if err != nil {
		l.t.Fatal(err)
	}
	files := make(map[string]os.FileInfo)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			l.t.Fatal(err)
		}
		var r struct{ Figures map[string]float64 }
		if err := json.Unmarshal(data, &r); err != nil || len(r.Figures) == 0 {
			l.t.Fatalf("%s: %v\n%s", path, err, data)
		}
		if files[path], err = os.Stat(path); err != nil {
			l.t.Fatal(err)
		}
	}
	return files
}

// kept checks that results from before are the same files.
func (l *laboratory) kept(before map[string]os.FileInfo) {
	l.t.Helper()
	after := l.made()
	for path, was := range before {
		if is := after[path]; is == nil || !os.SameFile(was, is) || !was.ModTime().Equal(is.ModTime()) {
			l.t.Fatalf("%s was made again, or is lost", path)
		}
	}
}

// rows reads the table as CSV, less the column of the time that a run took, and checks that it is whole: no run comes
// twice, and as Parquet it has as many.
func (l *laboratory) rows() []string {
	l.t.Helper()
	f, err := os.Open(filepath.Join(l.results, "runs.csv"))
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		l.t.Fatal(err)
	}
	wall := slices.Index(all[0], "wall")
	var rows []string
	runs := make(map[string]bool)
	for _, r := range all[1:] {
		runs[r[0]] = true
		rows = append(rows, strings.Join(slices.Delete(r, wall, wall+1), " "))
	}
	if len(runs) != len(rows) {
		l.t.Errorf("%d runs in %d rows", len(runs), len(rows))
	}
	data, err := os.ReadFile(filepath.Join(l.results, "runs.parquet"))
	if err != nil {
		l.t.Fatal(err)
	}
	if p, err := parquet.OpenFile(strings.NewReader(string(data)), int64(len(data))); err != nil || p.NumRows() != int64(len(rows)) {
		l.t.Errorf("parquet of %d rows: %v", len(rows), err)
	}
	return rows
}

// wantAll lets the experiment be finished, and checks the table against that of an undisturbed one.
func (l *laboratory) wantAll(undisturbed []string) {
	l.t.Helper()
	before := l.made()
	if out, err := l.command("run").CombinedOutput(); err != nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	l.kept(before)
	if got := l.rows(); !slices.Equal(got, undisturbed) {
		l.t.Errorf("%d rows are not the %d of an undisturbed experiment", len(got), len(undisturbed))
	}
	left, err := filepath.Glob(filepath.Join(l.results, ".run-*"))
	if err != nil || len(left) > 0 {
		l.t.Errorf("left behind: %q, %v", left, err)
	}
}

// An experiment whose disk becomes full reports it and ends; it is refused while the disk is full, and continues when
// there is space again.
func TestExperimentOnAFullDisk(t *testing.T) {
	if !again(t, syscall.CLONE_NEWNS) {
		return
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	if err := unix.Mount("small", disk, "tmpfs", 0, "size=1400k"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	l := newLaboratory(t, 500, 1, filepath.Join(disk, "results"))
	for _, want := range []string{"no space left on device", "the disk is full"} {
		before := l.made()
		out, err := l.command("run").CombinedOutput()
		if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), want) {
			t.Fatalf("%v\n%s", err, out)
		}
		l.kept(before)
	}
	if n := len(l.made()); n == 0 || n == l.runs {
		t.Fatalf("%d results", n)
	}
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT, "size=16m"); err != nil {
		t.Fatal(err)
	}
	other := &laboratory{t: t, file: l.file, results: filepath.Join(t.TempDir(), "other"), runs: l.runs}
	if out, err := other.command("run").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l.wantAll(other.rows())
}
