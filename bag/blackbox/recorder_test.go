// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// robot is a node that publishes /r1/a, /r1/image_raw and /r1/button, and records; another node publishes /other.
type robot struct {
	t      *testing.T
	node   *ros2.Node
	user   *ros2.Node
	a      *ros2.Publisher[std_msgs.String]
	button *ros2.Publisher[std_msgs.Bool]
	dir    string
	o      *Recorder
}

func withRobot(t *testing.T, parameters []string, f func(r *robot)) {
	t.Helper()
	withRobotIn(t, t.TempDir(), parameters, f)
}

// withRobotIn has the robot record in the folder dir.
func withRobotIn(t *testing.T, dir string, parameters []string, f func(r *robot)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		args := []string{"--ros-args", "-r", "__ns:=/r1", "-p", "record.directory:=" + dir}
		for _, p := range parameters {
			args = append(args, "-p", p)
		}
		own, _, err := ros2.ParseArgs(args)
		if err != nil {
			t.Fatal(err)
		}
		net := ros2test.NewNetwork()
		here, there := net.NewTransport(), net.NewTransport()
		r := &robot{t: t, dir: dir}
		r.node, err = ros2.NewNode(ros2.NodeConfig{Name: "driver", Transport: here, Args: own, Standard: true})
		must(t, err)
		r.user, err = ros2.NewNode(ros2.NodeConfig{Name: "user", Transport: there})
		must(t, err)
		defer func() { _ = r.user.Close(); _ = there.Close(); _ = r.node.Close(); _ = here.Close() }()
		r.a, err = ros2.NewPublisher[std_msgs.String](r.node, "a", ros2.DefaultQoS())
		must(t, err)
		_, err = ros2.NewPublisher[std_msgs.String](r.node, "image_raw", ros2.DefaultQoS())
		must(t, err)
		_, err = ros2.NewPublisher[std_msgs.String](r.user, "/other", ros2.DefaultQoS())
		must(t, err)
		r.button, err = ros2.NewPublisher[std_msgs.Bool](r.node, "button", ros2.LatchedQoS())
		must(t, err)
		o, err := New(Config{Node: r.node, Types: msgs.Definition, ButtonTopic: "button", Directory: dir})
		must(t, err)
		r.o = o
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- o.Run(ctx) }()
		r.settle()
		f(r)
		cancel()
		must(t, <-done)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *robot) settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func (r *robot) publish(text string) {
	r.t.Helper()
	must(r.t, r.a.Publish(&std_msgs.String{Data: text}))
	r.settle()
}

// call asks a service and returns its answer.
func (r *robot) call(service string) (bool, string) {
	r.t.Helper()
	c, err := ros2.NewClient(r.user, std_srvs.Trigger{}, "/r1/"+service)
	must(r.t, err)
	defer c.Close()
	answer, err := c.Call(r.t.Context(), &std_srvs.TriggerRequest{})
	must(r.t, err)
	r.settle()
	return answer.Success, answer.Message
}

// bags lists the bags with the names of their topics and the texts of /r1/a.
func (r *robot) bags() (out []string) {
	r.t.Helper()
	dirs, err := os.ReadDir(r.dir)
	must(r.t, err)
	for _, d := range dirs {
		b, err := bag.Open(filepath.Join(r.dir, d.Name()))
		must(r.t, err)
		var parts []string
		for _, topic := range b.Topics() {
			if !slices.Contains([]string{"/r1/parameter_events", "/rosout", "/parameter_events"}, topic.Name) {
				parts = append(parts, topic.Name)
			}
		}
		for m, err := range b.Messages(bag.Range{Topic: func(t *bag.Topic) bool { return t.Name == "/r1/a" }}) {
			must(r.t, err)
			parts = append(parts, strings.Trim(string(m.Data[8:]), "\x00"))
		}
		kind, _, _ := strings.Cut(d.Name(), "_")
		out = append(out, kind+": "+strings.Join(parts, " "))
		must(r.t, b.Close())
	}
	return out
}

func TestServicesStartAndStop(t *testing.T) {
	withRobot(t, nil, func(r *robot) {
		if n := r.a.SubscriptionCount(); n != 0 {
			t.Errorf("%d subscriptions although nothing is recorded", n)
		}
		r.publish("before")
		if ok, text := r.call("record/stop"); ok || !strings.Contains(text, "not recording") {
			t.Errorf("%v %s", ok, text)
		}
		ok, dir := r.call("record/start")
		if !ok || !strings.HasPrefix(dir, r.dir) {
			t.Errorf("%v %s", ok, dir)
		}
		r.publish("in")
		if ok, text := r.call("record/start"); ok {
			t.Errorf("started twice: %s", text)
		}
		if ok, text := r.call("record/stop"); !ok || text != dir {
			t.Errorf("%v %s", ok, text)
		}
		r.publish("after")
		if n := r.a.SubscriptionCount(); n != 0 {
			t.Errorf("%d subscriptions afterwards", n)
		}
		if ok, text := r.call("record/snapshot"); ok || !strings.Contains(text, "record.pre_roll") {
			t.Errorf("%v %s", ok, text)
		}
		if got := r.bags(); len(got) != 1 || got[0] != "run: /r1/a /r1/button in" {
			t.Errorf("%v", got)
		}
	})
}

func TestPreRollAndSnapshot(t *testing.T) {
	withRobot(t, []string{"record.pre_roll:=3.0", "record.topics:=[a]"}, func(r *robot) {
		for _, text := range []string{"1", "2", "3", "4", "5", "6"} {
			r.publish(text)
		}
		if ok, text := r.call("record/snapshot"); !ok {
			t.Error(text)
		}
		r.publish("7")
		if ok, text := r.call("record/start"); !ok {
			t.Error(text)
		}
		r.publish("8")
		if ok, text := r.call("record/stop"); !ok {
			t.Error(text)
		}
		if got := strings.Join(r.bags(), "; "); got != "run: /r1/a 7 8; snapshot: /r1/a 3 4 5 6" {
			t.Errorf("%v", got)
		}
	})
}

// TestParametersHoldForTheNextRecording: also the pre-roll, which is kept from then on.
func TestParametersHoldForTheNextRecording(t *testing.T) {
	withRobot(t, nil, func(r *robot) {
		must(t, r.node.Parameters().SetAtomically(
			ros2.Parameter{Name: paramRegex, Value: ros2.StringValue("/other")},
			ros2.Parameter{Name: paramExcludeTopics, Value: ros2.StringArrayValue([]string{"image_raw", "a"})},
			ros2.Parameter{Name: paramPreRoll, Value: ros2.DoubleValue(5)}))
		r.settle()
		if ok, text := r.call("record/snapshot"); !ok {
			t.Error(text)
		}
		must(t, r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramPreRoll, Value: ros2.DoubleValue(0)}))
		r.settle()
		if ok, _ := r.call("record/snapshot"); ok {
			t.Error("a snapshot without a pre-roll")
		}
		if err := r.node.Parameters().SetAtomically(ros2.Parameter{Name: paramCompression, Value: ros2.StringValue("lzma")}); err == nil {
			t.Error("compression lzma is accepted")
		}
	})
}

func TestStartWithTheProgramAndButton(t *testing.T) {
	withRobot(t, []string{"record.start:=true", "record.button:=true"}, func(r *robot) {
		press := func() {
			must(t, r.button.Publish(&std_msgs.Bool{Data: true}))
			r.settle()
			must(t, r.button.Publish(&std_msgs.Bool{Data: false}))
			r.settle()
		}
		must(t, r.button.Publish(&std_msgs.Bool{Data: false}))
		r.publish("1")
		press()
		r.publish("2")
		press()
		r.publish("3")
		r.settle()
		press()
		if got := strings.Join(r.bags(), "; "); got != "run: /r1/a /r1/button 1; run: /r1/a /r1/button 3" {
			t.Errorf("%v", got)
		}
	})
}

// TestLimitEndsARecordingAlone: after its time a recording is complete, and another can be begun.
func TestLimitEndsARecordingAlone(t *testing.T) {
	withRobot(t, []string{"record.duration:=2.0"}, func(r *robot) {
		for range 2 {
			if ok, text := r.call("record/start"); !ok {
				t.Error(text)
			}
			r.publish("x")
			r.settle()
			r.settle()
			r.settle()
			r.settle()
		}
		if got := r.bags(); len(got) != 2 {
			t.Errorf("%v", got)
		}
	})
}

// TestDroppedBusEventsAreLossesOfRecordingsOfTheBus: not of others, although other programs can have the bus recorded.
func TestDroppedBusEventsAreLossesOfRecordingsOfTheBus(t *testing.T) {
	for parameter, want := range map[string]uint64{"record.bus:=true": 7, "record.bus:=false": 0} {
		withRobot(t, []string{parameter}, func(r *robot) {
			var dropped atomic.Uint64
			dropped.Store(3)
			r.o.cfg.BusDropped = dropped.Load
			if _, err := r.o.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			dropped.Add(7)
			r.settle()
			if got := r.o.running.r.Status().Losses; got.Publisher != want || got.Total() != want {
				t.Errorf("%s: %+v, want %d", parameter, got, want)
			}
		})
	}
}
