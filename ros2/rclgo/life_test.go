// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/cdr"
)

// patience ends a test in which what must come does not.
const patience = 20 * time.Second

// await takes from c what comes first.
func await[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("%s: nothing came", what)
	}
	return v
}

// link makes a writer and a reader that match, and returns what the reader hears.
func link(t *testing.T, tr *Transport, topic string, maxSize int) (ros2.Writer, ros2.Reader, <-chan ros2.Sample) {
	t.Helper()
	heard, matched := make(chan ros2.Sample, 100), make(chan int, 1)
	r, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn(topic), MaxSampleSize: maxSize, OnSample: func(s ros2.Sample) {
		s.Payload = slices.Clone(s.Payload)
		heard <- s
	}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := endpointOn(topic)
	cfg.OnMatch = func(n int) {
		select {
		case matched <- n:
		default: // only the first is awaited
		}
	}
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
	if err != nil {
		t.Fatal(err)
	}
	if n := await(t, "match", matched); n != 1 {
		t.Fatalf("%d matched", n)
	}
	return w, r, heard
}

func text(t *testing.T, s string) []byte { return encode(t, &std_msgs.String{Data: s}) }

func TestSampleInfo(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/x", 0)
	before := time.Now()
	for i := range 3 {
		if err := w.Write(text(t, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		s := await(t, "message", heard)
		var m std_msgs.String
		if err := cdr.Unmarshal(s.Payload, &m); err != nil || m.Data != fmt.Sprint(i) {
			t.Errorf("message %d: %q, %v", i, m.Data, err)
		}
		if s.Info.Sequence != int64(i+1) || !s.Info.Publisher.IsZero() {
			t.Errorf("message %d: %+v", i, s.Info)
		}
		for _, stamp := range []time.Time{s.Info.SourceTime, s.Info.ReceivedTime} {
			if stamp.Before(before.Add(-time.Second)) || stamp.After(time.Now().Add(time.Second)) {
				t.Errorf("message %d: stamp %v", i, stamp)
			}
		}
	}
	if err := w.Write([]byte{0}); !errors.Is(err, ErrConfig) {
		t.Errorf("a message of one byte: %v", err)
	}
}

func TestReaderDropsWhatIsTooLarge(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/x", 100)
	for _, s := range []string{strings.Repeat("x", 1000), "small"} {
		if err := w.Write(text(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	if s := await(t, "message", heard); len(s.Payload) > 100 {
		t.Errorf("%d bytes were handed over", len(s.Payload))
	}
}

// TestEndpointsHaveTheirIdentity: every endpoint's GID is in the graph, and each has its own.
func TestEndpointsHaveTheirIdentity(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	want := map[ros2.GID]ros2.EndpointKind{}
	for range 3 {
		w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")})
		if err != nil {
			t.Fatal(err)
		}
		r, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}})
		if err != nil {
			t.Fatal(err)
		}
		want[w.GID()], want[r.GID()] = ros2.PublisherEndpoint, ros2.SubscriptionEndpoint
	}
	if len(want) != 6 {
		t.Fatalf("6 endpoints have %d identities", len(want))
	}
	for _, e := range tr.Graph().EndpointsOn("/x") {
		if kind, known := want[e.GID]; !known || kind != e.Kind || e.Node != name {
			t.Errorf("in the graph: %+v", e)
		}
		delete(want, e.GID)
	}
	if len(want) != 0 {
		t.Errorf("not in the graph: %v", want)
	}
}

// TestGraphTellsQoS: what an endpoint offers comes back out of the graph, for every profile.
func TestGraphTellsQoS(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	for i, q := range []ros2.QoS{
		ros2.DefaultQoS(), ros2.SensorDataQoS(), ros2.LatchedQoS(), ros2.TFStaticQoS(), ros2.RosoutQoS(),
		{Deadline: time.Second, LivelinessLease: 3 * time.Second, Liveliness: ros2.LivelinessManualByTopic},
		{Deadline: 1500 * time.Millisecond},
	} {
		cfg := endpointOn(fmt.Sprintf("/q%d", i))
		cfg.QoS = q
		if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); err != nil {
			t.Fatal(err)
		}
		on := tr.Graph().EndpointsOn(cfg.Topic)
		if len(on) != 1 {
			t.Fatalf("%v: %d endpoints", q, len(on))
		}
		got := on[0].QoS
		got.History, got.Depth, got.Lifespan = q.History, q.Depth, q.Lifespan // not in every middleware's discovery
		if got != q {
			t.Errorf("%+v became %+v", q, got)
		}
	}
}

// TestNodeOutlivesItsEndpoints: a node that was removed goes with its last endpoint, and takes no new ones.
func TestNodeOutlivesItsEndpoints(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	keeper := ros2.NodeName{Namespace: "/", Name: "keeper"}
	if err := tr.AddNode(keeper); err != nil {
		t.Fatal(err)
	}
	addNode(t, tr)
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.RemoveNode(name); err != nil {
		t.Fatal(err)
	}
	if err := tr.RemoveNode(name); err == nil {
		t.Error("removed twice")
	}
	if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/y")}); !errors.Is(err, ErrConfig) {
		t.Errorf("a new endpoint on a node that is leaving: %v", err)
	}
	if err := w.Write(text(t, "still here")); err != nil {
		t.Errorf("an endpoint of a node that is leaving: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if g := tr.Graph(); slices.Contains(g.Nodes, name) || !slices.Contains(g.Nodes, keeper) {
		t.Errorf("nodes %v", g.Nodes)
	}
}

// TestGraphWithoutNodes: rcl sees nothing without a node, and says nothing.
func TestGraphWithoutNodes(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	if g := tr.Graph(); len(g.Nodes)+len(g.Endpoints) != 0 {
		t.Errorf("%+v", g)
	}
	if n := tr.count(ros2.PublisherEndpoint, "/x"); n != 0 {
		t.Errorf("%d publishers", n)
	}
	changed := make(chan struct{}, 1000)
	defer tr.OnGraphChange(func() { changed <- struct{}{} })()
	for range 2 { // nodes come and go, and the graph is followed through others
		addNode(t, tr)
		await(t, "change", changed)
		if g := tr.Graph(); !slices.Contains(g.Nodes, name) {
			t.Errorf("nodes %v", g.Nodes)
		}
		if err := tr.RemoveNode(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCallbacksMayDoAnything but close their own endpoint: they make endpoints, close others, publish and look.
func TestCallbacksMayDoAnything(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	other, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/other"), OnSample: func(ros2.Sample) {}})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	var w ros2.Writer
	cfg := endpointOn("/x")
	cfg.OnMatch = func(n int) {
		if n == 0 {
			return
		}
		extra, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/extra")})
		if err == nil {
			err = errors.Join(extra.Write(encode(t, &std_msgs.String{})), extra.Close(), other.Close())
		}
		if len(tr.Graph().Nodes) == 0 {
			err = errors.Join(err, errors.New("no nodes in the graph"))
		}
		done <- err
	}
	if w, err = tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}}); err != nil {
		t.Fatal(err)
	}
	if err := await(t, "callback", done); err != nil {
		t.Error(err)
	}
	if err := w.Write(text(t, "x")); err != nil {
		t.Error(err)
	}
}

// TestEndpointsComeAndGoAtOnce has goroutines make, use and close endpoints while messages flow.
func TestEndpointsComeAndGoAtOnce(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	w, _, heard := link(t, tr, "/flow", 0)
	stop := make(chan struct{})
	var flow, work sync.WaitGroup
	flow.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-heard:
			default:
				if err := w.Write(encode(t, &std_msgs.String{Data: "flow"})); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for i := range 4 {
		work.Go(func() {
			for j := range 20 {
				for _, make := range makers(tr) {
					e, err := make()
					if err != nil {
						t.Errorf("%d.%d: %v", i, j, err)
						return
					}
					tr.Graph()
					if err := e.Close(); err != nil {
						t.Errorf("%d.%d: %v", i, j, err)
					}
				}
			}
		})
	}
	work.Wait()
	close(stop)
	flow.Wait()
	if err := tr.Err(); err != nil {
		t.Errorf("the transport broke: %v", err)
	}
}

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

// TestTypesAreLoadedOnce: the cache gives the same type support to all, at once, too.
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

// TestServiceMessagesThereAndBack: bytes through the C structure of a service and back are the same bytes.
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
