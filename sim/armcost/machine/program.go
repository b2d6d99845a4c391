// SPDX-License-Identifier: Apache-2.0

//go:build linux

package machine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim/armcost"
)

// Program is an ARMv6 Linux program for a machine.
type Program struct {
	Args     []string // its file and its arguments
	Env      []string // nil is this program's
	In       io.Reader
	Out, Err io.Writer
	// Slack is how much later than asked for its waits with a time-out may end, so that they end together with others:
	// the kernel's timer slack, TimerSlackNSec of a service. Timers of timerfd have none. It defaults to none, so that
	// runs are exact.
	Slack time.Duration
}

// program is one that was started.
type program struct {
	name     string
	number   int // of the machine's programs, from 1
	slack    time.Duration
	cmd      *exec.Cmd
	counts   *shared
	pidfd    int
	listener int
	over     bool          // no thread of it is left
	gone     chan struct{} // closed when its process has ended
	silent   int           // looks at it without a sign of life
	// coreRequests counts the requests of its threads for the core, coreRequestsBefore those before its running thread
	// last continued.
	coreRequests, coreRequestsBefore int
	begun                            ticks
	ended                            ticks

	late  int // waits that ended later than tolerable
	worst time.Duration
}

// tolerable is how much later than asked for a thread may get the core, after it had waited for a time.
const tolerable = time.Millisecond

// lateBy notes how late a thread got the core.
func (p *program) lateBy(d time.Duration) {
	p.worst = max(p.worst, d)
	if d > tolerable {
		p.late++
	}
}

// Start starts a program; it runs from the machine's present on. The error matches ErrStart if it does not begin.
func (m *Machine) Start(s Program) error {
	if m.started >= maxPrograms {
		return fmt.Errorf("%w: %d", errFull, m.started)
	}
	if len(s.Args) == 0 {
		return fmt.Errorf("%w: it has no name", ErrStart)
	}
	counts, err := share("counts", countsSize)
	if err != nil {
		return err
	}
	m.started++
	p := &program{name: filepath.Base(s.Args[0]), number: m.started, slack: max(0, s.Slack), counts: counts, gone: make(chan struct{}), begun: m.now()}
	p.cmd = m.command(s)
	if err := m.launch(p); err != nil {
		counts.close()
		return fmt.Errorf("%w: %s: %w", ErrStart, p.name, err)
	}
	m.programs = append(m.programs, p)
	if err := m.first(p); err != nil {
		m.programs = m.programs[:len(m.programs)-1]
		return errors.Join(err, m.discard(p))
	}
	return nil
}

// discard kills a program and releases its resources.
func (m *Machine) discard(p *program) error {
	err := p.kill()
	if !p.over {
		m.ended(p)
	}
	p.counts.close()
	return err
}

// command is the emulator with the model, as a program of this machine.
func (m *Machine) command(s Program) *exec.Cmd {
	seed := strconv.FormatUint(uint64(m.cfg.Seed)*(maxPrograms+1)+uint64(m.started), 10)
	args := []string{
		"-cpu", "arm1176", "-B", strconv.FormatUint(armcost.GuestBase, 10), "-seed", seed,
		"-plugin", fmt.Sprintf("%s,out=/dev/null,program=%d,seed=%s", m.cfg.Plugin, m.started, seed),
	}
	if m.cfg.Files != "" {
		args = append(args, "-L", m.cfg.Files)
	}
	words := append(append([]string{"qemu-arm"}, args...), s.Args...)
	processor := "0"
	if m.cfg.Processor > 0 {
		processor = strconv.Itoa(m.cfg.Processor)
	}
	cmd := exec.CommandContext(context.Background(), "taskset", append([]string{"-c", processor}, words...)...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env, s.In, s.Out, s.Err
	return cmd
}

// launch starts the emulator's process and gets the filter's listener from it.
func (m *Machine) launch(p *program) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	p.cmd.ExtraFiles = []*os.File{m.core.file, p.counts.file, w} // 3, 4 and 5 there
	err = p.cmd.Start()
	_ = w.Close()
	if err != nil {
		return err
	}
	task.Go("program of a machine", func() {
		_ = p.cmd.Wait() // its state has the error
		close(p.gone)
	})
	if err := p.adopt(r); err != nil {
		return errors.Join(err, p.kill())
	}
	m.core.header().adopted.Store(uint32(m.started))
	quicker(p.listener)
	return nil
}

// adopt reads the number of the listener and makes it one of this process.
func (p *program) adopt(r io.Reader) error {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		<-p.gone
		return fmt.Errorf("the emulator ended: %v", p.cmd.ProcessState)
	}
	var err error
	if p.pidfd, err = unix.PidfdOpen(p.pid(), 0); err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	if p.listener, err = p.file(int(int32(binary.NativeEndian.Uint32(b[:])))); err != nil {
		_ = unix.Close(p.pidfd)
		return fmt.Errorf("pidfd_getfd: %w", err)
	}
	return nil
}

// first waits until the program's first thread wants the core.
func (m *Machine) first(p *program) error {
	for begun := time.Now(); !p.over; {
		for _, t := range m.order {
			if t.p == p {
				return nil
			}
		}
		if time.Since(begun) > time.Minute {
			return fmt.Errorf("%w: %s: not in a minute", ErrStart, p.name)
		}
		if err := m.pollCalls(p); err != nil {
			return err
		}
	}
	<-p.gone
	return fmt.Errorf("%w: %s: %v", ErrStart, p.name, p.cmd.ProcessState)
}

func (p *program) pid() int { return p.cmd.Process.Pid }

// file is a file of the program, opened here as well.
func (p *program) file(fd int) (int, error) { return unix.PidfdGetfd(p.pidfd, fd, 0) }

func (p *program) close() {
	_ = unix.Close(p.listener)
	_ = unix.Close(p.pidfd)
}

// kill ends the process and waits for that.
func (p *program) kill() error {
	err := p.cmd.Process.Kill()
	<-p.gone
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}
