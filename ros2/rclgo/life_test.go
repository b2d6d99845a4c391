// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// timeout ends a test in which an expected event does not occur.
const timeout = 20 * time.Second

// await receives the first value of c.
func await[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(timeout):
		t.Fatalf("%s: timeout", what)
	}
	return v
}

// link creates a writer and a reader that match, and returns the channel of received messages.
func link(t *testing.T, tr *Transport, topic string, maxSize int) (ros2.Writer, ros2.Reader, <-chan ros2.Sample) {
	t.Helper()
	heard, matched := make(chan ros2.Sample, 100), make(chan int, 1)
	r, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn(topic), MaxSampleSize: maxSize, OnSample: func(s ros2.Sample) {
		s.Payload = slices.Clone(s.Payload)
		heard <- s
	}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := endpointOn(topic)
	cfg.OnMatch = func(n int) {
		select {
		case matched <- n:
		default: // only the first is awaited
		}
	}
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
	if err != nil {
		t.Fatal(err)
	}
	if n := await(t, "match", matched); n != 1 {
		t.Fatalf("%d matched", n)
	}
	return w, r, heard
}

func text(t *testing.T, s string) []byte { return encode(t, &std_msgs.String{Data: s}) }

func TestSampleInfo(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/x", 0)
	before := time.Now()
	for i := range 3 {
		if err := w.Write(text(t, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		s := await(t, "message", heard)
		var m std_msgs.String
		if err := cdr.Unmarshal(s.Payload, &m); err != nil || m.Data != fmt.Sprint(i) {
			t.Errorf("message %d: %q, %v", i, m.Data, err)
		}
		if s.Info.Sequence != int64(i+1) || !s.Info.Publisher.IsZero() {
			t.Errorf("message %d: %+v", i, s.Info)
		}
		for _, stamp := range []time.Time{s.Info.SourceTime, s.Info.ReceivedTime} {
			if stamp.Before(before.Add(-time.Second)) || stamp.After(time.Now().Add(time.Second)) {
				t.Errorf("message %d: stamp %v", i, stamp)
			}
		}
	}
	if err := w.Write([]byte{0}); !errors.Is(err, ErrConfig) {
		t.Errorf("a message of one byte: %v", err)
	}
}

func TestReaderDropsWhatIsTooLarge(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/x", 100)
	for _, s := range []string{strings.Repeat("x", 1000), "small"} {
		if err := w.Write(text(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	if s := await(t, "message", heard); len(s.Payload) > 100 {
		t.Errorf("%d bytes were delivered", len(s.Payload))
	}
}

// TestCallbacksMayDoAnything except close their own endpoint: they create endpoints, close others, publish and query
// the graph.
func TestCallbacksMayDoAnything(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	other, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/other"), OnSample: func(ros2.Sample) {}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var w ros2.Writer
	cfg := endpointOn("/x")
	cfg.OnMatch = func(n int) {
		if n == 0 {
			return
		}
		extra, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/extra")})
		if err == nil {
			err = errors.Join(extra.Write(encode(t, &std_msgs.String{})), extra.Close(), other.Close())
		}
		if len(tr.Graph().Nodes) == 0 {
			err = errors.Join(err, errors.New("no nodes in the graph"))
		}
		done <- err
	}
	if w, err = tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}}); err != nil {
		t.Fatal(err)
	}
	if err := await(t, "callback", done); err != nil {
		t.Error(err)
	}
	if err := w.Write(text(t, "x")); err != nil {
		t.Error(err)
	}
}

// TestEndpointsComeAndGoAtOnce: goroutines create, use and close endpoints concurrently with messages.
func TestEndpointsComeAndGoAtOnce(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/flow", 0)
	stop := make(chan struct{})
	var flow, work sync.WaitGroup
	flow.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-heard:
			default:
				if err := w.Write(encode(t, &std_msgs.String{Data: "flow"})); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for i := range 4 {
		work.Go(func() {
			for j := range 20 {
				for _, make := range makers(tr) {
					e, err := make()
					if err != nil {
						t.Errorf("%d.%d: %v", i, j, err)
						return
					}
					tr.Graph()
					if err := e.Close(); err != nil {
						t.Errorf("%d.%d: %v", i, j, err)
					}
				}
			}
		})
	}
	work.Wait()
	close(stop)
	flow.Wait()
	if err := tr.Err(); err != nil {
		t.Errorf("the transport broke: %v", err)
	}
}
