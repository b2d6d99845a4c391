// SPDX-License-Identifier: Apache-2.0

package ros2_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// loggingNode makes a node whose log lines go to the buffer, on a manual clock.
func loggingNode(t *testing.T, tr ros2.Transport, name string) (*ros2.Node, *bytes.Buffer, *ros2.ManualClock) {
	t.Helper()
	var log bytes.Buffer
	clock := ros2.NewManualClock(time.Unix(1000, 0))
	n, err := ros2.NewNode(ros2.NodeConfig{
		Name: name, Transport: tr, Clock: clock,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	return n, &log, clock
}

func TestUndecodableMessageIsDroppedAndLogged(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		n, log, clock := loggingNode(t, tr, "n")
		liar, err := ros2.NewPublisher[impostor](n, "x", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		sub, box := subscribe(t, n, "x", ros2.DefaultQoS())
		for range 3 {
			if err := liar.Publish(&impostor{other{true}}); err != nil {
				t.Fatal(err)
			}
		}
		if good, bad := sub.Received(); good != 0 || bad != 3 || len(box.heard()) != 0 {
			t.Errorf("received %d, undecodable %d, callbacks %d", good, bad, len(box.heard()))
		}
		synctest.Wait() // for the log
		if lines := strings.Count(log.String(), "\n"); lines != 1 {
			t.Errorf("%d log lines at one instant, want 1:\n%s", lines, log)
		}
		for _, want := range []string{"topic=/x", "type=test_msgs/msg/Chatter", "publisher=" + liar.GID().String()} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("log lacks %s:\n%s", want, log)
			}
		}
		clock.Advance(time.Minute)
		if err := liar.Publish(new(impostor)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // for the log
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("a minute later %d log lines, want 2", lines)
		}
	})
}

func TestIncompatibleQoSIsLoggedWithBothSides(t *testing.T) {
	bubble(t, func(t *testing.T, tr *ros2test.Transport) {
		camera, cameraLog, _ := loggingNode(t, tr, "camera")
		viewer, viewerLog, _ := loggingNode(t, tr, "viewer")
		pub := newPublisher(t, camera, "image", ros2.SensorDataQoS())
		sub, _ := subscribe(t, viewer, "image", ros2.LatchedQoS())
		if pub.HasSubscribers() || sub.PublisherCount() != 0 {
			t.Error("incompatible endpoints match")
		}
		synctest.Wait() // for the log
		for _, c := range []struct {
			log   *bytes.Buffer
			there string
		}{{cameraLog, `there="subscription of /viewer"`}, {viewerLog, `there="publisher of /camera"`}} {
			for _, want := range []string{
				c.there, "topic=/image", `policies="reliability, durability"`,
				`offered="best effort, volatile, keep last 5"`,
				`requested="reliable, transient local, keep last 1"`,
			} {
				if !strings.Contains(c.log.String(), want) {
					t.Errorf("log lacks %s:\n%s", want, c.log)
				}
			}
		}
	})
}

func TestSubscriptionOptions(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	var counts []int
	_, box := subscribe(t, n, "x", ros2.DefaultQoS(), ros2.MaxMessageSize(64),
		ros2.OnPublishers(func(c int) { counts = append(counts, c) }))
	pub := newPublisher(t, n, "x", ros2.DefaultQoS())
	for _, text := range []string{"short", strings.Repeat("long", 100)} {
		if err := pub.Publish(&chatter{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	pub.Close()
	if got := box.heard(); !slices.Equal(got, []string{"short"}) {
		t.Errorf("heard %q", got)
	}
	if !slices.Equal(counts, []int{1, 0}) {
		t.Errorf("publisher counts %v", counts)
	}
}

func TestMessageBelongsToTheCallback(t *testing.T) {
	tr := ros2test.NewTransport()
	defer tr.Close()
	n := newNode(t, tr, "n")
	var kept []*chatter
	if _, err := ros2.NewSubscription(n, "x", ros2.DefaultQoS(), func(m *chatter, _ ros2.MessageInfo) {
		kept = append(kept, m)
	}); err != nil {
		t.Fatal(err)
	}
	pub := newPublisher(t, n, "x", ros2.DefaultQoS())
	m := &chatter{}
	for _, text := range []string{"first", "second"} {
		m.Text = text
		if err := pub.Publish(m); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept) != 2 || kept[0].Text != "first" || kept[1].Text != "second" {
		t.Errorf("kept %v %v", kept[0], kept[1])
	}
}
