// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestRepliesFindTheirRequests: replies out of order, each from another goroutine, and a server that closes first.
func TestRepliesFindTheirRequests(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	asked := make(chan ros2.Request, 10)
	s, err := tr.NewServer(ros2.ServerConfig{ServiceConfig: setBool(), OnRequest: func(r ros2.Request) {
		r.Payload = slices.Clone(r.Payload)
		asked <- r
	}})
	if err != nil {
		t.Fatal(err)
	}
	available, replies := make(chan bool, 4), make(chan [2]string, 10)
	c, err := tr.NewRequester(ros2.ClientConfig{
		ServiceConfig: setBool(), OnAvailable: func(a bool) { available <- a },
		OnReply: func(n int64, sample ros2.Sample) {
			var m std_srvs.SetBoolResponse
			if err := cdr.Unmarshal(sample.Payload, &m); err != nil {
				t.Error(err)
			}
			replies <- [2]string{fmt.Sprint(n), m.Message}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	await(t, "server", available)
	var requests []ros2.Request
	for i := range 4 {
		if err := c.Send(int64(100+i), encode(t, &std_srvs.SetBoolRequest{Data: i%2 == 0})); err != nil {
			t.Fatal(err)
		}
		requests = append(requests, await(t, "request", asked))
	}
	for i := range slices.Backward(requests[:3]) {
		var m std_srvs.SetBoolRequest
		if err := cdr.Unmarshal(requests[i].Payload, &m); err != nil || m.Data != (i%2 == 0) {
			t.Errorf("request %d: %+v, %v", i, m, err)
		}
		go func() {
			if err := requests[i].Respond(encode(t, &std_srvs.SetBoolResponse{Message: fmt.Sprint(100 + i)})); err != nil {
				t.Error(err)
			}
		}()
		if got := await(t, "reply", replies); got[0] != fmt.Sprint(100+i) || got[0] != got[1] {
			t.Errorf("the reply to %s says %s", got[0], got[1])
		}
	}
	if err := requests[3].Respond([]byte{1, 2}); !errors.Is(err, ErrConfig) {
		t.Errorf("a reply of two bytes: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := requests[3].Respond(encode(t, &std_srvs.SetBoolResponse{})); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("a reply after Close: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Send(9, encode(t, &std_srvs.SetBoolRequest{})); !errors.Is(err, ros2.ErrClosed) {
		t.Errorf("a request after Close: %v", err)
	}
}

func setBool() ros2.ServiceConfig {
	c := trigger("/set")
	c.Type = std_srvs.SetBool{}.ROSType()
	return c
}

// TestTypesAreLoadedOnce: the cache returns the same type support to all callers, also concurrently.
func TestTypesAreLoadedOnce(t *testing.T) {
	var c typeCache
	var wg sync.WaitGroup
	got := make([]any, 16)
	for i := range got {
		wg.Go(func() {
			support, err := c.message("std_msgs/msg/Int32")
			if err != nil {
				t.Error(err)
			}
			got[i] = support
		})
	}
	wg.Wait()
	for _, g := range got[1:] {
		if g != got[0] {
			t.Error("one type has several supports")
		}
	}
}

// TestInterfacesOfActions: the feedback of an action and its services have type supports, as messages and services do.
func TestInterfacesOfActions(t *testing.T) {
	var c typeCache
	if _, err := c.message("example_interfaces/action/Fibonacci_FeedbackMessage"); err != nil {
		t.Error(err)
	}
	for _, service := range []string{"SendGoal", "GetResult"} {
		if _, err := c.service("example_interfaces/action/Fibonacci_" + service); err != nil {
			t.Error(err)
		}
	}
}

// TestServiceMessagesThereAndBack: conversion to the C structure of a service and back yields the same bytes.
func TestServiceMessagesThereAndBack(t *testing.T) {
	var c typeCache
	s, err := c.service("rcl_interfaces/srv/ListParameters")
	if err != nil {
		t.Fatal(err)
	}
	var e cdr.Encoder
	e.Reset(nil)
	e.SeqLen(2)
	e.String("a longer name than fits into a word")
	e.String("")
	e.Uint64(7)
	want := slices.Clone(e.Bytes())
	p := s.request.PrepareMemory()
	defer s.request.ReleaseMemory(p)
	in, out := encoded{of: &s.request, payload: want}, encoded{of: &s.request}
	if s.request.AsCStruct(p, &in); in.err != nil {
		t.Fatal(in.err)
	}
	if s.request.AsGoStruct(&out, p); out.err != nil || !slices.Equal(out.payload, want) {
		t.Errorf("% x became % x, %v", want, out.payload, out.err)
	}
	if m, ok := s.request.New().(*encoded); !ok || m.GetTypeSupport() != s.Request() || m.payload != nil {
		t.Errorf("an empty message: %+v", m)
	}
	if m, ok := out.CloneMsg().(*encoded); !ok || !slices.Equal(m.payload, want) {
		t.Errorf("a clone: %+v", m)
	}
	if out.SetDefaults(); out.payload != nil {
		t.Errorf("emptied: %+v", out)
	}
}
