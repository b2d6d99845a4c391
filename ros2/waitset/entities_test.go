// SPDX-License-Identifier: Apache-2.0

package waitset_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

// A subscription holds as many messages as its depth, with their metadata, also on a node whose callbacks an executor
// runs, and by pointer from a shared publisher.
func TestSubscriptionHoldsItsDepth(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: tr, Callbacks: executor.NewSingleThreaded().NewGroup(executor.Exclusive)})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	sub, err := waitset.Subscribe[std_msgs.String](n, "x", ros2.DefaultQoS().WithDepth(2))
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ros2.NewSharedPublisher[std_msgs.String](n, "x", ros2.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	var sent []*std_msgs.String
	for i := range 3 {
		m := &std_msgs.String{Data: fmt.Sprint(i)}
		if err := pub.Publish(m); err != nil {
			t.Fatal(err)
		}
		sent = append(sent, m)
	}
	if r, ok := sub.Take(); !ok || r.Message != sent[1] || r.Info.Publisher != pub.GID() || r.Info.Sequence != 2 {
		t.Errorf("took %+v, %v, want message 1", r, ok)
	}
	if r, ok := sub.Latest(); !ok || r.Message != sent[2] || sub.Ready() || sub.Lost() != 1 {
		t.Errorf("the latest is %+v, %v, %d lost", r, ok, sub.Lost())
	}
}

// A subscription holds as many loans as its depth; what it drops and what Latest skips is lent again.
func TestLoanedSubscriptionHoldsItsDepth(t *testing.T) {
	n := newNode(t)
	sub, err := waitset.SubscribeLoaned[std_msgs.String](n, "x", ros2.DefaultQoS().WithDepth(2))
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ros2.NewLoaningPublisher[std_msgs.String](n, "x", ros2.DefaultQoS().WithDepth(2))
	if err != nil {
		t.Fatal(err)
	}
	s := newSet(t, sub)
	places := map[*std_msgs.String]bool{}
	publish := func(data string) {
		l := pub.Borrow()
		l.Message().Data = data
		places[l.Message()] = true
		if err := pub.Publish(&l); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		for _, data := range []string{"0", "1", "2", "3"} {
			publish(data)
		}
		if _, err := s.Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		r, ok := sub.Take()
		if !ok || r.Loan.Message().Data != "2" || r.Info.Publisher != pub.GID() {
			t.Errorf("took %+v, %v, want message 2", r, ok)
		}
		publish("4")
		newest, ok := sub.Latest()
		if !ok || newest.Loan.Message().Data != "4" || sub.Ready() {
			t.Errorf("the latest is %+v, %v", newest, ok)
		}
		r.Loan.Return()
		newest.Loan.Return()
	}
	if len(places) > 4 || sub.Lost() != 10 {
		t.Errorf("%d messages in memory, %d lost", len(places), sub.Lost())
	}
	if n := testing.AllocsPerRun(100, func() {
		publish("5")
		if r, ok := sub.Take(); ok {
			r.Loan.Return()
		}
	}); n != 0 {
		t.Errorf("%v allocations per message", n)
	}
	if _, err := waitset.SubscribeLoaned[std_msgs.String](n, "x y", ros2.DefaultQoS()); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("bad name: %v", err)
	}
}

// A ticker that is not taken holds the latest time.
func TestTickerHoldsTheLatestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tick, err := waitset.NewTicker(newNode(t), "control", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer tick.Close()
		s := newSet(t, tick)
		began := time.Now()
		for i := 1; i <= 3; i++ {
			if _, err := s.Wait(t.Context(), -1); err != nil {
				t.Fatal(err)
			}
			if at, ok := tick.Take(); !ok || at.Sub(began) != time.Duration(i)*time.Second {
				t.Errorf("tick %d at %v, %v", i, at.Sub(began), ok)
			}
		}
		time.Sleep(4500 * time.Millisecond)
		if at, ok := tick.Take(); !ok || at.Sub(began) != 7*time.Second || tick.Ready() {
			t.Errorf("after a pause: %v, %v", at.Sub(began), ok)
		}
	})
}

// One goroutine is both server and client: requests and replies wait in the queues of a set.
func TestServiceAndClientInOneSet(t *testing.T) {
	n := newNode(t)
	server, err := waitset.Serve(n, std_srvs.SetBool{}, "light")
	if err != nil {
		t.Fatal(err)
	}
	client, err := waitset.NewClient(n, std_srvs.SetBool{}, "light")
	if err != nil {
		t.Fatal(err)
	}
	s := newSet(t, server, client)
	if err := client.WaitAvailable(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls := map[int64]string{}
	for _, on := range []bool{true, false} {
		call, err := client.Send(&std_srvs.SetBoolRequest{Data: on})
		if err != nil {
			t.Fatal(err)
		}
		calls[call] = fmt.Sprint("light: ", on)
	}
	for len(calls) > 0 {
		if _, err := s.Wait(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		if r, ok := server.Take(); ok {
			if err := r.Respond(&std_srvs.SetBoolResponse{Success: true, Message: fmt.Sprint("light: ", r.Message.Data)}); err != nil {
				t.Error(err)
			}
		}
		if r, ok := client.Take(); ok {
			if r.Err != nil || r.Response.Message != calls[r.Call] {
				t.Errorf("reply %+v, want %q", r, calls[r.Call])
			}
			delete(calls, r.Call)
		}
	}
	// A call that ends without a reply is in the queue, too.
	call, err := client.Send(&std_srvs.SetBoolRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Wait(t.Context(), -1); err != nil {
		t.Fatal(err)
	}
	if r, ok := client.Take(); !ok || r.Call != call || !errors.Is(r.Err, ros2.ErrNoServer) {
		t.Errorf("the server has gone: %+v, %v", r, ok)
	}
	if _, err := client.Send(&std_srvs.SetBoolRequest{}); !errors.Is(err, ros2.ErrNoServer) {
		t.Errorf("without a server: %v", err)
	}
}

// Bad names and settings are errors as of the functions of package ros2.
func TestEntitiesRefuseWhatPackageROS2Refuses(t *testing.T) {
	n := newNode(t)
	if _, err := waitset.Subscribe[std_msgs.String](n, "x y", ros2.DefaultQoS()); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("subscription: %v", err)
	}
	if _, err := waitset.NewTicker(n, "t", 0); !errors.Is(err, ros2.ErrConfig) {
		t.Errorf("ticker: %v", err)
	}
	if _, err := waitset.Serve(n, std_srvs.Trigger{}, "x y"); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("service: %v", err)
	}
	if _, err := waitset.NewClient(n, std_srvs.Trigger{}, "x y"); !errors.Is(err, ros2.ErrInvalidName) {
		t.Errorf("client: %v", err)
	}
	if _, err := waitset.NewFile(0, 0); !errors.Is(err, waitset.ErrDirection) {
		t.Errorf("file: %v", err)
	}
}

// A file descriptor is ready when there is data, stays so until the program has read it, and reports the end of the
// other side.
func TestFileIsReadable(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := waitset.NewFile(r.Fd(), waitset.Readable)
	if err != nil {
		t.Fatal(err)
	}
	s := newSet(t, f)
	buf := make([]byte, 10)
	for range 3 {
		if _, err := s.Wait(t.Context(), 0); !errors.Is(err, waitset.ErrTimeout) {
			t.Fatalf("no data: %v", err)
		}
		if _, err := w.Write([]byte("data")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Wait(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		if n, err := r.Read(buf); err != nil || string(buf[:n]) != "data" {
			t.Fatalf("read %q, %v", buf[:n], err)
		}
		if d, err := f.Take(); d != waitset.Readable || err != nil {
			t.Fatalf("ready for %v, %v", d, err)
		}
		if d, err := f.Take(); d != 0 || err != nil {
			t.Fatalf("taken twice: %v, %v", d, err)
		}
	}
	_ = w.Close()
	if _, err := s.Wait(t.Context(), -1); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Take(); err == nil {
		t.Error("the other end has gone, and there is nothing to read: no error")
	}
	for range 2 {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Close ends a file that waits, and one whose data was not taken. A descriptor that is not open is an error of Take.
func TestFileCloses(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	waits, err := waitset.NewFile(r.Fd(), waitset.Readable)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := waitset.NewFile(w.Fd(), waitset.Readable|waitset.Writable)
	if err != nil {
		t.Fatal(err)
	}
	s := newSet(t, waits, ready)
	if list, err := s.Wait(t.Context(), -1); err != nil || len(list) != 1 || list[0] != ready {
		t.Errorf("ready: %v, %v", list, err)
	}
	unopened, err := waitset.NewFile(1<<20, waitset.Readable)
	if err != nil {
		t.Fatal(err)
	}
	only := newSet(t, unopened)
	if _, err := only.Wait(context.Background(), -1); err != nil {
		t.Fatal(err)
	}
	if _, err := unopened.Take(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a descriptor that is not open: %v", err)
	}
	for _, f := range []*waitset.File{waits, ready, unopened} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
