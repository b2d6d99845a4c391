// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

// roleVariable makes this test binary run a role in another process: the counterpart of peers for our stack.
const roleVariable = "INTEROP_ROLE"

// roles are the programs of the roles. Each runs until its standard input ends.
var roles = map[string]func(p *rtps.Participant) error{
	"pong":      pong,
	"sink":      sink,
	"peer":      playPeer,
	"localhost": playPeer,
	"flow":      flow,
}

// playRole runs the role given in the environment and reports whether there was one.
func playRole() (played bool, err error) {
	name := os.Getenv(roleVariable)
	if name == "host" {
		return true, idle()
	}
	if name == "perf" {
		return true, playPerf(os.Args[1:])
	}
	role, ok := roles[name]
	if !ok && name != "group" {
		return false, nil
	}
	domain, err := strconv.ParseUint(os.Args[1], 10, 32)
	if err != nil {
		return true, err
	}
	if name == "group" {
		return true, sendToGroup(uint32(domain))
	}
	cfg := rtps.Config{DomainID: uint32(domain)}
	switch name {
	case "localhost":
		cfg.LocalhostOnly, cfg.AnnouncePeriod = true, 100*time.Millisecond
	case "peer":
		cfg.LocalhostOnly = strings.HasPrefix(os.Getenv(rangeVariable), "localhost")
		if folder := os.Getenv(keysVariable); folder != "" {
			if cfg.Security, _, err = settings(folder).Open(cfg.DomainID, nil); err != nil {
				return true, err
			}
		}
		if len(os.Args) > 2 {
			cfg.LeaseDuration, err = time.ParseDuration(os.Args[2] + "s")
			cfg.AnnouncePeriod = cfg.LeaseDuration / 4 // 0 is the default
		}
	case "flow":
		cfg = toStalledHost(cfg.DomainID)
	default:
		cfg = unpaced(cfg.DomainID) // the benchmarks' parts
	}
	if err != nil {
		return true, err
	}
	p, err := rtps.NewParticipant(cfg)
	if err != nil {
		return true, err
	}
	if err := role(p); err != nil {
		return true, err
	}
	return true, p.Close()
}

// startRole runs a role in a separate process.
func startRole(t testing.TB, role string, domain uint32) *peer {
	t.Helper()
	needNamespace(t)
	cmd := exec.Command("/proc/self/exe", fmt.Sprint(domain))
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	p := launch(t, role, cmd)
	p.done("open", "")
	return p
}

// emitEvent writes an event in the peers' format.
func emitEvent(e any) error { return json.NewEncoder(os.Stdout).Encode(e) }

type doneEvent struct {
	Event   string `json:"event"`
	Command string `json:"command"`
	ID      string `json:"id"`
}

type statsEvent struct {
	Event    string `json:"event"`
	ID       string `json:"id"`
	Received int64  `json:"received"`
	Lost     int64  `json:"lost"`
}

// pong sends every sample of rt/ping back on rt/pong.
func pong(p *rtps.Participant) error {
	w, err := p.NewWriter(rtps.WriterConfig{Topic: "rt/pong", Type: typeString, QoS: wire.DefaultWriterQoS()})
	if err != nil {
		return err
	}
	q := wire.DefaultReaderQoS()
	q.Reliability = wire.Reliable
	if _, err = p.NewReader(rtps.ReaderConfig{
		Topic: "rt/ping", Type: typeString, QoS: q, OnSample: func(s *rtps.Sample) { _ = w.Write(s.Payload) },
	}); err != nil {
		return err
	}
	return serve(func(string) error { return nil })
}

// sink counts the samples of rt/flood and reports the count on "stats".
func sink(p *rtps.Participant) error {
	var received, lost, last atomic.Int64
	q := wire.DefaultReaderQoS()
	q.Reliability = wire.Reliable
	if _, err := p.NewReader(rtps.ReaderConfig{
		Topic: "rt/flood", Type: typeString, QoS: q,
		OnSample: func(s *rtps.Sample) {
			received.Add(1)
			if before := last.Swap(int64(s.SN)); before != 0 {
				lost.Add(int64(s.SN) - before - 1)
			}
		},
	}); err != nil {
		return err
	}
	return serve(func(id string) error {
		return emitEvent(statsEvent{Event: "stats", ID: id, Received: received.Load(), Lost: lost.Load()})
	})
}

// serve reports that the role is ready, then answers "stats ID" until the input ends.
func serve(stats func(id string) error) error {
	if err := emitEvent(doneEvent{Event: "done", Command: "open"}); err != nil {
		return err
	}
	var failed error
	err := commands(func(words []string) {
		id := words[len(words)-1]
		failed = errors.Join(failed, stats(id), emitEvent(doneEvent{Event: "done", Command: "stats", ID: id}))
	})
	return errors.Join(failed, err)
}

// commands calls f with the words of every line until the input ends.
func commands(f func(words []string)) error {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if words := strings.Fields(in.Text()); len(words) > 0 {
			f(words)
		}
	}
	return in.Err()
}

// TestRoles: two processes of our own stack exchange samples.
func TestRoles(t *testing.T) {
	domain := newDomain()
	o := startOurs(t, rtps.Config{DomainID: domain})
	q := qos{reliable: true, depth: 100}
	ping, flood, echo := o.writer("rt/ping", typeString, q), o.writer("rt/flood", typeString, q), o.reader("rt/pong", typeString, q)
	p, s := startRole(t, "pong", domain), startRole(t, "sink", domain)
	ping.matched(1)
	flood.matched(1)
	echo.matched(1)
	ping.strings(1)
	expectNumbers(t, echo, stringNumber, 1, 1)
	const n = 20
	flood.strings(n)
	for deadline := time.Now().Add(timeout); s.stats("flood").Received < n; {
		if time.Now().After(deadline) {
			t.Fatalf("the sink does not get %d samples", n)
		}
	}
	p.quit()
	ping.matched(0)
	s.quit()
	flood.matched(0)
}
