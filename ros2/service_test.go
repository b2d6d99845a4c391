// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// echo is a service whose request and response are chatters.
type echo struct{}

func (echo) ROSType() string           { return "test_msgs/srv/Echo" }
func (echo) New() (*chatter, *chatter) { return new(chatter), new(chatter) }

// shout answers with the text in capitals; "mute" gets no answer.
func shout(_ context.Context, request *chatter) (*chatter, error) {
	if request.Text == "mute" {
		return nil, errors.New("no voice")
	}
	return &chatter{Count: request.Count, Text: strings.ToUpper(request.Text)}, nil
}

func newService(t testing.TB, n *ros2.Node, handler ros2.Handler[chatter, chatter]) *ros2.Service[chatter, chatter] {
	t.Helper()
	s, err := ros2.NewService(n, echo{}, "echo", handler)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newClient(t testing.TB, n *ros2.Node) *ros2.Client[chatter, chatter] {
	t.Helper()
	c, err := ros2.NewClient(n, echo{}, "echo")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bubble runs a check in simulated time on a separate transport.
func bubble(t *testing.T, check func(t *testing.T, tr *ros2test.Transport)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tr := ros2test.NewTransport()
		defer tr.Close()
		check(t, tr)
	})
}

func TestCallEnds(t *testing.T) {
	never := func(ctx context.Context, _ *chatter) (*chatter, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for name, c := range map[string]struct {
		handler ros2.Handler[chatter, chatter]
		text    string
		end     func(s *ros2.Service[chatter, chatter], c *ros2.Client[chatter, chatter], cancel context.CancelFunc)
		want    error
	}{
		"handler fails": {shout, "mute", nil, context.DeadlineExceeded},
		"no response":   {func(context.Context, *chatter) (*chatter, error) { return nil, nil }, "", nil, context.DeadlineExceeded},
		"response too long": {func(context.Context, *chatter) (*chatter, error) {
			return &chatter{Text: strings.Repeat("x", 1001)}, nil
		}, "", nil, context.DeadlineExceeded},
		"cancelled": {never, "", func(_ *ros2.Service[chatter, chatter], _ *ros2.Client[chatter, chatter], cancel context.CancelFunc) {
			cancel()
		}, context.Canceled},
		"server leaves": {never, "", func(s *ros2.Service[chatter, chatter], _ *ros2.Client[chatter, chatter], _ context.CancelFunc) {
			s.Close()
		}, ros2.ErrNoServer},
		"client closes": {never, "", func(_ *ros2.Service[chatter, chatter], c *ros2.Client[chatter, chatter], _ context.CancelFunc) {
			c.Close()
		}, ros2.ErrClosed},
		"request is too big": {shout, strings.Repeat("x", 1001), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, tr *ros2test.Transport) {
				s, asker := newService(t, newNode(t, tr, "server"), c.handler), newClient(t, newNode(t, tr, "asker"))
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				answer := make(chan error, 1)
				go func() {
					_, err := asker.Call(ctx, &chatter{Text: c.text})
					answer <- err
				}()
				synctest.Wait()
				if c.end != nil {
					c.end(s, asker, cancel)
				}
				if err := <-answer; err == nil || (c.want != nil && !errors.Is(err, c.want)) {
					t.Errorf("the call ended with %v, want %v", err, c.want)
				}
			})
		})
	}
}

func TestServiceHandlesOneRequestAtATimeAndBoundsTheQueue(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n, log, _ := loggingNode(t, tr, "n")
		gate := make(chan struct{})
		at, most := 0, 0
		newService(t, n, func(_ context.Context, r *chatter) (*chatter, error) {
			at++
			most = max(most, at)
			<-gate
			at--
			return r, nil
		})
		c := newClient(t, n)
		var mu sync.Mutex
		var answered, lost int
		var wg sync.WaitGroup
		for range 1010 {
			synctest.Wait() // until the handler has received the first
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := c.Call(ctx, new(chatter))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					answered++
				} else {
					lost++
				}
			})
		}
		synctest.Wait()
		close(gate)
		wg.Wait()
		if most != 1 || answered != 1001 || lost != 9 { // one being handled, a thousand waiting
			t.Errorf("%d at a time, %d answered, %d lost", most, answered, lost)
		}
		if got := strings.Count(log.String(), "request not answered"); got != 1 {
			t.Errorf("%d log lines for 9 dropped requests at one instant:\n%s", got, log)
		}
	})
}

// Long requests are bounded by their bytes.
func TestServiceBoundsTheBytesThatWait(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n")
		gate := make(chan struct{})
		newService(t, n, func(_ context.Context, r *chatter) (*chatter, error) {
			<-gate
			return &chatter{}, nil
		})
		c := newClient(t, n)
		var answered atomic.Int64
		var wg sync.WaitGroup
		for i := range 4 {
			synctest.Wait() // until the handler has received the first
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				// The second and third fit a mebibyte, the fourth does not.
				if _, err := c.Call(ctx, &chatter{Blob: make([]byte, 400_000+i)}); err == nil {
					answered.Add(1)
				}
			})
		}
		synctest.Wait()
		close(gate)
		wg.Wait()
		if answered.Load() != 3 {
			t.Errorf("%d answered, want 3", answered.Load())
		}
	})
}

func TestServiceErrors(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n := newNode(t, tr, "n")
		if _, err := ros2.NewService(n, echo{}, "bad name", shout); !errors.Is(err, ros2.ErrInvalidName) {
			t.Errorf("service with a bad name: %v", err)
		}
		if _, err := ros2.NewClient(n, echo{}, "bad name"); !errors.Is(err, ros2.ErrInvalidName) {
			t.Errorf("client with a bad name: %v", err)
		}
		s, c := newService(t, n, shout), newClient(t, n)
		n.Close()
		for what, err := range map[string]error{"Service.Close": s.Close(), "Client.Close": c.Close()} {
			if err != nil {
				t.Errorf("%s after the node closed: %v", what, err)
			}
		}
		_, callErr := c.Call(t.Context(), new(chatter))
		_, newErr := ros2.NewService(n, echo{}, "echo", shout)
		_, clientErr := ros2.NewClient(n, echo{}, "echo")
		for what, err := range map[string]error{"Call": callErr, "NewService": newErr, "NewClient": clientErr} {
			if !errors.Is(err, ros2.ErrClosed) {
				t.Errorf("%s after the node closed: %v", what, err)
			}
		}
	})
}
