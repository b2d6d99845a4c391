// SPDX-License-Identifier: Apache-2.0

//go:build peers

package order_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order"
)

// gateway has the endpoints of a foreign process connected by a socket, see testdata/peer.py.
type gateway struct {
	t    *testing.T
	tr   ros2.ServiceTransport
	node ros2.NodeName
	conn net.Conn

	mu      sync.Mutex
	writers map[int]ros2.Writer
	readers []ros2.Reader
}

// line is a message on the socket.
type line struct {
	Endpoint int    `json:"endpoint"`
	Data     string `json:"data"`
}

// program returns the command line of a foreign process, but for the arguments that [foreign] adds.
type program func(t *testing.T) []string

// python is a process that uses the helper for rclpy.
func python(t *testing.T) []string {
	t.Helper()
	helper, err := filepath.Abs("../../../deploy/ros/epuck_fixed_order")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"/usr/bin/env", "PYTHONPATH=" + helper, "/usr/bin/python3", "-B", "testdata/peer.py"}
}

// cpp builds a process that uses the header for C++.
func cpp(t *testing.T) program {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Fatalf("no g++ (Debian: g++), which scripts/setup.sh installs: %v", err)
	}
	path := filepath.Join(t.TempDir(), "peer")
	cmd := exec.CommandContext(t.Context(), "g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
		"-I../../../deploy/ros/include", "-o", path, "testdata/peer.cpp")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("g++: %v\n%s", err, out)
	}
	return func(*testing.T) []string { return []string{path} }
}

// foreign starts a foreign process and serves it until it ends.
func foreign(t *testing.T, group *task.Group, tr ros2.ServiceTransport, command []string, name, kind string, slowness float64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	cmd := exec.CommandContext(t.Context(), command[0], append(command[1:], strconv.Itoa(port), name, kind, fmt.Sprint(slowness))...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s: %v", command[0], err)
	}
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{t: t, tr: tr, node: ros2.NodeName{Namespace: "/", Name: name}, conn: conn, writers: make(map[int]ros2.Writer)}
	if err := tr.AddNode(g.node); err != nil {
		t.Fatal(err)
	}
	g.open(0, "publisher", "/fixed_order/members")
	g.open(0, "subscription", "/fixed_order/leader")
	group.Go("gateway of a foreign process", func() {
		g.serve()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// open creates an endpoint.
func (g *gateway) open(number int, role, topic string) {
	var s std_msgs.String
	cfg := ros2.EndpointConfig{Node: g.node, Topic: topic, Type: s.ROSType(), TypeHash: s.TypeHash(), QoS: ros2.DefaultQoS().WithDepth(100)}
	if number > 0 {
		cfg.OnMatch = func(n int) { g.write(-number, make([]byte, n)) }
	}
	if role == "publisher" {
		w, err := g.tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
		if err != nil {
			g.t.Error(err)
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		g.writers[number] = w
		return
	}
	r, err := g.tr.NewReader(ros2.ReaderConfig{EndpointConfig: cfg, OnSample: func(s ros2.Sample) { g.write(number, s.Payload) }})
	if err != nil {
		g.t.Error(err)
		return
	}
	g.readers = append(g.readers, r)
}

func (g *gateway) write(number int, payload []byte) {
	text, err := json.Marshal(line{number, hex.EncodeToString(payload)})
	if err != nil {
		g.t.Error(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = g.conn.Write(append(text, '\n')) // its end is detected by the reader
}

// serve forwards the process's messages until it ends.
func (g *gateway) serve() {
	defer func() {
		for _, w := range g.writers {
			_ = w.Close()
		}
		for _, r := range g.readers {
			_ = r.Close()
		}
		_ = g.tr.RemoveNode(g.node)
		_ = g.conn.Close()
	}()
	in := bufio.NewReader(g.conn)
	for {
		text, err := in.ReadString('\n')
		if err != nil {
			return // it has ended; see its exit status
		}
		var m line
		err = json.Unmarshal([]byte(text), &m)
		payload, wrong := hex.DecodeString(m.Data)
		if err != nil || wrong != nil {
			g.t.Errorf("%q: %v, %v", text, err, wrong)
			return
		}
		if m.Endpoint < 0 { // a string: the role and the topic
			role, topic, _ := strings.Cut(string(payload[8:len(payload)-1]), " ")
			g.open(-m.Endpoint, role, topic)
			continue
		}
		g.mu.Lock()
		w := g.writers[m.Endpoint]
		g.mu.Unlock()
		if err := w.Write(payload); err != nil {
			g.t.Error(err)
		}
	}
}

// mixed is [mixedWith] processes of Python.
func mixed(t *testing.T, net ether, cfg order.Config, span time.Duration, strangers func(tr ros2.ServiceTransport) (arrivals int)) []order.Run {
	t.Helper()
	return mixedWith(t, python, net, cfg, span, strangers)
}

// mixedWith runs the swarm of four Go nodes in two processes, and two foreign processes, one of them slow now and then,
// and returns the record. strangers, which may be nil, publishes messages from outside once all are connected, and
// returns how many callbacks they cause.
func mixedWith(t *testing.T, peer program, net ether, cfg order.Config, span time.Duration,
	strangers func(tr ros2.ServiceTransport) (arrivals int)) []order.Run {
	t.Helper()
	var group task.Group
	gosched := func() {
		for range rand.IntN(4) {
			runtime.Gosched()
		}
	}
	var record []order.Run
	begun := make(chan struct{})
	cfg.Record = func(r order.Run) {
		if record = append(record, r); len(record) == 1 {
			close(begun)
		}
	}
	c := order.New(cfg)
	inner, far := net(), net()
	leader, err := order.Lead(c, order.LeaderConfig{Transport: inner, Members: []string{"go", "counter", "echo"}})
	if err != nil {
		t.Fatal(err)
	}
	first := &application{t: t, c: c, tr: c.Transport(inner)}
	sensorOf(first, first.node("left"), 0, gosched)
	filterOf(first, first.node("filter"), gosched)

	outer := late(net())
	other := &application{t: t, c: order.New(order.Config{})}
	other.tr = other.c.Transport(outer)
	sensorOf(other, other.node("right"), 1, gosched)
	plannerOf(other, other.node("planner"), gosched)
	m, err := order.Join(other.c, order.MemberConfig{Name: "go", Transport: outer})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	group.Go("a member", func() {
		if err := m.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	slow := rand.IntN(2)
	third, fourth := late(net()), late(net())
	foreign(t, &group, third, peer(t), "counter", "counter", float64(5*slow))
	foreign(t, &group, fourth, peer(t), "echo", "echo", float64(5*(1-slow)))
	said := make(chan int, 1)
	if strangers != nil {
		group.Go("strangers", func() {
			<-begun
			said <- strangers(far)
		})
	}
	if strangers != nil && cfg.Replay == nil { // until all their messages have arrived
		all := -1
		for all != cameFromOutside(record) {
			if err := leader.Advance(time.Time{}); err != nil {
				t.Fatal(err)
			}
			if all < 0 {
				all = <-said
			}
			runtime.Gosched()
		}
	}
	if err := leader.Advance(time.Time{}.Add(span)); err != nil {
		t.Fatal(err)
	}
	if err := leader.Close(); err != nil {
		t.Error(err)
	}
	group.Wait()
	for _, a := range []*application{first, other} {
		a.c.Close()
		for _, n := range a.nodes {
			if err := n.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, tr := range []ros2.ServiceTransport{inner, outer, third, fourth, far} {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	return record
}

// A swarm with four Go nodes and two foreign processes runs many times: on one processor or several, one callback at a
// time or all of a tag in parallel, with late and reordered messages and a slow process. The record, with the sums of
// all messages, is the same. EPUCK_TRACE_RUNS is the number of runs (6).
func TestTraceOfProcessesIsReproducible(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	runs := 6
	if text := os.Getenv("EPUCK_TRACE_RUNS"); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var first []order.Run
	for i := range runs {
		runtime.GOMAXPROCS(1 + i%max(2, runtime.NumCPU()))
		record := mixed(t, memory(), order.Config{Parallel: i%2 == 1}, 200*time.Millisecond, nil)
		if i == 0 {
			first = record
			outside := 0
			for _, r := range record {
				if r.Outside && r.Source.Name != "joined" {
					outside++
				}
			}
			if len(record) < 100 || outside > 0 {
				t.Fatalf("%d callbacks ran, %d of them for messages from outside:\n%s", len(record), outside, text(record))
			}
		} else if d := order.Difference(first, record); d != "" {
			t.Fatalf("run %d: %s", i+1, d)
		}
	}
	t.Logf("%d runs of %d callbacks: %x", runs, len(first), sha256.Sum256([]byte(text(first))))
}

// Processes in C++ have the same record as those in Python, one callback at a time and all of a tag in parallel.
func TestMembersInCPP(t *testing.T) {
	peer := cpp(t)
	want := mixed(t, memory(), order.Config{}, 200*time.Millisecond, nil)
	for _, parallel := range []bool{false, true} {
		got := mixedWith(t, peer, memory(), order.Config{Parallel: parallel}, 200*time.Millisecond, nil)
		if d := order.Difference(want, got); d != "" || len(got) < 100 {
			t.Errorf("%d callbacks, parallel %v: %s", len(got), parallel, d)
		}
	}
}

// Go nodes and foreign processes get messages from outside. A replay has the same record, whatever order these arrive
// in.
func TestReplayOfProcesses(t *testing.T) {
	messages := [][2]string{{"count", "7 7"}, {"scan", "theirs"}, {"count", "8"}, {"scan", "again"}}
	strangers := func(tr ros2.ServiceTransport) int {
		n, err := ros2.NewNode(ros2.NodeConfig{Name: "far", Transport: tr})
		if err != nil {
			t.Error(err)
			return 0
		}
		a := &application{t: t, tr: tr}
		say := map[string]func(string){"count": a.says(n, "count"), "scan": a.says(n, "scan")}
		for _, m := range messages {
			say[m[0]](m[1])
		}
		if err := n.Close(); err != nil {
			t.Error(err)
		}
		return 2*2 + 2*1 // "counts" has two subscriptions
	}
	record := mixed(t, memory(), order.Config{}, 100*time.Millisecond, strangers)
	for i := range 3 {
		rand.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
		again := mixed(t, memory(), order.Config{Replay: record, Parallel: i%2 == 1, Limit: time.Minute}, 100*time.Millisecond, strangers)
		if d := order.Difference(record, again); d != "" {
			t.Fatalf("replay %d: %s", i+1, d)
		}
	}
}
