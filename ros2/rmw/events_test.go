// SPDX-License-Identifier: Apache-2.0

package rmw

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rtps/vnet"
)

// diary collects lines: events or log lines.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// Write implements io.Writer for a logger.
func (d *diary) Write(b []byte) (int, error) {
	d.add("%s", bytes.TrimSpace(b))
	return len(b), nil
}

// take removes and returns the lines that contain a text.
func (d *diary) take(text string) (found []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = slices.DeleteFunc(d.lines, func(line string) bool {
		if strings.Contains(line, text) {
			found = append(found, line)
			return true
		}
		return false
	})
	return found
}

func (d *diary) logger() *slog.Logger { return slog.New(slog.NewTextHandler(d, nil)) }

// eventScene is a publisher and a subscription on two hosts whose events are recorded.
type eventScene struct {
	net      *vnet.Net
	there    *vnet.Host
	pub      *ros2.Publisher[std_msgs.String]
	box      *inbox
	events   diary
	log, far diary
}

func newEventScene(t *testing.T, offered, requested ros2.QoS) *eventScene {
	t.Helper()
	s := &eventScene{net: vnet.New(vnet.Config{Seed: 1})}
	s.there = s.net.Host(2)
	s.pub = publish(t, newNode(t, open(t, s.net.Host(1)), "talker", s.log.logger()), "/words", offered,
		ros2.OnOfferedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { s.events.add("offered deadline %d", i.Total) }),
		ros2.OnLivelinessLost(func(i ros2.LivelinessLostInfo) { s.events.add("lost %d", i.Total) }),
		ros2.OnOfferedIncompatibleQoS(func(i ros2.IncompatibleQoSInfo) { s.events.add("offered: %v of %v", i.Policies, i.Remote.Kind) }))
	_, s.box = subscribe(t, newNode(t, open(t, s.there), "listener", s.far.logger()), "/words", requested,
		ros2.OnRequestedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { s.events.add("requested deadline %d", i.Total) }),
		ros2.OnLivelinessChanged(func(i ros2.LivelinessChangedInfo) { s.events.add("alive %d not %d", i.Alive, i.NotAlive) }),
		ros2.OnMessageLost(func(i ros2.MessageLostInfo) { s.events.add("messages %d", i.Change) }),
		ros2.OnRequestedIncompatibleQoS(func(i ros2.IncompatibleQoSInfo) { s.events.add("requested: %v of %v", i.Policies, i.Remote.Kind) }))
	settle()
	return s
}

// Both sides get an event for each missed deadline, and log it, rate limited, with the other side's name.
func TestDeadlineEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qos := ros2.QoS{Deadline: 100 * time.Millisecond}
		s := newEventScene(t, qos, qos)
		for range 10 {
			say(t, s.pub, "in time")
			time.Sleep(80 * time.Millisecond)
		}
		if got := s.events.take("deadline"); len(got) != 0 {
			t.Errorf("in time: %v", got)
		}
		time.Sleep(time.Second)
		for _, side := range []string{"offered deadline", "requested deadline"} {
			if got := s.events.take(side); len(got) < 9 || got[0] != side+" 1" {
				t.Errorf("%s: %v", side, got)
			}
		}
		for name, d := range map[string]*diary{"listener": &s.log, "talker": &s.far} {
			if got := d.take("deadline"); len(got) != 1 || !strings.Contains(got[0], "of /robot/"+name) || !strings.Contains(got[0], "topic=/words") {
				t.Errorf("log: %q", got)
			}
		}
	})
}

// A publisher with manual liveliness asserts it, and then stops.
func TestLivelinessEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qos := ros2.QoS{Liveliness: ros2.LivelinessManualByTopic, LivelinessLease: 5 * time.Second}
		s := newEventScene(t, qos, qos)
		for i := range 10 {
			if i%2 == 0 {
				say(t, s.pub, "alive")
			} else if err := s.pub.AssertLiveliness(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(4 * time.Second)
		}
		if got := s.events.take(""); !slices.Equal(got, []string{"alive 1 not 0"}) {
			t.Errorf("asserted: %v", got)
		}
		time.Sleep(10 * time.Second)
		if got := s.events.take(""); len(got) != 2 || !slices.Contains(got, "alive 0 not 1") || !slices.Contains(got, "lost 1") {
			t.Errorf("silent: %v", got)
		}
		if got := s.far.take("lease"); len(got) != 1 || !strings.Contains(got[0], "publisher of /robot/talker") {
			t.Errorf("log there: %q", got)
		}
		if got := s.log.take("lease"); len(got) != 1 || !strings.Contains(got[0], "subscription of /robot/listener") {
			t.Errorf("log here: %q", got)
		}
		say(t, s.pub, "again")
		settle()
		if err := s.pub.Close(); err != nil {
			t.Fatal(err)
		}
		settle()
		if got := s.events.take("alive"); !slices.Equal(got, []string{"alive 1 not 0", "alive 0 not 0"}) {
			t.Errorf("again, then closed: %v", got)
		}
		if err := s.pub.AssertLiveliness(); err == nil {
			t.Error("a closed publisher asserts")
		}
	})
}

// Messages that best effort loses are counted.
func TestMessageLostEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newEventScene(t, ros2.SensorDataQoS(), ros2.SensorDataQoS())
		say(t, s.pub, "first")
		settle()
		s.net.Cut(s.there.Addr(), true)
		say(t, s.pub, "a", "b", "c")
		settle()
		s.net.Cut(s.there.Addr(), false)
		say(t, s.pub, "last")
		settle()
		if got := s.events.take("messages"); !slices.Equal(got, []string{"messages 3"}) {
			t.Errorf("events %v", got)
		}
		if got := s.box.heard(); !slices.Equal(got, []string{"first", "last"}) {
			t.Errorf("received %v", got)
		}
	})
}

// Both sides of an incompatible pair get an event with the policy.
func TestIncompatibleQoSEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newEventScene(t, ros2.SensorDataQoS(), ros2.DefaultQoS())
		got := s.events.take("reliability")
		slices.Sort(got)
		if !slices.Equal(got, []string{"offered: reliability of subscription", "requested: reliability of publisher"}) {
			t.Errorf("events %v", got)
		}
	})
}

// A deadline also applies to a publisher without subscriptions, and to shared messages.
func TestDeadlineWithoutNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := newNode(t, open(t, vnet.New(vnet.Config{}).Host(1)), "alone", nil)
		qos := ros2.QoS{Deadline: 100 * time.Millisecond}
		var events diary
		lonely := publish(t, node, "/lonely", qos, ros2.OnOfferedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { events.add("lonely %d", i.Total) }))
		shared, err := ros2.NewSharedPublisher[std_msgs.String](node, "/shared", qos,
			ros2.OnOfferedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { events.add("shared %d", i.Total) }))
		if err != nil {
			t.Fatal(err)
		}
		_, box := subscribe(t, node, "/shared", qos, ros2.OnRequestedDeadlineMissed(func(i ros2.DeadlineMissedInfo) { events.add("sub %d", i.Total) }))
		settle()
		for range 50 {
			say(t, lonely, "x")
			if err := shared.Publish(&std_msgs.String{Data: "y"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(80 * time.Millisecond)
		}
		if got := events.take(""); len(got) != 0 || len(box.heard()) != 50 {
			t.Errorf("in time: %v, heard %d", got, len(box.heard()))
		}
		time.Sleep(time.Second)
		for _, who := range []string{"lonely", "shared", "sub"} {
			if got := events.take(who); len(got) < 9 {
				t.Errorf("%s: %v", who, got)
			}
		}
	})
}
