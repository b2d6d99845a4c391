// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// buffer is a console that may be looked at while it is written.
type buffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func start(t *testing.T, cfg Config) *Machine {
	t.Helper()
	return startAs(t, "works", cfg)
}

func startAs(t *testing.T, mode string, cfg Config) *Machine {
	t.Helper()
	fakeQEMU(t, mode)
	m, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(m.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", m.dir, err)
		}
	})
	return m
}

func TestExec(t *testing.T) {
	m := start(t, Config{})
	for _, c := range []struct {
		script, out string
		status      int
	}{
		{"echo hello", "hello\n", 0}, {"echo out; echo problem >&2; exit 7", "out\nproblem\n", 7}, {"signal", "", 128 + 9}, {"", "", 0},
	} {
		out, err := m.Exec(t.Context(), c.script)
		var exit *ExitError
		if errors.As(err, &exit) {
			if exit.Status != c.status || exit.Output != c.out || !strings.Contains(err.Error(), c.script) {
				t.Errorf("%q: %v", c.script, err)
			}
		} else if err != nil || c.status != 0 {
			t.Errorf("%q: %v, want status %d", c.script, err, c.status)
		}
		if out != c.out {
			t.Errorf("%q wrote %q", c.script, out)
		}
	}
	if err := m.start(t.Context(), "echo in the background"); err != nil {
		t.Error(err)
	}
}

// A command that takes too long is given up; the machine keeps running.
func TestExecEndsWithTheContext(t *testing.T) {
	m := start(t, Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	tired := errors.New("tired")
	time.AfterFunc(2*execPoll, func() { cancel(tired) })
	if _, err := m.Exec(ctx, "never"); !errors.Is(err, tired) || !strings.Contains(err.Error(), "never") {
		t.Errorf("%v", err)
	}
	if out, err := m.Exec(t.Context(), "echo alive"); out != "alive\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

func TestManyCommandsAtOnce(t *testing.T) {
	m := start(t, Config{})
	var wg sync.WaitGroup
	for _, word := range []string{"one", "two", "three", "four"} {
		wg.Go(func() {
			if out, err := m.Exec(t.Context(), "echo "+word); out != word+"\n" || err != nil {
				t.Errorf("%s: %q, %v", word, out, err)
			}
		})
	}
	wg.Wait()
}

// After either kind of restart commands run in a machine that has booted anew.
func TestRestart(t *testing.T) {
	m := startAs(t, "late", Config{})
	for _, restart := range []func(context.Context) error{m.Reboot, m.Reset} {
		before, err := m.bootID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if now, err := m.bootID(t.Context()); err != nil || now == before {
			t.Errorf("%q after %q, %v", now, before, err)
		}
	}
}

func TestMonitor(t *testing.T) {
	m := start(t, Config{})
	if err := m.SetCable(t.Context(), true); err != nil {
		t.Error(err)
	}
	if err := m.SetCable(t.Context(), false); err == nil || !strings.Contains(err.Error(), "no such cable") {
		t.Errorf("the fake's refusal: %v", err)
	}
	if err := m.monitor(t.Context(), "nonsense", nil); err == nil {
		t.Error("nonsense is understood")
	}
}

// A machine that has ended is distinguished from one that is slow.
func TestGone(t *testing.T) {
	m := start(t, Config{})
	if err := m.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-m.ended
	for name, f := range map[string]func() error{
		"exec":   func() error { _, err := m.Exec(t.Context(), "true"); return err },
		"reboot": func() error { return m.Reboot(t.Context()) },
		"cable":  func() error { return m.SetCable(t.Context(), true) },
	} {
		if err := f(); !errors.Is(err, errGone) && !errors.Is(err, errAgent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStartFails(t *testing.T) {
	t.Run("QEMU refuses", func(t *testing.T) {
		fakeQEMU(t, "breaks")
		if _, err := Start(t.Context(), Config{}); !errors.Is(err, errGone) || !strings.Contains(err.Error(), "no such machine") {
			t.Errorf("%v", err)
		}
	})
	t.Run("it never boots", func(t *testing.T) {
		fakeQEMU(t, "sleeps")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(greetingTime/2, cancel)
		if _, err := Start(ctx, Config{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	t.Run("no QEMU", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		if _, err := Start(t.Context(), Config{}); !errors.Is(err, errUnavailable) || !strings.Contains(err.Error(), "qemu-system-x86") {
			t.Errorf("%v", err)
		}
	})
	t.Run("no such file", func(t *testing.T) {
		fakeQEMU(t, "works")
		_, err := Start(t.Context(), Config{Payload: map[string]string{"tool": "/no/such/file"}})
		if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "tool") {
			t.Errorf("%v", err)
		}
	})
}

func TestConsole(t *testing.T) {
	var console buffer
	m := start(t, Config{Console: &console})
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(console.String(), "the console of the fake") {
		t.Errorf("console: %q", &console)
	}
}

// The image is where its script says, and its script's error is returned.
func TestBuildImage(t *testing.T) {
	root := t.TempDir()
	script := filepath.Join(root, "scripts", "vm-image.sh")
	if err := os.Mkdir(filepath.Dir(script), 0o755); err != nil {
		t.Fatal(err)
	}
	var log buffer
	if _, err := BuildImage(t.Context(), root, &log); !errors.Is(err, errUnavailable) {
		t.Errorf("no script: %v", err)
	}
	for text, check := range map[string]func(Image, error) bool{
		"echo working >&2; echo /cache/vm/1": func(i Image, err error) bool {
			return err == nil && i == Image{"/cache/vm/1/vmlinuz", "/cache/vm/1/initrd", "/cache/vm/1/root.ext4"}
		},
		"echo no disk left >&2; exit 3": func(_ Image, err error) bool {
			return errors.Is(err, errUnavailable) && strings.Contains(err.Error(), "no disk left")
		},
	} {
		if err := os.WriteFile(script, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if image, err := BuildImage(t.Context(), root, &log); !check(image, err) {
			t.Errorf("%s: %+v, %v", text, image, err)
		}
	}
	if !strings.Contains(log.String(), "working") {
		t.Errorf("log: %q", &log)
	}
}
