// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// fakeVariable makes the test binary play QEMU.
const fakeVariable = "EPUCK_FAKE_QEMU"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeVariable); mode != "" {
		if err := playQEMU(mode, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	suite.VerifyNoLeaks(m)
}

// fakeQEMU puts a QEMU on the PATH that is this test binary in a mode: "works", "late" with
// its first answer, "breaks" at once, or "sleeps" forever.
func fakeQEMU(t *testing.T, mode string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "qemu-system-x86_64")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv(fakeVariable, mode)
}

// playQEMU is a machine whose commands run on this computer, in a shell. Reset and reboot change its boot identity.
func playQEMU(mode string, args []string) error {
	if mode == "breaks" {
		return fmt.Errorf("no such machine: %s", strings.Join(args, " "))
	}
	fmt.Println("the console of the fake")
	g := &fakeGuest{boot: 1, done: map[int]execStatus{}, sleeps: mode == "sleeps", late: mode == "late"}
	var serving sync.WaitGroup
	for _, a := range args {
		for prefix, serve := range map[string]func(net.Conn){"socket,id=agent,path=": g.serveAgent, "unix:": g.serveMonitor} {
			if rest, ok := strings.CutPrefix(a, prefix); ok {
				path, _, _ := strings.Cut(rest, ",")
				l, err := net.Listen("unix", path)
				if err != nil {
					return err
				}
				serving.Go(func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						serve(c)
					}
				})
			}
		}
	}
	serving.Wait()
	return nil
}

// fakeGuest is the agent and the monitor of a fake machine.
type fakeGuest struct {
	sleeps, late bool

	mu     sync.Mutex
	boot   int
	pid    int
	done   map[int]execStatus
	asked  map[int]int
	greets int
}

// serveAgent answers as qemu-ga does, including what it says to a line that was cut off.
func (g *fakeGuest) serveAgent(c net.Conn) {
	defer func() { _ = c.Close() }()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		line := lines.Bytes()
		delimited := len(line) > 0 && line[0] == delimiter
		if delimited {
			line = line[1:]
		}
		var r struct {
			Execute   string
			Arguments json.RawMessage
		}
		if g.sleeps {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			_, _ = io.WriteString(c, `{"error":{"class":"GenericError","desc":"what?"}}`+"\n")
			continue
		}
		answer := g.answer(r.Execute, r.Arguments)
		if answer == "" {
			continue
		}
		if delimited {
			answer = `{"return":4711}` + "\n" + string([]byte{delimiter}) + answer // an old answer, and the new one
		}
		_, _ = io.WriteString(c, answer+"\n")
	}
}

func (g *fakeGuest) answer(command string, arguments json.RawMessage) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var a struct {
		ID   int64
		PID  int
		Path string
		Arg  []string
	}
	_ = json.Unmarshal(arguments, &a)
	switch command {
	case "guest-sync-delimited":
		if g.greets++; g.late && g.greets == 1 {
			return "" // it has not booted yet
		}
		return fmt.Sprintf(`{"return":%d}`, a.ID)
	case "guest-exec":
		return g.exec(a.Path, a.Arg)
	case "guest-exec-status":
		s, ok := g.done[a.PID]
		if !ok {
			return `{"error":{"class":"GenericError","desc":"Invalid parameter 'pid'"}}`
		}
		if s.Exited = g.asked[a.PID] > 0; !s.Exited {
			g.asked[a.PID]++
			return `{"return":{"exited":false}}`
		}
		b, err := json.Marshal(s)
		if err != nil {
			return ""
		}
		return `{"return":` + string(b) + `}`
	}
	return `{"error":{"class":"CommandNotFound","desc":"no ` + command + `"}}`
}

// exec runs a command of a few that it knows, or in this computer's shell.
func (g *fakeGuest) exec(path string, args []string) string {
	if g.asked == nil {
		g.asked = map[int]int{}
	}
	g.pid++
	s := execStatus{Exited: true}
	switch script := args[len(args)-1]; {
	case strings.Contains(script, "boot_id"):
		s.Out = fmt.Appendf(nil, "boot-%d\n", g.boot)
	case strings.Contains(script, "systemctl reboot"):
		g.boot++
	case strings.HasPrefix(script, "mkdir -p "+PayloadDir), script == "":
	case script == "never":
		g.asked[g.pid] = -1 << 30
	case script == "signal":
		s.Signal = 9
	default:
		var out, errs strings.Builder
		cmd := exec.Command(path, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run()
		s.ExitCode, s.Out, s.Err = cmd.ProcessState.ExitCode(), []byte(out.String()), []byte(errs.String())
	}
	g.done[g.pid] = s
	return fmt.Sprintf(`{"return":{"pid":%d}}`, g.pid)
}

// serveMonitor answers as QMP does, with events in between.
func (g *fakeGuest) serveMonitor(c net.Conn) {
	defer func() { _ = c.Close() }()
	_, _ = io.WriteString(c, `{"QMP":{"version":{}}}`+"\n")
	for lines := bufio.NewScanner(c); lines.Scan(); {
		var r struct {
			Execute   string
			Arguments map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return
		}
		_, _ = io.WriteString(c, `{"event":"RESUME","timestamp":{}}`+"\n")
		answer := `{"return":{}}`
		switch r.Execute {
		case "qmp_capabilities":
		case "system_reset":
			g.mu.Lock()
			g.boot++
			g.mu.Unlock()
		case "set_link":
			if r.Arguments["name"] != "cable" || r.Arguments["up"] != true {
				answer = `{"error":{"class":"DeviceNotFound","desc":"no such cable"}}`
			}
		default:
			answer = `{"error":{"class":"CommandNotFound","desc":"what?"}}`
		}
		_, _ = io.WriteString(c, answer+"\n")
	}
}
