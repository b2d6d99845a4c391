// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestNewcomerSeesAllNodes: among more participants than an earlier limit of 64 a newcomer sees every node, and all of
// them see it.
func TestNewcomerSeesAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const others = 70
		n := vnet.New(vnet.Config{})
		var all []*Transport
		for i := range others + 1 {
			tr, err := New(Config{Network: n.Host(byte(1 + i/4))})
			if err != nil {
				t.Fatal(err)
			}
			defer tr.Close()
			if err := tr.AddNode(ros2.NodeName{Name: fmt.Sprint("n", i), Namespace: "/"}); err != nil {
				t.Fatal(err)
			}
			if all = append(all, tr); i == others-1 {
				time.Sleep(5 * time.Second) // the last one comes late
			}
		}
		time.Sleep(5 * time.Second)
		for i, tr := range all {
			if got := len(tr.Graph().Nodes); got != others+1 {
				t.Errorf("transport %d sees %d nodes", i, got)
			}
			if s := tr.Participant().Stats(); s.Dropped[rtps.DropParticipantLimit] != 0 {
				t.Errorf("transport %d was full", i)
			}
		}
	})
}
