// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// stoppedTerminal does not return until it is released.
type stoppedTerminal struct{ release chan struct{} }

func (s stoppedTerminal) Write(b []byte) (int, error) {
	<-s.release
	return len(b), nil
}

// TestBlockedLoggerDelaysNoMessage: a blocked logger delays only the log lines about a bad message or request: the next
// messages are handled, and the node closes.
func TestBlockedLoggerDelaysNoMessage(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		term := stoppedTerminal{make(chan struct{})}
		defer close(term.release)
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr, Logger: slog.New(slog.NewTextHandler(term, nil))})
		if err != nil {
			t.Fatal(err)
		}
		sender := newNode(t, tr, "sender")
		liar, err := ros2.NewPublisher[impostor](sender, "x", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		good := newPublisher(t, sender, "x", ros2.DefaultQoS())
		_, box := subscribe(t, n, "x", ros2.DefaultQoS())
		newService(t, n, shout)
		c := newClient(t, sender)
		for range 3 {
			if err := liar.Publish(&impostor{other{true}}); err != nil {
				t.Fatal(err)
			}
			if err := good.Publish(new(chatter)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = c.Call(ctx, &chatter{Text: "mute"}) // the error of the handler is logged
			}()
			synctest.Wait()
			cancel()
			<-ended
			if reply, err := c.Call(t.Context(), &chatter{Text: "a"}); err != nil || reply.Text != "A" {
				t.Errorf("reply %v, %v", reply, err)
			}
		}
		if len(box.heard()) != 3 {
			t.Errorf("%d messages", len(box.heard()))
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
}
