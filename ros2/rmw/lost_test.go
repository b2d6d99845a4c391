// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// failingNetwork is a network whose sockets can fail.
type failingNetwork struct {
	offline
	lost func(error)
}

func (d *failingNetwork) Listen(udp.Config) (udp.Sockets, error) { return d, nil }

func (d *failingNetwork) Serve(_ func([]byte, netip.AddrPort, udp.Traffic), lost func(error)) {
	d.lost = lost
}

// TestLostNetworkEndsTransport: nodes and drivers are notified that no command can arrive any more, with the reason.
func TestLostNetworkEndsTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := &failingNetwork{}
		tr := open(t, network)
		node := newNode(t, tr, "n", nil)
		if err := tr.Err(); err != nil {
			t.Fatal(err)
		}
		cause := errors.New("cable cut")
		network.lost(errors.Join(udp.ErrLost, cause))
		network.lost(errors.New("another socket")) // the first counts
		<-node.Done()
		if err := node.Err(); !errors.Is(err, udp.ErrLost) || !errors.Is(err, cause) {
			t.Errorf("got %v", err)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if err := tr.Err(); !errors.Is(err, ros2.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		if err := node.Close(); err != nil && !errors.Is(err, ros2.ErrClosed) {
			t.Error(err)
		}
	})
}
