// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// A robot that was driving when the link was lost keeps driving, and stops as soon as it is connected again.
func TestLostRobotStopsWhenReconnected(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		d := r.dev(nil)
		r.connected(d)
		drive := func() error {
			_, err := d.Exchange(mcu.Command{Left: 200, Right: 200})
			return err
		}
		for range 10 {
			r.must(drive())
		}
		r.setFar(true)
		time.Sleep(20 * time.Second)
		err := drive()
		if i2c.KindOf(err) != i2c.KindNAK || d.Diagnosis().Health != mcu.HealthNoAnswer {
			t.Errorf("%v, %+v", err, d.Diagnosis())
		}
		if text := d.Diagnosis().Text; text == "" || text == (&mcu.Diagnosis{}).Text {
			t.Error("no advice")
		}
		if v := r.speeds(); v[0] < 199 {
			t.Errorf("the real robot keeps its speed; here it is %v", v)
		}
		r.mu.Lock()
		dials := r.dials
		r.mu.Unlock()
		if dials < 5 || dials > 9 { // 0.25, 0.5, 1, 2, 4, 5, 5 s
			t.Errorf("%d attempts in 20 s", dials)
		}
		r.setFar(false)
		r.until("it stops", func() bool { return r.speeds() == [2]float64{} })
		r.connected(d)
		r.must(drive())
	})
}

// rude corrupts the data that a robot sends.
type rude struct {
	net.Conn
	spoil func(p []byte) []byte
}

func (c rude) Write(p []byte) (int, error) {
	if q := c.spoil(p); len(q) > 0 {
		if n, err := c.Conn.Write(q); err != nil {
			return n, err
		}
	}
	return len(p), nil
}

// For any data from the robot, an exchange ends in time, and the link recovers when the data are valid again.
func TestMisbehavingRobots(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"silent":       func([]byte) []byte { return nil },
		"half":         func(p []byte) []byte { return p[:len(p)/2] },
		"unknown kind": func(p []byte) []byte { return append([]byte{7}, p...) },
		"one more":     func(p []byte) []byte { return append(p[:len(p):len(p)], 0xFF) },
		"empty":        func([]byte) []byte { return []byte{byte(packet.KindEmpty)} },
		"pictures": func([]byte) []byte {
			return append([]byte{byte(packet.KindPicture)}, make([]byte, packet.PictureSize)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, plain, func(r *rig) {
				var spoiled atomic.Bool
				r.again(func(c net.Conn) net.Conn {
					return rude{c, func(p []byte) []byte {
						if spoiled.Load() {
							return spoil(p)
						}
						return p
					}}
				})
				bus := r.robot.Bus()
				command := mcu.Command{Left: 100, Right: 100}
				var w [mcu.CommandSize]byte
				command.Put(&w)
				var reply [mcu.SensorsSize]byte
				r.until("connected", func() bool { return bus.Tx(mcu.Addr, w[:], reply[:]) == nil })
				spoiled.Store(true)
				failures := 0
				for range 100 {
					began := time.Now()
					err := bus.Tx(mcu.Addr, w[:], reply[:])
					if took := time.Since(began); took > robot.ResponseTimeout {
						t.Fatalf("an exchange took %v: %v", took, err)
					}
					if err != nil {
						failures++
					}
					time.Sleep(50 * time.Millisecond)
				}
				if failures < 50 {
					t.Errorf("%d of 100 exchanges failed", failures)
				}
				spoiled.Store(false)
				r.until("back", func() bool { return bus.Tx(mcu.Addr, w[:], reply[:]) == nil })
				command.Left, command.Right = 0, 0
				command.Put(&w)
				r.must(bus.Tx(mcu.Addr, w[:], reply[:]))
			})
		})
	}
}

// A robot that reads nothing costs the connection, not the caller's time.
func TestStuckWrite(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		d := r.dev(nil)
		r.connected(d)
		stuck := make(chan net.Conn, 2)
		r.again(func(c net.Conn) net.Conn {
			mine, other := net.Pipe() // the other end is not read
			stuck <- c
			stuck <- other
			return mine
		})
		first, second := <-stuck, <-stuck
		r.mu.Lock()
		r.wrap = nil
		r.mu.Unlock()
		time.Sleep(10 * time.Second)
		r.mu.Lock()
		dials := r.dials
		r.mu.Unlock()
		if dials < 3 {
			t.Errorf("%d connections", dials)
		}
		r.must(first.Close())
		r.must(second.Close())
		r.connected(d)
	})
}

func TestConfigAndClosing(t *testing.T) {
	for _, c := range []robot.Config{{}, {Address: "a:b:c"}, {Address: "a b"}} {
		if _, err := robot.New(c); !errors.Is(err, robot.ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	inBubble(t, plain, func(r *rig) {
		b := r.robot.Bus()
		other := r.robot.Bus()
		var w [mcu.CommandSize]byte
		var reply [mcu.SensorsSize]byte
		new(mcu.Command).Put(&w)
		r.until("there", func() bool { return other.Tx(mcu.Addr, w[:], reply[:]) == nil })
		r.must(b.Close())
		if err := b.Tx(mcu.Addr, w[:], reply[:]); i2c.KindOf(err) != i2c.KindGone {
			t.Errorf("after Close: %v", err)
		}
		r.must(other.Tx(mcu.Addr, w[:], reply[:]))
		for _, addr := range []uint16{0x10, 0x21, 0x29, 0x60, 0x68} {
			if err := other.Tx(addr, []byte{0}, make([]byte, 1)); i2c.KindOf(err) != i2c.KindNAK {
				t.Errorf("address %#x: %v", addr, err)
			}
		}
		if err := other.SetSpeed(1); !errors.Is(err, i2c.ErrUnsupported) {
			t.Error(err)
		}
		if got, want := other.String(), "wifi:epuck:1000"; got != want || r.robot.Address() != "epuck:1000" {
			t.Errorf("%q, %q", got, r.robot.Address())
		}
	})
}

// TestSecondClientGetsErrOccupied: a robot that accepts a connection and sends nothing is connected to another program.
// The error, the advice and, once, the log report that; not for a robot that stops sending later or can't be reached.
func TestSecondClientGetsErrOccupied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		var mu sync.Mutex
		var theirs []net.Conn
		refuse := false
		r, err := robot.New(robot.Config{
			Address: "epuck", Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Dial: func(context.Context, string) (net.Conn, error) {
				mu.Lock()
				defer mu.Unlock()
				if refuse {
					return nil, errFar
				}
				mine, its := net.Pipe()
				theirs = append(theirs, its)
				go func() { _, _ = io.Copy(io.Discard, its) }() // the robot's queue accepts the data
				return mine, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		d, err := mcu.New(r.Bus(), nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond) // driver.Probe waits for 2 s
		if text := d.Probe().Text; !strings.Contains(text, "another program is connected to it") {
			t.Errorf("advice at the start %q", text)
		}
		time.Sleep(time.Minute)
		_, err = d.Exchange(mcu.Command{})
		if err == nil || !strings.Contains(err.Error(), "another program is connected") {
			t.Errorf("%v", err)
		}
		if text := d.Probe().Text; !strings.Contains(text, "another program is connected to it, and it talks to one at a time") {
			t.Errorf("advice %q", text)
		}
		mu.Lock()
		refuse = true
		mu.Unlock()
		time.Sleep(time.Minute)
		if _, err = d.Exchange(mcu.Command{}); err == nil || strings.Contains(err.Error(), "another program") {
			t.Errorf("%v", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if n := strings.Count(log.String(), "another program is connected"); n != 1 || strings.Count(log.String(), "\n") != 2 {
			t.Errorf("log:\n%s", &log)
		}
		for _, c := range theirs {
			_ = c.Close()
		}
	})
}
