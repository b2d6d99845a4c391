// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// person is one at a terminal who holds a key of teleop, before a simulated robot.
type person struct {
	keys     *os.File // the keyboard's and the screen's end of the terminal
	terminal *os.File // teleop's end
	teleop   *exec.Cmd
	release  func() // the key
}

func (p *patient) person() person {
	p.t.Helper()
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	p.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	ours, theirs := fixtures.OpenTerminal(p.t, 80)
	p.t.Cleanup(func() { _ = theirs.Close() })
	teleop := p.command("teleop")
	teleop.Stdin, teleop.Stdout, teleop.Stderr = theirs, theirs, theirs
	teleop.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := teleop.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { // what it writes is read, as a terminal does
		for buf := make([]byte, 4096); ; {
			if _, err := ours.Read(buf); err != nil {
				return
			}
		}
	}()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			if _, err := ours.Write([]byte("i")); err != nil {
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(40 * time.Millisecond):
			}
		}
	}()
	release := func() {
		close(stop)
		<-stopped
	}
	p.await("the wheels to turn", func(r groundtruth.Record) bool { return r.Moving })
	return person{keys: ours, terminal: theirs, teleop: teleop, release: release}
}

// ends waits until teleop has ended.
func ends(t *testing.T, teleop *exec.Cmd) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = teleop.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(hopeless):
		t.Error("teleop does not end")
		_ = teleop.Process.Kill()
	}
}

// TestTeleopEnds drives a real process by a terminal, with the driver's own time-out off: what stops the wheels is
// teleop's own zero. The key is held until the end in each case but the first.
func TestTeleopEnds(t *testing.T) {
	noTimeout := []string{"--web=off", "--ros-args", "-p", "cmd_vel_timeout:=0.0"}
	t.Run("the key is released", func(t *testing.T) {
		p := prepare(t, noTimeout...)
		student := p.person()
		student.release()
		p.wantStopped()
		_ = student.teleop.Process.Signal(syscall.SIGTERM)
		ends(t, student.teleop)
	})
	t.Run("SIGHUP", func(t *testing.T) {
		p := prepare(t, noTimeout...)
		student := p.person()
		if err := student.teleop.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		ends(t, student.teleop)
		p.wantStopped()
		student.release()
	})
	t.Run("the terminal has gone", func(t *testing.T) {
		p := prepare(t, noTimeout...)
		student := p.person()
		if err := student.keys.Close(); err != nil { // reads end, writes fail, and the kernel sends SIGHUP
			t.Fatal(err)
		}
		ends(t, student.teleop)
		p.wantStopped()
		student.release()
	})
	t.Run("the terminal takes no more text", func(t *testing.T) {
		p := prepare(t, noTimeout...)
		student := p.person()
		// On the end of teleop: on the other one it would stop the keys.
		if err := unix.IoctlSetInt(int(student.terminal.Fd()), unix.TCXONC, 0); err != nil { // TCOOFF
			t.Fatal(err)
		}
		student.release()
		p.wantStopped()
		_ = student.teleop.Process.Signal(syscall.SIGTERM)
		ends(t, student.teleop)
	})
}
