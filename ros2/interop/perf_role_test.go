// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/wire"
)

const typeBytes = "perf::Blob"

// perf is the counterpart of testdata/perf/main.c with our stack: the same modes, the same output.
type perf struct {
	domain uint32
	p      *rtps.Participant
}

// playPerf runs one measurement: DOMAIN MODE ARGUMENTS.
func playPerf(args []string) error {
	domain, err := strconv.ParseUint(args[0], 10, 32)
	if err != nil {
		return err
	}
	m := perf{domain: uint32(domain)}
	var numbers [2]float64
	for i, a := range args[2:] {
		if numbers[i], err = strconv.ParseFloat(a, 64); err != nil {
			return err
		}
	}
	a, b := numbers[0], numbers[1]
	switch mode := args[1]; mode {
	case "find":
		return m.find(int(a))
	case "memory":
		return m.memory(int(a), int(b))
	default:
		if m.p, err = rtps.NewParticipant(unpaced(m.domain)); err != nil {
			return err
		}
		defer m.p.Close()
		switch mode {
		case "pong":
			return m.pong()
		case "ping":
			return m.ping(int(a), b)
		case "sub":
			return m.sub()
		case "pub":
			return m.pub(int(a), b)
		case "offer":
			return m.offer(int(a))
		}
		return fmt.Errorf("unknown mode %q", mode)
	}
}

func ready() { fmt.Println("ready") }

func untilInputEnds() error {
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func (m *perf) writer(topic string, history wire.HistoryKind, window int) (*rtps.Writer, error) {
	q := wire.DefaultWriterQoS()
	q.History = history
	return m.p.NewWriter(rtps.WriterConfig{Topic: topic, Type: typeBytes, QoS: q, MaxSamples: window})
}

func (m *perf) reader(topic string, onSample func(*rtps.Sample), onMatch func(int, rtps.MatchEvent)) error {
	q := wire.DefaultReaderQoS()
	q.Reliability = wire.Reliable
	_, err := m.p.NewReader(rtps.ReaderConfig{Topic: topic, Type: typeBytes, QoS: q, OnSample: onSample, OnMatch: onMatch})
	return err
}

func (m *perf) pong() error {
	w, err := m.writer("rt/pong", wire.KeepLast, 1)
	if err == nil {
		err = m.reader("rt/ping", func(s *rtps.Sample) { _ = w.Write(s.Payload) }, nil)
	}
	if err != nil {
		return err
	}
	ready()
	return untilInputEnds()
}

func untilMatched(w *rtps.Writer) {
	for w.Matched() == 0 {
		time.Sleep(time.Millisecond)
	}
}

func (m *perf) ping(bytes int, seconds float64) error {
	back := make(chan struct{}, 1)
	w, err := m.writer("rt/ping", wire.KeepLast, 1)
	if err == nil {
		err = m.reader("rt/pong", func(*rtps.Sample) { back <- struct{}{} }, nil)
	}
	if err != nil {
		return err
	}
	untilMatched(w)
	ready()
	time.Sleep(300 * time.Millisecond) // the other side has matched, too
	payload := benchPayload(bytes)
	var times []time.Duration
	late := time.NewTimer(time.Hour)
	for end := time.Now().Add(time.Duration(seconds * 1e9)); time.Now().Before(end); {
		begin := time.Now()
		if err := w.Write(payload); err != nil {
			return err
		}
		late.Reset(2 * time.Second)
		select {
		case <-back:
			times = append(times, time.Since(begin))
		case <-late.C:
		}
	}
	slices.Sort(times)
	if len(times) == 0 {
		return errors.New("nothing came back")
	}
	fmt.Println(times[len(times)/2].Nanoseconds(), times[len(times)*99/100].Nanoseconds(), len(times))
	return nil
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (m *perf) sub() error {
	var count, last atomic.Int64
	var first time.Time
	var before time.Duration
	if err := m.reader("rt/flood", func(*rtps.Sample) {
		if count.Add(1) == 1 {
			first, before = time.Now(), processorTime()
		}
		last.Store(time.Since(first).Nanoseconds())
	}, nil); err != nil {
		return err
	}
	ready()
	err := untilInputEnds()
	fmt.Println(count.Load(), last.Load(), (processorTime() - before).Microseconds())
	return err
}

// packed is how many small samples are sent together.
const packed = 32

func (m *perf) pub(bytes int, seconds float64) error {
	most, err := window(bytes)
	if err != nil {
		return err
	}
	w, err := m.writer("rt/flood", wire.KeepAll, most)
	if err != nil {
		return err
	}
	untilMatched(w)
	ready()
	time.Sleep(300 * time.Millisecond)
	payload, before, n := benchPayload(bytes), processorTime(), 0
	for end := time.Now().Add(time.Duration(seconds * 1e9)); time.Now().Before(end); {
		batch := 1
		if bytes <= 1024 {
			batch = packed
		}
		m.p.Cork()
		for range batch {
			for err = w.Write(payload); errors.Is(err, rtps.ErrFull); err = w.Write(payload) {
				m.p.Uncork()
				time.Sleep(20 * time.Microsecond)
				m.p.Cork()
			}
			if err != nil {
				return err
			}
			n++
		}
		m.p.Uncork()
	}
	time.Sleep(500 * time.Millisecond) // samples in flight arrive
	fmt.Println(n, (processorTime() - before).Microseconds())
	return nil
}

func topicName(i int) string { return fmt.Sprintf("rt/topic_%d", i) }

func (m *perf) offer(n int) error {
	for i := range n {
		if _, err := m.writer(topicName(i), wire.KeepLast, 1); err != nil {
			return err
		}
	}
	ready()
	return untilInputEnds()
}

func (m *perf) find(n int) error {
	ready()
	begin := time.Now()
	var err error
	if m.p, err = rtps.NewParticipant(unpaced(m.domain)); err != nil {
		return err
	}
	defer m.p.Close()
	found := make(chan struct{}, n)
	for i := range n {
		if err := m.reader(topicName(i), func(*rtps.Sample) {}, func(_ int, ev rtps.MatchEvent) {
			if ev.Kind == rtps.Matched {
				found <- struct{}{}
			}
		}); err != nil {
			return err
		}
	}
	for range n {
		<-found
	}
	fmt.Println(time.Since(begin).Nanoseconds())
	return nil
}

// resident returns the resident memory of this process in KiB, after unused memory has been returned.
func resident() (kib int) {
	debug.FreeOSMemory()
	text, _ := os.ReadFile("/proc/self/status")
	for s := bufio.NewScanner(strings.NewReader(string(text))); s.Scan(); {
		_, _ = fmt.Sscanf(s.Text(), "VmRSS: %d", &kib)
	}
	return kib
}

func (m *perf) memory(participants, endpoints int) error {
	ready()
	base := resident()
	for i := range participants {
		p, err := rtps.NewParticipant(unpaced(m.domain + uint32(i))) // by themselves
		if err != nil {
			return err
		}
		defer p.Close()
		if i == 0 {
			m.p = p
		}
	}
	time.Sleep(time.Second)
	with := resident()
	for i := range endpoints {
		if _, err := m.writer(topicName(i), wire.KeepLast, 1); err != nil {
			return err
		}
		if err := m.reader(topicName(i+endpoints), func(*rtps.Sample) {}, nil); err != nil {
			return err
		}
	}
	time.Sleep(time.Second)
	fmt.Println(base, with, resident())
	return nil
}
