// SPDX-License-Identifier: Apache-2.0

//go:build linux

package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// manager is what systemd hears.
type manager struct {
	mu    sync.Mutex
	heard []string
}

func (m *manager) notify(state string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heard = append(m.heard, state)
	return nil
}

// take gives what was heard since the last call.
func (m *manager) take() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.heard
	m.heard = nil
	return h
}

func (m *manager) supervisor(watchdog time.Duration) *Supervisor {
	return &Supervisor{notify: m.notify, watchdog: watchdog, log: slog.New(slog.DiscardHandler), first: make(chan struct{}, 1)}
}

func count(of []string, what string) int {
	n := 0
	for _, s := range of {
		if s == what {
			n++
		}
	}
	return n
}

func TestSupervisorFollowsTheControlLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m manager
		s := m.supervisor(2 * time.Second)
		text, good := "waiting", 0
		s.settled = func() { good++ }
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx, func() string { return text }) })
		cycles := func(n int, answered bool) {
			for range n {
				s.Cycle(answered)
				time.Sleep(50 * time.Millisecond)
			}
		}

		cycles(60, false) // no robot yet
		synctest.Wait()
		heard := m.take()
		if slices.ContainsFunc(heard, func(s string) bool { return strings.HasPrefix(s, "READY=1") }) {
			t.Errorf("ready before the robot answered: %q", heard)
		}
		if count(heard, "STATUS=waiting") != 1 {
			t.Errorf("the status is reported on change: %q", heard)
		}

		text = "the robot answers"
		cycles(200, true)
		synctest.Wait()
		heard = m.take()
		if count(heard, "READY=1\nSTATUS=the robot answers") != 1 {
			t.Errorf("ready once: %q", heard)
		}
		if n := count(heard, "WATCHDOG=1"); n < 19 || n > 21 {
			t.Errorf("%d signs of life in 10 s with a watchdog of 2 s", n)
		}

		time.Sleep(10 * time.Second) // the loop has stuck
		synctest.Wait()
		if n := count(m.take(), "WATCHDOG=1"); n > 1 {
			t.Errorf("%d signs of life of a loop that has stuck", n)
		}

		time.Sleep(time.Hour)
		synctest.Wait()
		if good != 1 {
			t.Errorf("the service was found good %d times", good)
		}
		m.take()

		cancel()
		wg.Wait()
		if heard := m.take(); !slices.Equal(heard, []string{"STOPPING=1"}) {
			t.Errorf("at the end: %q", heard)
		}
	})
}

// A loop whose robot is lost makes a cycle a second; that is life enough for the watchdog of the unit.
func TestSlowCyclesKeepTheWatchdogQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last time.Time
		var longest time.Duration
		var mu sync.Mutex
		var m manager
		s := m.supervisor(unitWatchdog(t))
		s.notify = func(state string) error {
			mu.Lock()
			defer mu.Unlock()
			if state == "WATCHDOG=1" {
				if !last.IsZero() {
					longest = max(longest, time.Since(last))
				}
				last = time.Now()
			}
			return nil
		}
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx, func() string { return "" }) })
		for range 100 {
			s.Cycle(false)
			time.Sleep(1060 * time.Millisecond) // the pause and an exchange that fails slowly
		}
		cancel()
		wg.Wait()
		mu.Lock()
		defer mu.Unlock()
		if longest == 0 || longest > unitWatchdog(t)-300*time.Millisecond {
			t.Errorf("%v without a sign of life, the watchdog waits %v", longest, unitWatchdog(t))
		}
	})
}

func TestSupervisorCycleDoesNotAllocate(t *testing.T) {
	s := (&manager{}).supervisor(0)
	if n := testing.AllocsPerRun(100, func() { s.Cycle(true); s.Cycle(false) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The real thing: the environment and the socket that systemd gives.
func TestSupervisorSpeaksToSystemd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "2000000")
	t.Setenv("WATCHDOG_PID", "")
	s := NewSupervisor(slog.New(slog.DiscardHandler))
	if s.watchdog != 2*time.Second {
		t.Errorf("the watchdog waits %v", s.watchdog)
	}
	s.send("STATUS=hello")
	buf := make([]byte, 100)
	if n, err := conn.Read(buf); err != nil || string(buf[:n]) != "STATUS=hello" {
		t.Errorf("%q, %v", buf[:n], err)
	}
}

// A service that continues with another control loop, as a simulation with another world, does not report that it stops;
// one that ends does.
func TestServiceThatContinuesDoesNotStop(t *testing.T) {
	for _, continues := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			var m manager
			s := m.supervisor(0)
			s.Continues = func() bool { return continues }
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() { s.Run(ctx, func() string { return "" }) })
			s.Cycle(true)
			time.Sleep(5 * time.Second)
			synctest.Wait()
			m.take()
			cancel()
			wg.Wait()
			if got := m.take(); slices.Contains(got, "STOPPING=1") == continues {
				t.Errorf("continues %v: %q", continues, got)
			}
		})
	}
}

// A systemd that hangs with a full socket does not block the service, which repeats its state when the socket accepts
// messages again.
func TestSystemdThatHangs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	t.Setenv("NOTIFY_SOCKET", path)
	s := NewSupervisor(slog.New(slog.DiscardHandler))
	for s.send("STATUS=full") {
	}
	s.watchdog = 40 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	looked := make(chan struct{}, 100)
	var wg sync.WaitGroup
	wg.Go(func() {
		s.Run(ctx, func() string {
			select {
			case looked <- struct{}{}:
			default:
			}
			return "driving"
		})
	})
	s.Cycle(true)
	for range 10 { // it goes round although nothing is taken
		s.Cycle(true)
		<-looked
	}
	buf := make([]byte, 100)
	for said := ""; said != "READY=1\nSTATUS=driving"; {
		n, err := conn.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if said = string(buf[:n]); said != "STATUS=full" && said != "WATCHDOG=1" && !strings.HasPrefix(said, "READY=1") {
			t.Fatalf("heard %q before the service is ready", said)
		}
	}
	for s.send("STATUS=full") {
	}
	cancel()
	wg.Wait() // its last word does not wait either
	if err := NotifySystemd("READY=1"); !errors.Is(err, unix.EAGAIN) {
		t.Errorf("a full socket: %v", err)
	}
	t.Setenv("NOTIFY_SOCKET", "")
	if err := NotifySystemd("READY=1"); err != nil {
		t.Errorf("without systemd: %v", err)
	}
}

// extensions counts the messages that put the end of the start's time off by at least d.
func extensions(heard []string, d time.Duration) (n int) {
	for _, h := range heard {
		for line := range strings.Lines(h) {
			if v, ok := strings.CutPrefix(strings.TrimSpace(line), "EXTEND_TIMEOUT_USEC="); ok {
				if us, err := strconv.ParseInt(v, 10, 64); err == nil && time.Duration(us)*time.Microsecond >= d {
					n++
				}
			}
		}
	}
	return n
}

// A start that waits for its robot puts its end off again and again, each time before it comes; one whose loop hangs
// doesn't, nor does one that is over.
func TestOnlyAStartThatHangsIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m manager
		s := m.supervisor(2 * time.Second)
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { s.Run(ctx, func() string { return "waiting" }) })
		for range 10 * 60 {
			s.Cycle(false) // once a second while the robot is away
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if n := extensions(m.take(), startLimit); n < 500 {
			t.Errorf("%d extensions in ten minutes of waiting", n)
		}
		time.Sleep(time.Minute) // the loop hangs
		synctest.Wait()
		if n := extensions(m.take(), 0); n > 1 {
			t.Errorf("%d extensions while the loop hangs", n)
		}
		s.Cycle(true)
		time.Sleep(time.Second)
		m.take()
		for range 100 {
			s.Cycle(true)
			time.Sleep(50 * time.Millisecond)
		}
		synctest.Wait()
		if n := extensions(m.take(), 0); n != 0 {
			t.Errorf("%d extensions after the start", n)
		}
		cancel()
		wg.Wait()
	})
}

// Waiting for a bus is no hanging either: before each pause the start's end is put off by more than the pause.
func TestWaitingForTheBusPutsTheEndOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m manager
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "waits", Transport: ros2test.NewTransport(), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer node.Close()
		attempts := 0
		sv := Service{wait: true, Open: func(*ros2.Node, *slog.Logger) (hardware.Parts, error) {
			if attempts++; attempts == 12 {
				return hardware.Parts{}, nil
			}
			return hardware.Parts{}, fmt.Errorf("%w: /dev/i2c-12", i2c.ErrNoBus)
		}}
		last := time.Now()
		began := last
		if _, err := sv.hardware(t.Context(), node, m.supervisor(0)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 3*time.Minute {
			t.Errorf("only %v of waiting", took)
		}
		heard := m.take()
		if n := extensions(heard, firstPause+startLimit); n != 11 {
			t.Errorf("%d extensions for 11 pauses: %q", n, heard)
		}
		if n := extensions(heard, lastPause+startLimit); n < 5 {
			t.Errorf("%d extensions are longer than the longest pause", n)
		}
	})
}

// The unit's limit is the one the program reckons with.
func TestUnitBoundsTheStart(t *testing.T) {
	values := unitValues(t, "TimeoutStartSec")
	if len(values) != 1 {
		t.Fatalf("TimeoutStartSec is %q", values)
	}
	if d, err := time.ParseDuration(values[0]); err != nil || d != startLimit {
		t.Errorf("TimeoutStartSec is %v, the program reckons with %v", values[0], startLimit)
	}
}
