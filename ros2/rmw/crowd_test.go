// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// TestNewParticipantAmong300: a new participant discovers the nodes of 300 running participants, each with the
// endpoints of a standard node, they discover it, and none reaches a limit. To save 90,000 pairs, the 300 do not
// receive each other's messages, which does not affect the new one.
func TestNewParticipantAmong300(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const perHost = 3
		others := 300
		if !suite.Long {
			others = 90 // more than 64, an earlier limit
		}
		n := vnet.New(vnet.Config{})
		late := n.Host(254)
		n.Screen(func(from, to netip.Addr) bool { return from == late.Addr() || to == late.Addr() })
		var all []*Transport
		for i := range others {
			tr := open(t, n.Host(byte(1+i/perHost)))
			if _, err := ros2.NewNode(ros2.NodeConfig{Name: fmt.Sprint("n", i), Transport: tr, Standard: true}); err != nil {
				t.Fatal(err)
			}
			all = append(all, tr)
		}
		time.Sleep(5 * time.Second)
		var log bytes.Buffer
		tr, err := New(Config{Network: late, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))})
		if err != nil {
			t.Fatal(err)
		}
		if err := tr.AddNode(ros2.NodeName{Name: "late", Namespace: "/"}); err != nil {
			t.Fatal(err)
		}
		began, nodes := time.Now(), 0
		for ; nodes < others+1 && time.Since(began) < 20*time.Second; time.Sleep(100 * time.Millisecond) {
			nodes = len(tr.Graph().Nodes)
		}
		t.Logf("%d nodes seen after %v of the network's time", nodes, time.Since(began))
		if nodes != others+1 {
			t.Errorf("%d of %d nodes", nodes, others+1)
		}
		time.Sleep(5 * time.Second)
		if endpoints := len(tr.Graph().Endpoints); endpoints < others*8 {
			t.Errorf("%d endpoints of %d nodes", endpoints, others)
		}
		for i, other := range all {
			if got := len(other.Graph().Nodes); got != 2 {
				t.Errorf("transport %d sees %d nodes", i, got)
			}
		}
		s := tr.Participant().Stats()
		t.Logf("in ten seconds %d datagrams of %d kB sent, %d of %d kB received; %d endpoints known",
			s.DatagramsSent, s.BytesSent/1000, s.DatagramsReceived, s.BytesReceived/1000, s.Endpoints)
		if s.Participants != others || s.Dropped[rtps.DropParticipantLimit] != 0 {
			t.Errorf("%d participants, %d refused", s.Participants, s.Dropped[rtps.DropParticipantLimit])
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if log.Len() > 0 {
			t.Errorf("the newcomer warns of\n%s", log.String())
		}
	})
}
