// SPDX-License-Identifier: Apache-2.0

package wifi

import (
	"context"
	"io"
	"math"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// rig is a robot's radio in a bubble, and what one client after the other says to it.
type rig struct {
	testing.TB
	robot *sim.Functional
	radio *Radio
}

func inBubble(t *testing.T, text string, f func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{TB: t, robot: robots(t, text)[0]}
		var err error
		r.radio, err = NewRadio(r.robot)
		r.must(err)
		f(r)
	})
}

func robots(t testing.TB, text string) []*sim.Functional {
	t.Helper()
	return sim.RobotsOf[*sim.Functional](simulation(t, text))
}

func simulation(t testing.TB, text string) *sim.Simulation {
	t.Helper()
	w, err := sim.ParseWorld([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Robots {
		w.Robots[i].Level = world.LevelFunctional
	}
	s, err := sim.New(w, sim.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// client is one client's connection; f is its time.
func (r *rig) client(f func(c *client)) {
	r.Helper()
	mine, its := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.radio.Serve(context.Background(), its)
	}()
	f(&client{r, mine})
	r.must(mine.Close())
	<-ended
}

type client struct {
	*rig
	net.Conn
}

func (c *client) command(cmd packet.Command) {
	c.Helper()
	var p [packet.CommandSize]byte
	cmd.Put(&p)
	_, err := c.Write(p[:])
	c.must(err)
}

// answer reads one answer; ok is false if none comes within a time.
func (c *client) answer(within time.Duration) (kind packet.Kind, s packet.Sensors, ok bool) {
	c.Helper()
	c.must(c.SetReadDeadline(time.Now().Add(within)))
	var first [1]byte
	if _, err := io.ReadFull(c, first[:]); err != nil {
		return 0, s, false
	}
	kind = packet.Kind(first[0])
	n, err := kind.Size()
	c.must(err)
	body := make([]byte, n)
	_, err = io.ReadFull(c, body)
	c.must(err)
	if kind == packet.KindSensors {
		s, err = packet.DecodeSensors(body)
		c.must(err)
	}
	return kind, s, true
}

// sensors reads n answers, all of them sensors, and gives the last.
func (c *client) sensors(n int) (s packet.Sensors) {
	c.Helper()
	for range n {
		kind, got, ok := c.answer(5 * time.Second)
		if !ok || kind != packet.KindSensors {
			c.Fatalf("no sensors: kind %d, %v", kind, ok)
		}
		s = got
	}
	return s
}

func (r *rig) speed() [2]float64 {
	t := r.robot.GroundTruth()
	return [2]float64{math.Round(t.LeftSpeed / perStep), math.Round(t.RightSpeed / perStep)}
}

const plain = "robots: [{name: r}]\n"

func forward(speed int16) packet.Command {
	return packet.Command{Request: packet.RequestSensors, Left: speed, Right: speed}
}

// Nothing comes before the first command; then an answer every 20 ms without being asked again.
func TestItAnswersOnItsOwn(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		r.client(func(c *client) {
			if _, _, ok := c.answer(time.Second); ok {
				t.Error("an answer before the first command")
			}
			c.command(forward(500))
			c.sensors(1)
			began := time.Now()
			s := c.sensors(50)
			if took := time.Since(began); took != time.Second {
				t.Errorf("50 answers took %v", took)
			}
			if s.Selector != 15 || s.LeftSteps < 450 || s.LeftSteps > 500 || s.Accel[2] < 700 || s.Accel[2] > 830 || s.Distance == 0 || s.Spare != 0 {
				t.Errorf("after a second at 500 steps/s: %+v", s)
			}
			if v := s.Volts(); v < 3.5 || v > 4.3 {
				t.Errorf("battery %v V", v)
			}
		})
	})
}

// The wheels of a robot whose client is gone keep their speed: no processor of it has a watchdog. The next client's
// first answer is as old as the last one's.
func TestClientThatIsGone(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		r.client(func(c *client) {
			c.command(forward(300))
			c.sensors(10)
		})
		time.Sleep(10 * time.Second)
		if v := r.speed(); v != [2]float64{301, 301} { // as the timer makes it, 100 kHz / 2 / 166
			t.Errorf("the wheels turn at %v", v)
		}
		r.client(func(c *client) {
			c.command(forward(0))
			if s := c.sensors(1); s.LeftSteps > 100 {
				t.Errorf("the first answer is new: %d steps", s.LeftSteps)
			}
			if s := c.sensors(1); s.LeftSteps < 2900 {
				t.Errorf("the second is old: %d steps", s.LeftSteps)
			}
			c.sensors(2)
			if v := r.speed(); v != [2]float64{} {
				t.Errorf("commanded to stop: %v", v)
			}
		})
	})
}

// A command cut short silences the robot until the rest has arrived; the wheels keep their speed. One that begins
// otherwise is obeyed all the same, but not as the first.
func TestTruncatedCommands(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		r.client(func(c *client) {
			other := make([]byte, packet.CommandSize)
			other[1], other[3] = byte(packet.RequestSensors), 100
			_, err := c.Write(other)
			c.must(err)
			if _, _, ok := c.answer(time.Second); ok {
				t.Error("an answer to a first command that begins with 0")
			}
			c.command(forward(200))
			c.sensors(5)
			_, err = c.Write(other[:7])
			c.must(err)
			for { // what was on its way
				if _, _, ok := c.answer(time.Second); !ok {
					break
				}
			}
			time.Sleep(time.Minute)
			if v := r.speed(); v[0] != 200 {
				t.Errorf("the wheels turn at %v", v)
			}
			_, err = c.Write(other[7:])
			c.must(err)
			c.sensors(3)
			if v := r.speed(); v != [2]float64{100, 0} {
				t.Errorf("the whole command is not obeyed: %v", v)
			}
		})
	})
}

// Of five commands that wait the latest counts, also with a piece of the next behind it.
func TestBursts(t *testing.T) {
	for tail, want := range map[int][2]float64{0: {60, 60}, 5: {70, 70}} {
		inBubble(t, plain, func(r *rig) {
			r.client(func(c *client) {
				c.command(forward(0))
				c.sensors(2)
				var all []byte
				for i := range int16(7) {
					cmd := forward(10 * (i + 1))
					var p [packet.CommandSize]byte
					cmd.Put(&p)
					all = append(all, p[:]...)
				}
				if tail == 0 {
					all = all[:6*packet.CommandSize]
				}
				_, err := c.Write(all[:6*packet.CommandSize+tail])
				c.must(err)
				if tail > 0 {
					_, err = c.Write(all[6*packet.CommandSize+tail:])
					c.must(err)
				}
				c.sensors(4)
				if v := r.speed(); v != want {
					t.Errorf("tail %d: %v, want %v", tail, v, want)
				}
			})
		})
	}
}

// Each kind of request has its answers.
func TestRequests(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		for request, want := range map[packet.Request][]packet.Kind{
			0: {3, 3, 3}, packet.RequestSensors: {2, 2, 2}, packet.RequestPicture: {1, 1, 1},
			packet.RequestPicture | packet.RequestSensors: {1, 2, 1, 2}, 4: nil, 4 | packet.RequestSensors: {2, 2},
		} {
			r.client(func(c *client) {
				c.command(packet.Command{Request: request})
				for i, k := range want {
					if got, _, ok := c.answer(time.Second); got != k || !ok {
						t.Errorf("request %d, answer %d: kind %d, want %d", request, i, got, k)
					}
				}
				if _, _, ok := c.answer(time.Second); ok != (want != nil) {
					t.Errorf("request %d: more %v", request, ok)
				}
			})
		}
	})
}

// A calibration silences the robot for a second and the pause of its radio, for each command with the bit.
func TestCalibrationSilences(t *testing.T) {
	inBubble(t, "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.45, 0]}]\n", func(r *rig) {
		r.client(func(c *client) {
			c.command(forward(0))
			before := c.sensors(2)
			calibrate := forward(0)
			calibrate.Settings = packet.CalibrateIR
			c.command(calibrate)
			c.command(forward(0))
			longest, last := time.Duration(0), time.Now()
			var s packet.Sensors
			for range 20 {
				s = c.sensors(1)
				longest, last = max(longest, time.Since(last)), time.Now()
			}
			if longest < time.Second || longest > 1200*time.Millisecond {
				t.Errorf("silent for %v", longest)
			}
			if before.Proximity[0] < 200 || s.Proximity[0] > before.Proximity[0]/4 {
				t.Errorf("before %v, after %v", before.Proximity, s.Proximity)
			}
		})
	})
}

func TestSettingsAndLEDs(t *testing.T) {
	inBubble(t, "arena: {size: [1, 1]}\nrobots: [{name: r, position: [0.44, 0]}]\n", func(r *rig) {
		r.client(func(c *client) {
			c.command(forward(0))
			c.sensors(3)
			set := packet.Command{Request: packet.RequestSensors, Settings: packet.SetSteps, Left: 1000, Right: -1000,
				LEDs: packet.LED3 | packet.LEDBody, RGB: [4]packet.RGB{{R: 100, G: 50}, {R: 101, G: 7}}, Sound: packet.SoundStarWars}
			c.command(set)
			if s := c.sensors(4); s.LeftSteps != 1000 || s.RightSteps != -1000 || r.speed() != [2]float64{} {
				t.Errorf("counters %d %d", s.LeftSteps, s.RightSteps)
			}
			truth := r.robot.GroundTruth()
			if l := truth.LEDs; l.Red != [4]bool{false, true} || l.RGB[0] != [3]uint8{100, 50} || l.RGB[1] != [3]uint8{} {
				t.Errorf("LEDs %+v", l)
			}
			if truth.Melody != 3 {
				t.Errorf("melody %d", truth.Melody)
			}
			avoid := forward(300)
			avoid.Settings = packet.ObstacleAvoidance
			c.command(avoid)
			c.sensors(100)
			if x := r.robot.GroundTruth().Pose.X; x > 0.46 || r.robot.GroundTruth().Collided {
				t.Errorf("a robot that avoids obstacles is at %v", x)
			}
		})
	})
}

// A client that takes nothing is sent away after a minute.
func TestClientThatTakesNothing(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		mine, its := net.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r.radio.Serve(context.Background(), its)
		}()
		c := &client{r, mine}
		began := time.Now()
		c.command(forward(100))
		<-ended
		if took := time.Since(began); took < clientTimeout || took > clientTimeout+time.Second {
			t.Errorf("it was served for %v", took)
		}
		r.must(mine.Close())
		r.client(func(c *client) {
			c.command(forward(0))
			c.sensors(3)
		})
	})
}

// Whatever bytes come, receiving ends, and what is left of them is less than was there.
func FuzzReceive(f *testing.F) {
	f.Add([]byte{packet.CommandID, 2, 20: 0})
	f.Add(make([]byte, flushAt+3))
	f.Fuzz(func(t *testing.T, p []byte) {
		s := session{ctx: context.Background(), in: inbox{bytes: p, ended: true}}
		for n := len(p); s.receive() && n > 0; {
			if len(s.in.bytes) >= n {
				t.Fatalf("%d bytes are left of %d", len(s.in.bytes), n)
			}
			n = len(s.in.bytes)
		}
	})
}
