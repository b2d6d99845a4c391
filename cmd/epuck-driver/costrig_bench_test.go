// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package main

import (
	"net"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/udp"
)

// abyss is the network of a participant whose readers are there but never hear: once it is open, user traffic goes
// through the kernel to a socket that is not read. So sending is counted whole, and nothing of the other end.
type abyss struct {
	udp.System
	open atomic.Bool
	to   netip.AddrPort
}

func newAbyss(b *testing.B) *abyss {
	b.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return &abyss{to: netip.MustParseAddrPort(c.LocalAddr().String())}
}

func (a *abyss) Listen(cfg udp.Config) (udp.Sockets, error) {
	s, err := a.System.Listen(cfg)
	if err != nil {
		return nil, err
	}
	return abyssSockets{s, a}, nil
}

type abyssSockets struct {
	udp.Sockets
	a *abyss
}

func (s abyssSockets) Send(datagram []byte, to netip.AddrPort, t udp.Traffic) error {
	if t == udp.UserTraffic && s.a.open.Load() {
		to = s.a.to
	}
	return s.Sockets.Send(datagram, to, t)
}

func (s abyssSockets) SendBatch(list []udp.Datagram, t udp.Traffic) (int, error) {
	if t == udp.UserTraffic && s.a.open.Load() {
		for i := range list {
			list[i].To = s.a.to
		}
	}
	return s.Sockets.(udp.BatchSender).SendBatch(list, t)
}

// costRig is a robot on such a network, and a user in the same program.
type costRig struct {
	*targetRobot
	abyss *abyss
	user  *ros2.Node
}

// costTransport is one of the domain of this program alone.
func costTransport(b *testing.B, n udp.Network) *rmw.Transport {
	b.Helper()
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		b.Fatal(err)
	}
	cfg.Network = n
	t, err := rmw.New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

// newCostRig makes one. The user hears the topics whose names begin so, and each of them has been heard once.
func newCostRig(b *testing.B, topics ...string) *costRig {
	b.Helper()
	r := &costRig{abyss: newAbyss(b)}
	r.targetRobot = newTargetRobotOn(b, costTransport(b, r.abyss), false)
	transport := costTransport(b, udp.System{})
	b.Cleanup(func() { _ = transport.Close() })
	var err error
	if r.user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: transport}); err != nil {
		b.Fatal(err)
	}
	wanted := 0
	for _, t := range table.Topics() {
		for _, name := range t.Names() {
			if t.Direction == table.Published && begins(name, topics) {
				r.hear(b, t, name, func() {})
				wanted++
			}
		}
	}
	r.await(b, wanted)
	r.wait(b, 40)
	r.abyss.open.Store(true)
	r.wait(b, 40)
	return r
}

func begins(name string, topics []string) bool {
	for _, t := range topics {
		if strings.HasPrefix(name, t) {
			return true
		}
	}
	return false
}

// hear subscribes the user to a topic.
func (r *costRig) hear(b *testing.B, t table.Topic, name string, came func()) {
	b.Helper()
	if name[0] != '/' {
		name = "/" + name
	}
	_, err := r.user.Transport().NewReader(ros2.ReaderConfig{
		EndpointConfig: ros2.EndpointConfig{Node: r.user.Name(), Topic: name, Type: t.Type, QoS: t.QoS},
		OnSample:       func(ros2.Sample) { came() },
	})
	if err != nil {
		b.Fatal(err)
	}
}

// await returns when every part is there, and as many topics are subscribed, or all that there are.
func (r *costRig) await(b *testing.B, topics int) {
	b.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		r.wait(b, 1)
		status, missing := r.driver.Status(), 0
		for _, part := range status.Parts {
			if part.State != device.Running {
				missing++
			}
		}
		if missing == 0 && status.Subscribed() >= min(topics, len(status.Topics)) {
			return
		}
	}
	b.Fatal("parts or subscriptions are missing")
}
