// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// lockedLog is a log that several goroutines may write to.
type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestFloodOfServiceCallsIsBounded: calls beyond the bound are not kept.
func TestFloodOfServiceCallsIsBounded(t *testing.T) {
	floodServiceCalls(t, func() uint64 { return 0 })
}

// floodServiceCalls: while a handler is busy, calls of a client that does not wait for answers are
// queued up to a bound in number and bytes; the others cause one log line, and the service answers afterwards.
//
// memory returns the size of reachable memory, bytes.
func floodServiceCalls(t *testing.T, memory func() uint64) {
	t.Helper()
	share := 10 // of the calls: the bounds are far below
	if suite.Long {
		share = 1
	}
	for name, c := range map[string]struct {
		calls, size int
		most        int64 // that are answered: those queued, and the one being handled
	}{
		"small requests":  {50_000 / share, 10, 1000 + 2},
		"large requests":  {2_000 / share, 100_000, 1<<20/100_000 + 2},
		"huge requests":   {50 / share, 4 << 20, 1 + 2},
		"broken requests": {50_000 / share, -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, tr *ros2test.Transport) {
				var log lockedLog
				node, err := ros2.NewNode(ros2.NodeConfig{Name: "server", Transport: tr, Logger: slog.New(slog.NewTextHandler(&log, nil))})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = node.Close() }()
				release := make(chan struct{})
				var answered atomic.Int64
				newService(t, node, func(ctx context.Context, request *chatter) (*chatter, error) {
					select {
					case <-release:
					case <-ctx.Done():
					}
					answered.Add(1)
					return request, nil
				})
				flood(t, tr, c.calls, c.size)
				before := memory()
				close(release)
				time.Sleep(time.Second)
				if held := before - min(before, memory()); held > 16<<20 {
					t.Errorf("%d MB were held for requests", held>>20)
				}
				if n := answered.Load(); n > c.most {
					t.Errorf("%d of %d requests were kept, at most %d may be", n, c.calls, c.most)
				}
				if lines := strings.Count(log.String(), "request not answered"); lines != 1 {
					t.Errorf("%d log lines of %d requests:\n%.1000s", lines, c.calls, log.String())
				}
				client := newClient(t, node)
				if r, err := client.Call(t.Context(), &chatter{Text: "still there"}); err != nil || r.Text != "still there" {
					t.Errorf("%+v, %v", r, err)
				}
			})
		})
	}
}

// flood sends requests without waiting for answers; a negative size makes them undecodable.
func flood(t *testing.T, tr *ros2test.Transport, calls, size int) {
	t.Helper()
	requester, err := tr.NewRequester(ros2.ClientConfig{
		ServiceConfig: ros2.ServiceConfig{Node: ros2.NodeName{Namespace: "/", Name: "attacker"}, Name: "/echo", Type: echo{}.ROSType(), QoS: ros2.ServicesQoS()},
		OnReply:       func(int64, ros2.Sample) {}, OnAvailable: func(bool) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = requester.Close() }()
	payload := []byte{0, 1, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255}
	if size >= 0 {
		if payload, err = cdr.Marshal(nil, &chatter{Blob: make([]byte, size)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range calls {
		if err := requester.Send(int64(i+1), payload); err != nil {
			t.Fatal(err)
		}
	}
}
