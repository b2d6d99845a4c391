// SPDX-License-Identifier: Apache-2.0

package ros2test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// exchange is a service that takes a note and returns one.
type exchange struct{}

// ROSType returns "test_msgs/srv/Exchange".
func (exchange) ROSType() string { return "test_msgs/srv/Exchange" }

// New returns two empty notes.
func (exchange) New() (*note, *note) { return new(note), new(note) }

func (f *fixture) service(n *ros2.Node, handler ros2.Handler[note, note]) *ros2.Service[note, note] {
	f.Helper()
	s, err := ros2.NewService(n, exchange{}, "exchange", handler)
	if err != nil {
		f.Fatal(err)
	}
	return s
}

func (f *fixture) client(n *ros2.Node) *ros2.Client[note, note] {
	f.Helper()
	c, err := ros2.NewClient(n, exchange{}, "exchange")
	if err != nil {
		f.Fatal(err)
	}
	return c
}

// reply answers with the request behind a word.
func reply(word string) ros2.Handler[note, note] {
	return func(_ context.Context, request *note) (*note, error) {
		return &note{word + " " + request.text}, nil
	}
}

// patience ends a call that gets no reply.
const patience = 20 * time.Second

func (f *fixture) ask(c *ros2.Client[note, note], text string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := c.Call(ctx, &note{text})
	if err != nil {
		return "", err
	}
	return r.text, nil
}

// answersRequests has clients of two processes ask at once: each call gets its own
// answer.
func (f *fixture) answersRequests() {
	tr := f.join()
	f.service(f.node(tr, "server"), reply("re:"))
	near, far := f.client(f.node(tr, "near")), f.client(f.node(f.join(), "far"))
	var wg sync.WaitGroup
	for who, c := range map[string]*ros2.Client[note, note]{"near": near, "far": far} {
		for i := range 4 {
			wg.Go(func() {
				text := fmt.Sprint(who, i)
				if got, err := f.ask(c, text); got != "re: "+text || err != nil {
					f.Errorf("%s asks %q and gets %q, %v", who, text, got, err)
				}
			})
		}
	}
	wg.Wait()
	if !near.Available() || !far.Available() {
		f.Error("a service that answered is not available")
	}
}

func (f *fixture) tellsAvailability() {
	c := f.client(f.node(f.join(), "asker"))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := c.WaitAvailable(ctx); !errors.Is(err, ros2.ErrNoServer) {
		f.Errorf("available before there is a server: %v", err)
	}
	n := f.node(f.join(), "server")
	release := make(chan struct{})
	s := f.service(n, func(ctx context.Context, m *note) (*note, error) {
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

func (f *fixture) asksEveryServer() {
	var mu sync.Mutex
	var asked []string
	for _, name := range []string{"one", "two"} {
		f.service(f.node(f.join(), name), func(_ context.Context, m *note) (*note, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, name)
			return m, nil
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
			"service server /suite/exchange test_msgs/srv/Exchange",
			"client asker /suite/exchange test_msgs/srv/Exchange",
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
