// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package vmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/deploy/vm"
	"github.com/epuck-ros2/epuck-driver/sim/groundtruth"
)

// waitTimeout bounds every wait. It decides nothing: what takes so long does not happen at all.
const waitTimeout = 5 * time.Minute

// guest is the machine that all tests share, in their order.
type guest struct {
	t       *testing.T // of the running test
	machine *vm.Machine
	console *console
}

// console keeps what the machine writes to its console.
type console struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.b.Write(p)
}

// tail gives the last n lines.
func (c *console) tail(n int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(c.b.String()), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// bootGuest starts the machine. It ends with the test; if the test failed its console and journal are shown.
func bootGuest(t *testing.T) *guest {
	t.Helper()
	image, err := vm.BuildImage(t.Context(), root, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{t: t, console: &console{}}
	began := time.Now()
	// of the start; the machine outlives the test's context
	ctx, cancel := context.WithTimeout(context.Background(), 2*waitTimeout)
	defer cancel()
	g.machine, err = vm.Start(ctx, vm.Config{Image: image, Payload: payload(), TAP: vm.CableTAP, Console: g.console})
	if err != nil {
		t.Fatalf("%v\n%s", err, g.console.tail(80))
	}
	t.Logf("booted in %.1f s", time.Since(began).Seconds())
	t.Cleanup(func() {
		if t.Failed() {
			g.t = t
			g.explain()
		}
		if err := g.machine.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// explain logs what the machine has to say about a failure.
func (g *guest) explain() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	journal, err := g.machine.Exec(ctx, "journalctl --no-pager -o short-precise -n 200; systemctl status --no-pager epuck-driver epuck-sim; cat "+truthFile)
	g.t.Logf("journal (%v):\n%s", err, journal)
	g.t.Logf("console:\n%s", g.console.tail(60))
}

// step runs one of the machine's tests; the following ones only make sense if it has passed.
func (g *guest) step(t *testing.T, name string, f func(*guest)) {
	began := time.Now()
	ok := t.Run(name, func(t *testing.T) {
		f(&guest{t: t, machine: g.machine, console: g.console})
	})
	if !ok {
		t.FailNow()
	}
	t.Logf("%s: %.1f s", name, time.Since(began).Seconds())
}

// try runs a shell script as root in the machine.
func (g *guest) try(script string) (string, error) {
	ctx, cancel := context.WithTimeout(g.t.Context(), 2*waitTimeout)
	defer cancel()
	return g.machine.Exec(ctx, script)
}

// run runs a shell script that must succeed and gives what it wrote.
func (g *guest) run(format string, args ...any) string {
	g.t.Helper()
	out, err := g.try("set -e\n" + fmt.Sprintf(format, args...))
	if err != nil {
		g.t.Fatal(err)
	}
	return out
}

// status runs a shell script and gives its exit status and what it wrote.
func (g *guest) status(script string) (int, string) {
	g.t.Helper()
	out, err := g.try(script)
	var exit *vm.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.Status, out
	case err != nil:
		g.t.Fatal(err)
	}
	return 0, out
}

// await repeats a question until it is answered with true.
func (g *guest) await(what string, ask func() (bool, string)) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), waitTimeout)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, last := ask()
		if ok {
			return
		}
		select {
		case <-ctx.Done():
			g.t.Fatalf("never %s; last: %s", what, last)
		case <-tick.C:
		}
	}
}

// truthFile is where the simulated robot's truth is written in the machine.
const truthFile = "/run/truth.json"

// truth is what the virtual robot really does.
func (g *guest) truth() groundtruth.Record {
	g.t.Helper()
	var r groundtruth.Record
	text := g.run("cat %s", truthFile)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		g.t.Fatalf("%v: %s", err, text)
	}
	return r
}

// awaitMoving waits until the wheels turn, or are stopped.
func (g *guest) awaitMoving(moving bool) {
	g.t.Helper()
	g.await(map[bool]string{true: "moving", false: "stopped"}[moving], func() (bool, string) {
		r := g.truth()
		return r.Moving == moving, fmt.Sprintf("%+v", r)
	})
}

// cause does something to the machine and gives its clock at that moment, s since 1970.
func (g *guest) cause(script string) float64 {
	g.t.Helper()
	out := g.run("date +%%s.%%N\n%s", script)
	first, _, _ := strings.Cut(out, "\n")
	at, err := strconv.ParseFloat(first, 64)
	if err != nil {
		g.t.Fatalf("%v: %s", err, out)
	}
	return at
}

// stopped waits until the wheels, which turned, are stopped, and returns how long that took.
func (g *guest) stopped(since float64) time.Duration {
	g.t.Helper()
	var took time.Duration
	g.await("stopped", func() (bool, string) {
		r := g.truth()
		for _, c := range r.Changes {
			if !c.Moving && c.Time > since {
				took = time.Duration((c.Time - since) * float64(time.Second))
				return true, ""
			}
		}
		return false, fmt.Sprintf("%+v", r)
	})
	return took
}
