// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// exchange is diagnostic_msgs/srv/AddDiagnostics, whose request and response are texts.
type exchange struct{}

// ROSType returns "diagnostic_msgs/srv/AddDiagnostics".
func (exchange) ROSType() string { return "diagnostic_msgs/srv/AddDiagnostics" }

// New returns an empty request and an empty response.
func (exchange) New() (*question, *answer) { return new(question), new(answer) }

// question is the request of exchange.
type question struct{ note }

// ROSType returns "diagnostic_msgs/srv/AddDiagnostics_Request".
func (*question) ROSType() string { return exchange{}.ROSType() + "_Request" }

// TypeHash returns the hash of the request.
func (*question) TypeHash() string {
	return "RIHS01_e0b6572a07c2b3ca2c4f2acf742297661f6ceb50f5baa4f9305b6094cf950146"
}

// answer is the response of exchange.
type answer struct {
	success bool
	text    string
}

func (m *answer) EncodeCDR(e *cdr.Encoder) {
	e.Bool(m.success)
	e.String(m.text)
}

func (m *answer) DecodeCDR(d *cdr.Decoder) {
	m.success = d.Bool()
	m.text = d.String()
}

// ROSType returns "diagnostic_msgs/srv/AddDiagnostics_Response".
func (*answer) ROSType() string { return exchange{}.ROSType() + "_Response" }

// TypeHash returns the hash of the response.
func (*answer) TypeHash() string {
	return "RIHS01_e7070a2373c892c4cf071dcd90405d7696187eb2ff0e40d8b6472a04a4b73d22"
}

func (f *fixture) service(n *ros2.Node, handler ros2.Handler[question, answer]) *ros2.Service[question, answer] {
	f.Helper()
	s, err := ros2.NewService(n, exchange{}, "exchange", handler)
	if err != nil {
		f.Fatal(err)
	}
	return s
}

func (f *fixture) client(n *ros2.Node) *ros2.Client[question, answer] {
	f.Helper()
	c, err := ros2.NewClient(n, exchange{}, "exchange")
	if err != nil {
		f.Fatal(err)
	}
	return c
}

// reply responds with a word and the request.
func reply(word string) ros2.Handler[question, answer] {
	return func(_ context.Context, request *question) (*answer, error) {
		return &answer{true, word + " " + request.text}, nil
	}
}

// callTimeout ends a call without a reply.
const callTimeout = 20 * time.Second

func (f *fixture) ask(c *ros2.Client[question, answer], text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	r, err := c.Call(ctx, &question{note{text}})
	if err != nil {
		return "", err
	}
	return r.text, nil
}

// answersRequests: concurrent calls of clients in two processes each get their own response.
func (f *fixture) answersRequests() {
	tr := f.join()
	f.service(f.node(tr, "server"), reply("re:"))
	near, far := f.client(f.node(tr, "near")), f.client(f.node(f.join(), "far"))
	var wg sync.WaitGroup
	for who, c := range map[string]*ros2.Client[question, answer]{"near": near, "far": far} {
		for i := range 4 {
			wg.Go(func() {
				text := fmt.Sprint(who, i)
				if got, err := f.ask(c, text); got != "re: "+text || err != nil {
					f.Errorf("%s sent %q and received %q, %v", who, text, got, err)
				}
			})
		}
	}
	wg.Wait()
	if !near.Available() || !far.Available() {
		f.Error("a service that responded is not available")
	}
}

func (f *fixture) reportsAvailability() {
	c := f.client(f.node(f.join(), "asker"))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := c.WaitAvailable(ctx); !errors.Is(err, ros2.ErrNoServer) {
		f.Errorf("available before there is a server: %v", err)
	}
	n := f.node(f.join(), "server")
	release := make(chan struct{})
	s := f.service(n, func(ctx context.Context, _ *question) (*answer, error) {
		close(release)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	failed := make(chan error, 1)
	go func() {
		_, err := f.ask(c, "and the server leaves")
		failed <- err
	}()
	<-release
	s.Close()
	if err := <-failed; !errors.Is(err, ros2.ErrNoServer) {
		f.Errorf("the server left before it answered: %v", err)
	}
	f.settle()
	if c.Available() {
		f.Error("available after the server left")
	}
}

func (f *fixture) callsEveryServer() {
	var mu sync.Mutex
	var asked []string
	for _, name := range []string{"one", "two"} {
		f.service(f.node(f.join(), name), func(_ context.Context, q *question) (*answer, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, name)
			return &answer{true, q.text}, nil
		})
	}
	c := f.client(f.node(f.join(), "asker"))
	f.settle()
	if got, err := f.ask(c, "who is there?"); got != "who is there?" || err != nil {
		f.Errorf("answer %q, %v", got, err)
	}
	f.settle()
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(asked)
	if !slices.Equal(asked, []string{"one", "two"}) {
		f.Errorf("asked %q", asked)
	}
}

func (f *fixture) showsServices() {
	a, b := f.join(), f.join()
	server, asker := f.node(a, "server"), f.node(b, "asker")
	s, c := f.service(server, reply("")), f.client(asker)
	f.settle()
	for i, tr := range []ros2.Transport{a, b} {
		var got []string
		for _, e := range tr.Graph().Endpoints {
			got = append(got, fmt.Sprint(e.Kind, " ", e.Node.Name, " ", e.Topic, " ", e.Type))
		}
		want := []string{
			"service server /suite/exchange diagnostic_msgs/srv/AddDiagnostics",
			"client asker /suite/exchange diagnostic_msgs/srv/AddDiagnostics",
		}
		if !slices.Equal(got, want) {
			f.Errorf("transport %d sees %q, want %q", i, got, want)
		}
		if topics := tr.Graph().Topics(); len(topics) != 0 {
			f.Errorf("transport %d takes services for topics: %v", i, topics)
		}
	}
	s.Close()
	c.Close()
	f.settle()
	if g := a.Graph(); len(g.Endpoints) != 0 {
		f.Errorf("left in the graph: %+v", g.Endpoints)
	}
}
