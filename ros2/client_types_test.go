// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// otherEcho is echo under the name of another type.
type otherEcho struct{ echo }

func (otherEcho) ROSType() string { return "test_msgs/srv/Other" }

// A client does not wait without limit if the service has another type: the error names both types.
func TestClientReportsServerOfAnotherType(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		server, asker := newNode(t, tr, "server"), newNode(t, tr, "asker")
		if _, err := ros2.NewService(server, otherEcho{}, "echo", shout); err != nil {
			t.Fatal(err)
		}
		c, began := newClient(t, asker), time.Now()
		_, err := c.Call(t.Context(), &chatter{})
		if !errors.Is(err, ros2.ErrServiceType) || !strings.Contains(err.Error(), "/echo: service of another type: it is a test_msgs/srv/Other, the client's is a test_msgs/srv/Echo") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("after %v", took)
		}
		newService(t, server, shout)
		if _, err := c.Call(t.Context(), &chatter{Text: "a"}); err != nil {
			t.Errorf("with another server of the right type: %v", err)
		}
	})
}

// A client waits for a late server, however long, and clients of another type do not matter.
func TestClientWaitsForLateServer(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		server, asker := newNode(t, tr, "server"), newNode(t, tr, "asker")
		if _, err := ros2.NewClient(server, otherEcho{}, "echo"); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Hour, func() { newService(t, server, shout) })
		if _, err := newClient(t, asker).Call(t.Context(), &chatter{Text: "a"}); err != nil {
			t.Error(err)
		}
		short, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c, err := ros2.NewClient(asker, otherEcho{}, "nowhere")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Call(short, &chatter{}); !errors.Is(err, ros2.ErrNoServer) || errors.Is(err, ros2.ErrServiceType) {
			t.Errorf("%v", err)
		}
	})
}
