// SPDX-License-Identifier: Apache-2.0

package waiting

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// reports collects what is reported, with the time since the start.
type reports struct {
	mu    sync.Mutex
	start time.Time
	list  []string
}

func (r *reports) say(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, fmt.Sprint(time.Since(r.start), " ", text))
}

func (r *reports) want(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.list, want) {
		t.Errorf("reports\n%q, want\n%q", r.list, want)
	}
}

// noticed runs a test with a transport of the waiting node and one of another node.
func noticed(t *testing.T, test func(t *testing.T, own, other ros2.Transport, r *reports)) {
	t.Helper()
	reach(t, "", "", "")
	synctest.Test(t, func(t *testing.T) {
		n := ros2test.NewNetwork()
		own, other := n.NewTransport(), n.NewTransport()
		if err := own.AddNode(tool); err != nil {
			t.Fatal(err)
		}
		test(t, own, other, &reports{start: time.Now()})
		for _, tr := range []ros2.Transport{own, other} {
			if err := tr.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

var odom = Peer{Kind: ros2.PublisherEndpoint, Name: "/odom", AnyQoS: true, Own: tool}

// publisher adds a publisher of a topic to a transport.
func publisher(t *testing.T, tr ros2.Transport, topic string) ros2.Writer {
	t.Helper()
	if err := tr.AddNode(driver); err != nil {
		t.Fatal(err)
	}
	w, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Node: driver, Topic: topic, Type: twist, QoS: ros2.DefaultQoS()}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestNoticeIsDelayed: it reports nothing within the first second, and once if nothing changes.
func TestNoticeIsDelayed(t *testing.T) {
	noticed(t, func(t *testing.T, own, _ ros2.Transport, r *reports) {
		stop := Notice(own, r.say, odom)
		time.Sleep(delay - time.Nanosecond)
		r.want(t)
		time.Sleep(time.Nanosecond)
		first := "1s waiting for a publisher of /odom: no other node in this ROS domain (ROS_DOMAIN_ID is 0)"
		r.want(t, first)
		time.Sleep(time.Hour)
		r.want(t, first)
		stop()
	})
}

// TestNoticeThatIsStoppedEarly: what matched within the delay is not reported, and stop may be called twice.
func TestNoticeThatIsStoppedEarly(t *testing.T) {
	noticed(t, func(t *testing.T, own, other ros2.Transport, r *reports) {
		stop := Notice(own, r.say, odom)
		time.Sleep(delay / 2)
		publisher(t, other, "/odom")
		stop()
		stop()
		time.Sleep(time.Minute)
		r.want(t)
	})
}

// TestNoticeReportsChanges: a text is reported once it differs, at least an interval after the last one; changes of the
// graph that do not alter it are not reported.
func TestNoticeReportsChanges(t *testing.T) {
	noticed(t, func(t *testing.T, own, other ros2.Transport, r *reports) {
		stop := Notice(own, r.say, odom)
		time.Sleep(1500 * time.Millisecond)
		publisher(t, other, "/scan") // the text of 1 s is 0.5 s old
		time.Sleep(100 * time.Millisecond)
		publisher(t, other, "/odom1")
		want := []string{"1s waiting for a publisher of /odom: no other node in this ROS domain (ROS_DOMAIN_ID is 0)"}
		r.want(t, want...)
		time.Sleep(2 * time.Second)
		want = append(want, `3s waiting for a publisher of /odom: no node has one; did you mean '/odom1'?`)
		r.want(t, want...)
		publisher(t, other, "/battery") // changes nothing
		time.Sleep(6400 * time.Millisecond)
		r.want(t, want...)
		w := publisher(t, other, "/odom") // long after the last report: at once
		want = append(want, "10s waiting for a message on /odom: published by /epuck_driver, none has arrived yet")
		r.want(t, want...)
		for range 50 { // a name that appears and disappears does not fill the terminal
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
			w = publisher(t, other, "/odom")
			time.Sleep(50 * time.Millisecond)
		}
		synctest.Wait()
		if n := len(r.list) - len(want); n > int(5*time.Second/interval)+1 {
			t.Errorf("%d reports in 5 s: %q", n, r.list)
		}
		stop()
	})
}

// TestNoticeIsSilentAfterStop: stop waits for a report that is being made, and none follows.
func TestNoticeIsSilentAfterStop(t *testing.T) {
	noticed(t, func(t *testing.T, own, other ros2.Transport, r *reports) {
		var running atomic.Bool
		stop := Notice(own, func(text string) {
			running.Store(true)
			time.Sleep(time.Minute)
			r.say(text)
			running.Store(false)
		}, odom)
		time.Sleep(2 * time.Second)
		if !running.Load() {
			t.Error("nothing is reported")
		}
		stop()
		if running.Load() || time.Since(r.start) != delay+time.Minute {
			t.Errorf("stop returned after %v, running %v", time.Since(r.start), running.Load())
		}
		before := len(r.list)
		publisher(t, other, "/odom")
		time.Sleep(time.Hour)
		if len(r.list) != before {
			t.Errorf("reports after stop: %q", r.list)
		}
	})
}

// TestNoticeEndsWithItsTransport: it reports nothing when the transport has failed or is closed.
func TestNoticeEndsWithItsTransport(t *testing.T) {
	noticed(t, func(t *testing.T, own, _ ros2.Transport, r *reports) {
		stop := Notice(own, r.say, odom)
		if err := own.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		r.want(t)
		stop()
	})
}
