// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// flickering is a transport whose server leaves and is back just when a request is
// sent: by the time the sender hears that there was none, the transport has told of both.
type flickering struct {
	ros2.ServiceTransport
	tell []bool // of the first request that is sent
}

type flickeringRequester struct {
	ros2.Requester
	t           *flickering
	onAvailable func(bool)
	sent        int
}

func (f *flickering) NewRequester(cfg ros2.ClientConfig) (ros2.Requester, error) {
	r, err := f.ServiceTransport.NewRequester(cfg)
	return &flickeringRequester{Requester: r, t: f, onAvailable: cfg.OnAvailable}, err
}

func (r *flickeringRequester) Send(sequence int64, payload []byte) error {
	if r.sent++; r.sent > 1 {
		return r.Requester.Send(sequence, payload)
	}
	for _, available := range r.t.tell {
		r.onAvailable(available)
	}
	return ros2.ErrNoServer
}

// TestServerThatIsBackAtOnce: what the transport tells last holds, whatever a sender found before.
func TestServerThatIsBackAtOnce(t *testing.T) {
	for name, tell := range map[string][]bool{"told of both": {false, true}, "told of neither": nil} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, tr *ros2test.Transport) {
				newService(t, newNode(t, tr, "server"), shout)
				c := newClient(t, newNode(t, &flickering{tr, tell}, "client"))
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				reply, err := c.Call(ctx, &chatter{Text: "a"})
				if err != nil || reply.Text != "A" || !c.Available() {
					t.Errorf("reply %v, %v; available %v", reply, err, c.Available())
				}
			})
		})
	}
}

// TestServerThatStaysAway: a call does not spin until it is back, and ends with its context.
func TestServerThatStaysAway(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		newService(t, newNode(t, tr, "server"), shout)
		c := newClient(t, newNode(t, &flickering{tr, []bool{false}}, "client"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := c.Call(ctx, &chatter{Text: "a"})
			done <- err
		}()
		synctest.Wait()
		if c.Available() {
			t.Error("a server is there")
		}
		if err := <-done; !errors.Is(err, ros2.ErrNoServer) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call ended with %v", err)
		}
	})
}
