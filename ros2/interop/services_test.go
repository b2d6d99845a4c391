// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/rcl_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security"
)

// startNode creates a node with the standard services.
func startNode(t *testing.T, domain uint32) *ros2.Node {
	t.Helper()
	return startSecuredNode(t, domain, security.Settings{})
}

// startSecuredNode is startNode with keys.
func startSecuredNode(t *testing.T, domain uint32, keys security.Settings) *ros2.Node {
	t.Helper()
	needNamespace(t)
	log := &lockedBuffer{}
	transport, err := rmw.New(rmw.Config{DomainID: domain, Security: keys, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: transport, Standard: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		if err := transport.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("our node's transport said:\n%s", log.tail(30))
		}
	})
	return n
}

// reply waits for the reply with this number, the next of a client.
func (p *peer) reply(id string, number int) event {
	p.t.Helper()
	e := p.await("reply of "+id, func(e event) bool { return e.Event == "reply" && e.ID == id })
	if e.Number != number {
		p.t.Fatalf("%s: %s: reply to request %d when %d was due", p.name, id, e.Number, number)
	}
	return e
}

// TestPeersCallUs: programs with the mappings of rmw_cyclonedds and rmw_fastrtps call our server concurrently. Each
// gets all replies to its requests, in its own form, and no others.
func TestPeersCallUs(t *testing.T) {
	domain := newDomain()
	n := startNode(t, domain)
	for name, value := range map[string]ros2.ParameterValue{
		"wheel_radius": ros2.DoubleValue(0.0205), "name": ros2.StringValue("e-puck"), "cells": ros2.IntegerValue(-8),
	} {
		if _, err := n.DeclareParameter(ros2.ParameterDescriptor{Name: name, Default: value}); err != nil {
			t.Fatal(err)
		}
	}
	var called atomic.Int64
	if _, err := ros2.NewService(n, std_srvs.Trigger{}, "reset",
		func(context.Context, *std_srvs.TriggerRequest) (*std_srvs.TriggerResponse, error) {
			return &std_srvs.TriggerResponse{Success: true, Message: fmt.Sprint("call ", called.Add(1))}, nil
		}); err != nil {
		t.Fatal(err)
	}
	var peers []*peer
	for _, s := range stacks {
		p := s.start(t, domain, 0)
		p.send("client reset trigger reset")
		p.send("client get get_parameters robot/get_parameters")
		peers = append(peers, p)
	}
	for _, p := range peers {
		p.matched("reset", 1)
		p.matched("get", 1)
	}
	const rounds = 4
	together := ros2.ServicesQoS().EffectiveDepth() / len(peers) // the replies that the server keeps
	answers := map[string]bool{}
	for first := 1; first <= rounds*together; first += together {
		for range together { // without waiting for a reply
			for _, p := range peers {
				p.send("call reset")
				p.send("call get name cells wheel_radius")
			}
		}
		for _, p := range peers {
			for i := first; i < first+together; i++ {
				if e := p.reply("reset", i); !e.Success || answers[e.Data] {
					t.Errorf("%s: %s", p.name, e.line)
				} else {
					answers[e.Data] = true
				}
				if e := p.reply("get", i); !slices.Equal(e.Texts, []string{"e-puck", "-8", "0.020500000000000001"}) {
					t.Errorf("%s: %s", p.name, e.line)
				}
			}
		}
	}
	for _, p := range peers {
		p.quit()
	}
	if got := called.Load(); got != int64(len(peers)*rounds*together) {
		t.Errorf("the handler ran %d times", got)
	}
}

// TestWeCallPeers: our clients call servers of both mappings, which receive the requests in their own form.
func TestWeCallPeers(t *testing.T) {
	eachStack(t, func(t *testing.T, s *stack, domain uint32) {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		p := s.start(t, domain, 0)
		p.send("server reset trigger reset")
		p.send("server get get_parameters get_parameters")
		n := startNode(t, domain)
		reset, err := ros2.NewClient(n, std_srvs.Trigger{}, "reset")
		if err != nil {
			t.Fatal(err)
		}
		get, err := ros2.NewClient(n, rcl_interfaces.GetParameters{}, "get_parameters")
		if err != nil {
			t.Fatal(err)
		}
		const calls = 10
		for i := range calls {
			done, err := reset.Call(ctx, &std_srvs.TriggerRequest{})
			if err != nil {
				t.Fatalf("trigger: %v", err)
			}
			if !done.Success || done.Message != "triggered" {
				t.Errorf("trigger: %+v", done)
			}
			names := []string{"a", fmt.Sprint("parameter", i)}
			values, err := get.Call(ctx, &rcl_interfaces.GetParametersRequest{Names: names})
			if err != nil {
				t.Fatalf("get_parameters: %v", err)
			}
			if len(values.Values) != len(names) {
				t.Fatalf("%d values", len(values.Values))
			}
			for j, v := range values.Values {
				if want := "value of " + names[j]; v.Type != 4 || v.StringValue != want {
					t.Errorf("%+v, not %q", v, want)
				}
			}
			if got := p.request("get"); !slices.Equal(got, names) {
				t.Errorf("the peer's server was asked for %q, not %q", got, names)
			}
		}
		for range calls {
			p.request("reset")
		}
		if e, more := p.events.awaitWithin(0, func(e event) bool { return e.Event == "request" }); more {
			t.Errorf("the peer got a request too many: %s", e.line)
		}
	})
}

// request waits for the next request of a server and returns its texts.
func (p *peer) request(id string) []string {
	p.t.Helper()
	return p.await("request at "+id, func(e event) bool { return e.Event == "request" && e.ID == id }).Texts
}

// TestBothMappingsServe: with a server of each mapping on the network, one call gets one reply.
func TestBothMappingsServe(t *testing.T) {
	domain := newDomain()
	n := startNode(t, domain)
	c, err := ros2.NewClient(n, std_srvs.Trigger{}, "reset")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	var peers []*peer
	for _, s := range stacks {
		p := s.start(t, domain, 0)
		p.send("server reset trigger reset")
		p.matched("reset", 1)
		peers = append(peers, p)
	}
	const calls = 5
	for range calls {
		if done, err := c.Call(ctx, &std_srvs.TriggerRequest{}); err != nil || done.Message != "triggered" {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	for _, p := range peers {
		p.quit()
	}
}
