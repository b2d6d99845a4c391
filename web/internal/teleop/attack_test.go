// SPDX-License-Identifier: Apache-2.0

package teleop

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/epuck-ros2/epuck-driver/internal/cmdvel"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
	"github.com/epuck-ros2/epuck-driver/web/internal/hub"
)

// TestSilenceAfterAChangeOfSpeeds: each command restarts the time-out; one that moves ends the zeros of a stop.
func TestSilenceAfterAChangeOfSpeeds(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{}
		must(t, h.Take("/a", d, false))
		must(t, h.Drive("/a", d, 0.1, 0))
		must(t, h.Drive("/a", d, 0, 0))
		time.Sleep(50 * time.Millisecond)
		must(t, h.Drive("/a", d, 0, 2)) // turning is moving
		time.Sleep(time.Minute)
		if got := fmt.Sprint(w["/a"].sent()); got != "[0.1,0@0 0,0@0 0,2@50 0,0@350 0,0@450 0,0@550]" {
			t.Error(got)
		}
	})
}

// TestReleaseWhileTheZerosAreSent: a release sends the remaining zeros at once.
func TestReleaseWhileTheZerosAreSent(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		d := &Driver{}
		must(t, h.Take("/a", d, false))
		must(t, h.Drive("/a", d, 0.1, 0))
		time.Sleep(DefaultTimeout)
		synctest.Wait() // the first zero is sent
		h.Release("/a", d)
		h.Release("/a", d) // harmless
		time.Sleep(time.Minute)
		if got := fmt.Sprint(w["/a"].sent()); got != "[0.1,0@0 0,0@300 0,0@300 0,0@300 0,0@300]" || !w["/a"].closed() {
			t.Error(got)
		}
	})
}

// TestCloseStopsAll: Close stops all robots that drive, and later commands are refused.
func TestCloseStopsAll(t *testing.T) {
	rig(t, func(h *Arbiter, w map[string]*wheel) {
		a, b := &Driver{}, &Driver{}
		must(t, errors.Join(h.Take("/a", a, false), h.Take("/b", b, false), h.Drive("/a", a, 1, 0)))
		if s := h.State(); len(s) != 2 || s[0].Robot != "/a" || s[1].Robot != "/b" {
			t.Error(s)
		}
		h.Close()
		if got := fmt.Sprint(w["/a"].sent(), w["/b"].sent()); got != "[1,0@0 0,0@0 0,0@0 0,0@0] []" || !w["/a"].closed() || !w["/b"].closed() {
			t.Error(got)
		}
		if err := h.Drive("/a", a, 1, 0); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

var errGate = errors.New("the publisher is stuck")

// stuck is a publisher whose sending fails.
type stuck struct{ closed int }

func (s *stuck) Drive(float64, float64) error { return errGate }
func (s *stuck) Close()                       { s.closed++ }

// TestPublisherThatFails: the driver gets the error; a stop that fails is logged with the robot and sent again.
func TestPublisherThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := &stuck{}
		h := New(Config{
			Open: func(robot string) (VelocityPublisher, error) {
				if robot == "/none" {
					return nil, errGate
				}
				return r, nil
			},
			Logger: slog.New(slog.NewTextHandler(&log, nil)),
		})
		d := &Driver{Name: "anna"}
		if err := h.Take("/none", d, false); !errors.Is(err, errGate) || len(h.State()) != 0 {
			t.Error(err, h.State())
		}
		must(t, h.Take("/r", d, false))
		if err := h.Drive("/r", d, 1, 0); !errors.Is(err, errGate) {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := strings.Count(log.String(), "stop not sent"); n != stopMessages {
			t.Errorf("%d stops were tried:\n%s", n, log.String())
		}
		if err := h.Drive("/r", d, 1, 0); !errors.Is(err, errGate) {
			t.Error(err)
		}
		h.Leave(d)
		if n := strings.Count(log.String(), "stop not sent"); n != 2*stopMessages || r.closed != 1 {
			t.Errorf("%d stops were tried, closed %d times", n, r.closed)
		}
		for _, want := range []string{"robot=/r", "driver=anna", "no command within the time"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %q in\n%s", want, log.String())
			}
		}
	})
}

// TestConcurrentTake: while the publisher of one viewer is being opened a second viewer may take the robot; then the
// publisher of the first is closed.
func TestConcurrentTake(t *testing.T) {
	for name, c := range map[string]struct{ before, meanwhile, force bool }{
		"no driver":          {meanwhile: true},
		"taken over at once": {before: true, meanwhile: true, force: true},
		"the other left":     {before: true, force: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			anna, ben, eve := &Driver{Name: "anna"}, &Driver{Name: "ben"}, &Driver{Name: "eve"}
			slow, opened := make(chan struct{}), []*stuck{}
			wait := false
			h := New(Config{Open: func(string) (VelocityPublisher, error) {
				r := &stuck{}
				opened = append(opened, r)
				if wait {
					wait = false
					<-slow
				}
				return r, nil
			}})
			defer h.Close()
			if c.before {
				must(t, h.Take("/r", eve, false))
			}
			wait = true
			result := make(chan error)
			go func() { result <- h.Take("/r", anna, c.force) }()
			synctest.Wait()
			slowOne := opened[len(opened)-1]
			if c.meanwhile {
				must(t, h.Take("/r", ben, true))
			} else {
				h.Leave(eve)
			}
			close(slow)
			if err := <-result; !errors.Is(err, ErrTaken) || slowOne.closed != 1 {
				t.Errorf("%s: %v, closed %d times", name, err, slowOne.closed)
			}
			if s := h.State(); c.meanwhile && (len(s) != 1 || s[0].Driver != ben) || !c.meanwhile && len(s) != 0 {
				t.Errorf("%s: %v", name, s)
			}
		})
	}
}

// TestDriversAgainstAModel generates takes, commands and leaves of two robots, and compares the drivers with a map.
func TestDriversAgainstAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := 0
		wheels := map[string]*stuckless{}
		h := New(Config{Timeout: time.Hour, Open: func(robot string) (VelocityPublisher, error) {
			wheels[robot] = &stuckless{}
			return wheels[robot], nil
		}})
		defer h.Close()
		cancel := h.Watch(func() { changes++ })
		drivers := []*Driver{{Name: "a"}, {Name: "b"}, {Name: "c"}}
		model, notified, moving := map[string]*Driver{}, 0, map[string]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			robot := rapid.SampledFrom([]string{"/x", "/y"}).Draw(t, "robot")
			d := rapid.SampledFrom(drivers).Draw(t, "driver")
			leave := func(r string) {
				if moving[r] && wheels[r].zeros == 0 || !wheels[r].closed {
					t.Fatalf("%s was left without a stop", r)
				}
				delete(model, r)
				delete(moving, r)
			}
			switch rapid.SampledFrom([]string{"take", "force", "drive", "release", "leave"}).Draw(t, "what") {
			case "take":
				err := h.Take(robot, d, false)
				if free := model[robot] == nil || model[robot] == d; free != (err == nil) || !free && !errors.Is(err, ErrTaken) {
					t.Fatal(err)
				}
				if model[robot] == nil {
					model[robot] = d
					notified++
				}
			case "force":
				old := wheels[robot]
				if err := h.Take(robot, d, true); err != nil {
					t.Fatal(err)
				}
				if model[robot] != d {
					if model[robot] != nil && (!old.closed || moving[robot] && old.zeros == 0) {
						t.Fatal("taken over without a stop")
					}
					model[robot], moving[robot] = d, false
					notified++
				}
			case "drive":
				err := h.Drive(robot, d, 0.1, 0)
				if (model[robot] == d) != (err == nil) {
					t.Fatal(err)
				}
				moving[robot] = moving[robot] || err == nil
			case "release":
				h.Release(robot, d)
				if model[robot] == d {
					leave(robot)
					notified++
				}
			case "leave":
				h.Leave(d)
				any := false
				for r, who := range model {
					if who == d {
						leave(r)
						any = true
					}
				}
				if any {
					notified++
				}
			}
			state := h.State()
			for _, held := range state {
				if model[held.Robot] != held.Driver {
					t.Fatalf("%s drives %s, want %v", held.Driver.Name, held.Robot, model[held.Robot])
				}
			}
			if len(state) != len(model) || changes != notified {
				t.Fatalf("%v, want %v; notified %d times, want %d", state, model, changes, notified)
			}
		}
		cancel()
		_ = h.Take("/z", drivers[0], false) // without a notification
		if changes != notified {
			t.Fatal("notified after the end")
		}
	})
}

// stuckless counts zeros.
type stuckless struct {
	zeros  int
	closed bool
}

func (s *stuckless) Drive(v, w float64) error {
	if v == 0 && w == 0 {
		s.zeros++
	}
	return nil
}
func (s *stuckless) Close() { s.closed = true }

// TestCommandTopicOf: it accepts cmd_vel of every namespace with the two types of velocities, and nothing else.
func TestCommandTopicOf(t *testing.T) {
	for _, c := range []struct {
		topic, rosType, robot string
		stamped               bool
	}{
		{"/cmd_vel", cmdvel.Twist, "/", false}, {"/r/cmd_vel", cmdvel.Twist, "/r", false}, {"/a/b/cmd_vel", cmdvel.TwistStamped, "/a/b", true},
		{"/cmd_vel", "std_msgs/msg/String", "", false}, {"cmd_vel", cmdvel.Twist, "", false}, {"/xcmd_vel", cmdvel.Twist, "", false},
		{"/cmd_vel/x", cmdvel.Twist, "", false}, {"/r/cmd_vel_raw", cmdvel.Twist, "", false}, {"", cmdvel.Twist, "", false},
	} {
		s := CommandTopicOf(c.topic, c.rosType)
		if (s != nil) != (c.robot != "") || s != nil && (s.Robot != c.robot || s.stamped != c.stamped) {
			t.Errorf("%s of %s: %+v", c.topic, c.rosType, s)
		}
	}
}

// speeds returns a Twist or TwistStamped of six numbers.
func speeds(t *testing.T, rosType string, n [6]float64) *dynamic.Message {
	t.Helper()
	typ, err := dynamic.Resolve(rosType, msgs.Definition)
	must(t, err)
	m := dynamic.New(typ)
	twist := m
	if rosType == cmdvel.TwistStamped {
		twist = part(m, "twist")
	}
	for i, field := range []string{"linear", "angular"} {
		for j, axis := range []string{"x", "y", "z"} {
			must(t, part(twist, field).Set(axis, n[3*i+j]))
		}
	}
	return m
}

// TestDriveByMessage: the forward and the angular velocity of both types are used, and the robot is taken first.
func TestDriveByMessage(t *testing.T) {
	for _, rosType := range []string{cmdvel.Twist, cmdvel.TwistStamped} {
		rig(t, func(h *Arbiter, w map[string]*wheel) {
			d, s := &Driver{}, CommandTopicOf("/r/cmd_vel", rosType)
			must(t, h.DriveByMessage(s, d, speeds(t, rosType, [6]float64{1, 2, 3, 4, 5, 6})))
			must(t, h.DriveByMessage(s, d, speeds(t, rosType, [6]float64{})))
			if got := fmt.Sprint(w["/r"].sent()); got != "[1,6@0 0,0@0]" {
				t.Error(rosType, got)
			}
			if err := h.DriveByMessage(s, &Driver{}, speeds(t, rosType, [6]float64{})); !errors.Is(err, ErrTaken) {
				t.Error(err)
			}
			if err := h.DriveByMessage(s, d, speeds(t, rosType, [6]float64{5: math.NaN()})); !errors.Is(err, ErrSpeed) {
				t.Error(err)
			}
		})
	}
}

// TestMessagesOfAnotherLayout: a node may describe another type of that name; missing fields are 0.
func TestMessagesOfAnotherLayout(t *testing.T) {
	for _, text := range []string{"", "float64 linear\nstring angular\n", "float64[] linear\n"} {
		typ, err := dynamic.Resolve("x/msg/Odd", func(string) (string, bool) { return text, true })
		must(t, err)
		for _, rosType := range []string{cmdvel.Twist, cmdvel.TwistStamped} {
			rig(t, func(h *Arbiter, w map[string]*wheel) {
				must(t, h.DriveByMessage(CommandTopicOf("/r/cmd_vel", rosType), &Driver{}, dynamic.New(typ)))
				if got := fmt.Sprint(w["/r"].sent()); got != "[0,0@0]" {
					t.Errorf("%q: %s", text, got)
				}
			})
		}
	}
}

// TestOnHub: a robot that subscribes to TwistStamped only gets that, with the time; all others get Twist.
func TestOnHub(t *testing.T) {
	for name, c := range map[string]struct{ plain, stamped bool }{
		"plain": {true, false}, "stamped": {false, true}, "both": {true, true}, "not there yet": {false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := ros2test.NewNetwork()
			node, err := ros2.NewNode(ros2.NodeConfig{Name: "robot", Transport: network.NewTransport()})
			must(t, err)
			h, err := hub.New(hub.Config{Transport: network.NewTransport(), Node: ros2.NodeName{Namespace: "/", Name: "_hub"}, Types: msgs.Definition})
			must(t, err)
			defer func() { must(t, errors.Join(h.Close(), node.Close())) }()
			var got []string
			if c.plain {
				_, err = ros2.NewSubscription(node, "/r/cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.Twist, _ ros2.MessageInfo) {
					got = append(got, fmt.Sprintf("plain %g %g", m.Linear.X, m.Angular.Z))
				})
				must(t, err)
			}
			if c.stamped {
				_, err = ros2.NewSubscription(node, "/r/cmd_vel", ros2.DefaultQoS(), func(m *geometry_msgs.TwistStamped, _ ros2.MessageInfo) {
					got = append(got, fmt.Sprintf("stamped %g %g", m.Twist.Linear.X, m.Twist.Angular.Z))
					if m.Header.Stamp.Sec != int32(time.Now().Unix()) {
						t.Errorf("%s: stamp %+v", name, m.Header.Stamp)
					}
				})
				must(t, err)
			}
			r, err := OnHub(h)("/r")
			must(t, err)
			must(t, errors.Join(r.Drive(0.1, -2), r.Drive(0, 0)))
			r.Close()
			r.Close() // harmless
			want := []string{}
			switch {
			case c.plain:
				want = []string{"plain 0.1 -2", "plain 0 0"}
			case c.stamped:
				want = []string{"stamped 0.1 -2", "stamped 0 0"}
			}
			if !slices.Equal(got, want) && len(got)+len(want) > 0 {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			if n := h.Stats().Publications; n != 0 {
				t.Errorf("%s: %d publications after Close", name, n)
			}
			if _, err := OnHub(h)("/a b"); err == nil {
				t.Error("a name with a space was opened")
			}
		})
	}
}
