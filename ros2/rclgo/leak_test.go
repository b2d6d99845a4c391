// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo/internal/cheap"
)

// grows returns how many bytes of C's heap each round keeps, once caches are warm: the minimum of some batches, since a
// middleware's pools grow in large steps and a leak grows steadily.
func grows(warm, rounds int, round func()) int {
	run := func(n int) int {
		before := cheap.InUse()
		for range n {
			round()
		}
		runtime.GC() // rclgo frees arguments and loggers in finalizers
		runtime.GC()
		return (cheap.InUse() - before) / n
	}
	run(warm)
	return min(run(rounds), run(rounds), run(rounds))
}

// makers create one endpoint of each kind.
func makers(tr *Transport) map[string]func() (io.Closer, error) {
	return map[string]func() (io.Closer, error){
		"writer": func() (io.Closer, error) { return tr.NewWriter(ros2.WriterConfig{EndpointConfig: endpointOn("/x")}) },
		"reader": func() (io.Closer, error) {
			return tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(ros2.Sample) {}})
		},
		"server": func() (io.Closer, error) {
			return tr.NewServer(ros2.ServerConfig{ServiceConfig: trigger("/ask"), OnRequest: func(ros2.Request) {}})
		},
		"client": func() (io.Closer, error) {
			return tr.NewRequester(ros2.ClientConfig{ServiceConfig: trigger("/ask"), OnReply: func(int64, ros2.Sample) {}})
		},
	}
}

// everything creates one endpoint of each kind and closes it.
func everything(t *testing.T, tr *Transport) {
	var all []io.Closer
	for _, make := range makers(tr) {
		e, err := make()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	tr.Graph()
	for _, e := range all {
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Middlewares keep some memory of removed endpoints. Cyclone DDS keeps some 400 bytes of each DDS endpoint, of which a
// service or client has two, Fast DDS of Jazzy occasionally as much; Fast DDS of Humble hardly any, so with it even a
// leak of a topic's name or a handle is detected.
func endpointSlack() int {
	if os.Getenv("RMW_IMPLEMENTATION") == "rmw_fastrtps_cpp" && os.Getenv("ROS_DISTRO") == "humble" {
		return 250
	}
	return 1200
}

const (
	contextSlack = 16 << 10 // for a context with one of everything; rclgo itself loses the options of each, about 200
	messageSlack = 16       // for a message of 1000 bytes, a request and a reply
)

func TestEndpointsLeakNothing(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	for kind, make := range makers(tr) {
		kept := grows(100, 200, func() {
			e, err := make()
			if err == nil {
				err = e.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%d bytes kept for each %s", kept, kind)
		if kept > endpointSlack() {
			t.Errorf("%d bytes kept for each %s, more than %d", kept, kind, endpointSlack())
		}
	}
	if kept := grows(100, 200, func() { tr.Graph() }); kept > messageSlack {
		t.Errorf("%d bytes kept for each look at the graph", kept)
	}
}

func TestContextsLeakNothing(t *testing.T) {
	kept := grows(5, 15, func() {
		tr := openTest(t)
		addNode(t, tr)
		everything(t, tr)
		if err := tr.Close(); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d bytes kept for each context", kept)
	if kept > contextSlack {
		t.Errorf("%d bytes kept for each context, more than %d", kept, contextSlack)
	}
}

func TestErrorsLeakNothing(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	kept := grows(50, 300, func() {
		if tr.AddNode(ros2.NodeName{Namespace: "/", Name: "bad name"}) == nil {
			t.Fatal("a bad name is taken")
		}
		cfg := endpointOn("/x")
		cfg.Type = "std_msgs/msg/NoSuchThing"
		if _, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg}); err == nil {
			t.Fatal("a type that is not there is taken")
		}
	})
	t.Logf("%d bytes kept for each error", kept)
	if kept > messageSlack {
		t.Errorf("%d bytes kept for each error, more than %d", kept, messageSlack)
	}
}

// TestMessagesLeakNothing sends messages, requests and replies, each awaited.
func TestMessagesLeakNothing(t *testing.T) {
	tr := openTest(t)
	defer tr.Close()
	addNode(t, tr)
	got, matched := make(chan int, 1), make(chan int, 4)
	if _, err := tr.NewReader(ros2.ReaderConfig{EndpointConfig: endpointOn("/x"), OnSample: func(s ros2.Sample) { got <- len(s.Payload) }}); err != nil {
		t.Fatal(err)
	}
	cfg := endpointOn("/x")
	cfg.OnMatch = func(n int) { matched <- n }
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: cfg})
	if err != nil {
		t.Fatal(err)
	}
	response := encode(t, &std_srvs.TriggerResponse{Success: true, Message: "done"})
	if _, err := tr.NewServer(ros2.ServerConfig{ServiceConfig: trigger("/ask"), OnRequest: func(r ros2.Request) {
		if err := r.Respond(response); err != nil {
			t.Error(err)
		}
	}}); err != nil {
		t.Fatal(err)
	}
	available := make(chan bool, 4)
	replies := make(chan int64, 1)
	c, err := tr.NewRequester(ros2.ClientConfig{
		ServiceConfig: trigger("/ask"), OnReply: func(n int64, _ ros2.Sample) { replies <- n }, OnAvailable: func(a bool) { available <- a },
	})
	if err != nil {
		t.Fatal(err)
	}
	<-matched
	<-available
	message, request := encode(t, &std_msgs.String{Data: string(make([]byte, 1000))}), encode(t, &std_srvs.TriggerRequest{})
	n := int64(0)
	kept := grows(500, 1000, func() {
		n++
		if err := w.Write(message); err != nil {
			t.Fatal(err)
		}
		if size := <-got; size < 1000 {
			t.Fatalf("%d bytes received", size)
		}
		if err := c.Send(n, request); err != nil {
			t.Fatal(err)
		}
		if answered := <-replies; answered != n {
			t.Fatalf("reply to %d, want %d", answered, n)
		}
	})
	t.Logf("%d bytes kept for each message, request and reply", kept)
	if kept > messageSlack {
		t.Errorf("%d bytes kept for each message, request and reply, more than %d", kept, messageSlack)
	}
}

func encode(t *testing.T, m cdr.Marshaler) []byte {
	t.Helper()
	data, err := cdr.Marshal(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
