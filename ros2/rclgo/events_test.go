// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// collect returns a function for OnEvent, and the channel of its events.
func collect() (func(ros2.EndpointEvent), <-chan ros2.EndpointEvent) {
	events := make(chan ros2.EndpointEvent, 1000)
	return func(e ros2.EndpointEvent) {
		select {
		case events <- e:
		default:
		}
	}, events
}

// awaitEvent receives events until one matches.
func awaitEvent(t *testing.T, what string, events <-chan ros2.EndpointEvent, suits func(ros2.EndpointEvent) bool) {
	t.Helper()
	for end := time.After(timeout); ; {
		select {
		case e := <-events:
			if suits(e) {
				return
			}
		case <-end:
			t.Fatalf("%s: no such event", what)
		}
	}
}

// pairWith creates a reader and a writer with the same quality of service and events.
func pairWith(t *testing.T, tr *Transport, q ros2.QoS) (w ros2.Writer, ofWriter, ofReader <-chan ros2.EndpointEvent) {
	t.Helper()
	cfg := endpointOn("/x")
	cfg.QoS = q
	matched := make(chan int, 10)
	cfg.OnMatch = func(n int) { matched <- n }
	cfg.OnEvent, ofReader = collect()
	if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: cfg, OnSample: func(ros2.Sample) {}}); err != nil {
		t.Fatal(err)
	}
	cfg.OnEvent, ofWriter = collect()
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
	if err != nil {
		t.Fatal(err)
	}
	await(t, "match", matched)
	await(t, "match", matched)
	return w, ofWriter, ofReader
}

func TestDeadlinesAreWatched(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, ofWriter, ofReader := pairWith(t, tr, ros2.QoS{Deadline: 100 * time.Millisecond})
	if err := w.Write(text(t, "once")); err != nil {
		t.Fatal(err)
	}
	awaitEvent(t, "offered deadline", ofWriter, func(e ros2.EndpointEvent) bool {
		return e.Kind == ros2.EventOfferedDeadlineMissed && e.Total > 0 && e.Change > 0
	})
	awaitEvent(t, "requested deadline", ofReader, func(e ros2.EndpointEvent) bool {
		return e.Kind == ros2.EventRequestedDeadlineMissed && e.Total > 0 && e.Change > 0
	})
}

func TestLivelinessIsWatched(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, ofWriter, ofReader := pairWith(t, tr, ros2.QoS{Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: 200 * time.Millisecond})
	asserter, ok := w.(ros2.LivelinessAsserter)
	if !ok {
		t.Fatal("the writer cannot assert its liveliness")
	}
	if err := asserter.AssertLiveliness(); err != nil {
		t.Fatal(err)
	}
	awaitEvent(t, "alive", ofReader, func(e ros2.EndpointEvent) bool {
		return e.Kind == ros2.EventLivelinessChanged && e.Liveliness.Alive == 1
	})
	awaitEvent(t, "lost", ofWriter, func(e ros2.EndpointEvent) bool { return e.Kind == ros2.EventLivelinessLost && e.Total > 0 })
	awaitEvent(t, "not alive", ofReader, func(e ros2.EndpointEvent) bool {
		return e.Kind == ros2.EventLivelinessChanged && e.Liveliness.NotAlive == 1 && e.Liveliness.Alive == 0
	})
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := asserter.AssertLiveliness(); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("asserted after Close: %v", err)
	}
}

// TestEventsLeakNothing: endpoints with all events leak no memory.
func TestEventsLeakNothing(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	cfg := endpointOn("/x")
	cfg.QoS = ros2.QoS{Deadline: time.Hour, LivelinessLease: time.Hour}
	cfg.OnEvent = func(ros2.EndpointEvent) {}
	kept := grows(100, 200, func() {
		w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
		if err == nil {
			err = w.Close()
		}
		r, rErr := tr.NewReader(ros2.ReaderConfig{EndpointConfig: cfg, OnSample: func(ros2.Sample) {}})
		if rErr == nil {
			rErr = r.Close()
		}
		if err := errors.Join(err, rErr); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d bytes kept for a writer and a reader with events", kept)
	if kept > 2*endpointSlack() {
		t.Errorf("%d bytes kept, more than %d", kept, 2*endpointSlack())
	}
}
