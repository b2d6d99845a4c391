// SPDX-License-Identifier: Apache-2.0

//go:build system

package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/experiment"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// childFolder names the folder in which this program, started by a test, runs an experiment until it is killed.
const childFolder = "EXPERIMENT_TEST_FOLDER"

// childTask makes this program the task of a Slurm job.
const childTask = "EXPERIMENT_TEST_TASK"

// runTask does the same as "experiment task FILE --results DIR --index I --of N".
func runTask(args []string) error {
	e, err := experiment.Load(args[2])
	if err != nil {
		return err
	}
	index, err := strconv.Atoi(args[6])
	if err != nil {
		return err
	}
	of, err := strconv.Atoi(args[8])
	if err != nil {
		return err
	}
	runs, err := e.Part(index, of)
	if err != nil {
		return err
	}
	return e.Run(context.Background(), args[4], runs, 1, func(int, int) {})
}

func TestMain(m *testing.M) {
	if os.Getenv(childTask) != "" && len(os.Args) == 10 {
		if err := runTask(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if folder := os.Getenv(childFolder); folder != "" {
		e, err := experiment.Parse([]byte(many), ".")
		if err == nil {
			err = e.Run(context.Background(), folder, nil, 2, func(int, int) {})
		}
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	suite.VerifyNoLeaks(m)
}

// After a kill at any time every existing result is complete, and the missing runs can be executed.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e, folder := parse(t, many), t.TempDir()
	for range 6 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childFolder+"="+folder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before, _, err := e.Collect(folder)
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(20 * time.Second)
		for have := before; have < min(before+3, e.Runs()) && time.Now().Before(deadline); {
			files, err := filepath.Glob(filepath.Join(folder, "run-*.json"))
			if err != nil {
				t.Fatal(err)
			}
			have = len(files)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		files, err := filepath.Glob(filepath.Join(folder, "run-*.json"))
		if err != nil {
			t.Fatal(err)
		}
		if have, missing, err := e.Collect(folder); err != nil || have != len(files) || have+len(missing) != e.Runs() || have < before {
			t.Fatalf("%d results of %d files, %d missing, %v", have, len(files), len(missing), err)
		}
	}
	if err := e.Run(context.Background(), folder, nil, 0, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if have, missing, err := e.Collect(folder); have != e.Runs() || len(missing) != 0 || err != nil {
		t.Errorf("%d, %v, %v", have, missing, err)
	}
}

func TestCommand(t *testing.T) {
	e := parse(t, `{name: c, world: empty, robots: 3, command: [sh, -c, "echo '{\"sum\": '$(({seed} + {a} + {robots} + {run}))'}'"], duration: 1, seeds: [10], parameters: {a: [1, 2]}}`)
	for i, want := range []float64{14, 16} {
		r, err := e.Do(context.Background(), e.Case(i))
		if err != nil {
			t.Fatal(err)
		}
		if r.Figures["sum"] != want {
			t.Errorf("run %d: %v", i, r.Figures)
		}
	}
}

// A failed command is an error that names the run and the reason, and results in no row of the table.
func TestBadCommands(t *testing.T) {
	for bad, want := range map[string]string{
		"exit 3": "exit status 3", "echo hm >&2; exit 1": "hm", "echo no": "no JSON", "echo 1 2": "no JSON", "true": "no JSON",
		`echo '{\"a\": \"b\"}'`: "no JSON", `echo '{\"a\": null}'`: `"a" has no value`, `echo '{\"time\": 1}'`: `"time" is a column`,
		`echo '{\"p\": 1}'`: `"p" is a column`, `echo '{\"\": 1}'`: `"" must be`, `echo '{\"a,b\": 1}'`: `"a,b" must be`,
		"yes": "prints more than", "kill -9 $$": "killed",
	} {
		e := parse(t, `{name: c, world: empty, command: [sh, -c, "`+bad+`"], duration: 1, seeds: [10], parameters: {p: [1]}}`)
		folder := t.TempDir()
		err := e.Run(context.Background(), folder, nil, 1, func(int, int) {})
		if !errors.Is(err, experiment.ErrCommand) || !strings.Contains(err.Error(), "run 0") || !strings.Contains(err.Error(), want) || len(err.Error()) > 2000 {
			t.Errorf("%s: %v, want %q", bad, err, want)
		}
		if have, missing, err := e.Collect(folder); have != 0 || len(missing) != 1 || err != nil {
			t.Errorf("%s: %d, %v, %v", bad, have, missing, err)
		}
	}
	// Text on standard error is ignored, of any length.
	e := parse(t, `{name: c, command: [sh, -c, "yes | head -c 3000000 >&2; echo '{\"a\": 1}'"], duration: 1, seeds: [10]}`)
	if r, err := e.Do(context.Background(), e.Case(0)); err != nil || r.Figures["a"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// The command of a cancelled experiment ends, also one whose child keeps its output open.
func TestCommandIsCancelled(t *testing.T) {
	e, folder := parse(t, `{name: c, command: [sh, -c, "echo > begun; exec sleep 1000"], duration: 1, seeds: [10]}`), t.TempDir()
	t.Chdir(folder)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx, folder, nil, 1, func(int, int) {}) }()
	waitFor(t, "the command", func() bool { _, err := os.Stat("begun"); return err == nil })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// waitFor waits until a condition holds, for at most a minute.
func waitFor(t *testing.T, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !f() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited a minute for %s", what)
		}
	}
}
