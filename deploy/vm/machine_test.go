// SPDX-License-Identifier: Apache-2.0

//go:build linux

package vm

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// What is asked of QEMU: always emulation, never KVM, which not every computer has; a network only with a cable.
func TestArguments(t *testing.T) {
	m := &Machine{dir: "/run/x"}
	plain := strings.Join(m.arguments(Config{Image: Image{"k", "i", "d"}}), " ")
	for _, want := range []string{"-accel tcg", "-smp 2 ", "-m 512 ", "-kernel k ", "-initrd i ", "file=d,", "snapshot=on", "path=/run/x/agent", "net.ifnames=0"} {
		if !strings.Contains(plain, want) {
			t.Errorf("no %q in %s", want, plain)
		}
	}
	for _, no := range []string{"accel kvm", "enable-kvm", "netdev"} {
		if strings.Contains(plain, no) {
			t.Errorf("%q in %s", no, plain)
		}
	}
	other := m.arguments(Config{TAP: "tap9", Memory: 256, CPUs: 1})
	if i := slices.Index(other, "-netdev"); i < 0 || !strings.Contains(other[i+1], "ifname=tap9") {
		t.Errorf("no cable: %v", other)
	}
	if text := strings.Join(other, " "); !strings.Contains(text, "-smp 1 ") || !strings.Contains(text, "-m 256 ") {
		t.Errorf("%s", text)
	}
}

func TestPayload(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "file")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "payload")
	if err := writePayload(archive, map[string]string{"bin/tool": tool}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := tar.NewReader(f)
	h, err := r.Next()
	if err != nil || h.Name != "bin/tool" || h.FileInfo().Mode().Perm() != 0o755 {
		t.Fatalf("%+v, %v", h, err)
	}
	if b, err := io.ReadAll(r); string(b) != "#!/bin/sh\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := f.Stat(); err != nil || info.Size()%512 != 0 || info.Size() == 0 {
		t.Errorf("no whole disk sectors: %v, %v", info.Size(), err)
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
