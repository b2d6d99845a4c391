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

// flickering is a transport whose server leaves and returns while a request is being sent: when Send returns
// ErrNoServer, the transport has already reported both.
type flickering struct {
	ros2.ServiceTransport
	reports []bool // reported during the first Send
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
	for _, available := range r.t.reports {
		r.onAvailable(available)
	}
	return ros2.ErrNoServer
}

// TestCallWhenServerReturnsDuringSend: a call succeeds if the transport's last report was that a server is available,
// even if Send returned ErrNoServer.
func TestCallWhenServerReturnsDuringSend(t *testing.T) {
	for name, reports := range map[string][]bool{"both reported": {false, true}, "neither reported": nil} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, tr *ros2test.Transport) {
				newService(t, newNode(t, tr, "server"), shout)
				c := newClient(t, newNode(t, &flickering{tr, reports}, "client"))
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

// TestCallWithoutServerDoesNotBusyWait: a call does not busy-wait for the server, and ends with its context.
func TestCallWithoutServerDoesNotBusyWait(t *testing.T) {
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
