// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// peer is the robot's end of a connection.
type peer struct {
	testing.TB
	net.Conn
}

// command reads a command.
func (p peer) command() packet.Command {
	p.Helper()
	var b [packet.CommandSize]byte
	if _, err := io.ReadFull(p, b[:]); err != nil {
		p.Fatal("no command: ", err)
	}
	c, err := packet.DecodeCommand(b[:])
	if err != nil {
		p.Fatal(err)
	}
	return c
}

// sensors sends sensors.
func (p peer) sensors() {
	p.Helper()
	var s packet.Sensors
	b := append([]byte{byte(packet.KindSensors)}, make([]byte, packet.SensorsSize)...)
	s.Put((*[packet.SensorsSize]byte)(b[1:]))
	if _, err := p.Write(b); err != nil {
		p.Fatal(err)
	}
}

// send makes a transaction with the main processor.
func send(r *robot.Robot, c mcu.Command) error {
	var w [mcu.CommandSize]byte
	var reply [mcu.SensorsSize]byte
	c.Put(&w)
	return r.Bus().Tx(mcu.Addr, w[:], reply[:])
}

// A melody and a calibration requested during a motion, and not yet written when the robot is stopped, do not restart
// the motion.
func TestOneShotsDoNotBringAMotionBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mine, its := net.Pipe()
		p := peer{t, its}
		r, err := robot.New(robot.Config{Address: "epuck", Dial: func(context.Context, string) (net.Conn, error) { return mine, nil }})
		if err != nil {
			t.Fatal(err)
		}
		p.command()
		p.sensors() // dropped: may be those of the previous client
		p.sensors()
		synctest.Wait()
		var sent sync.WaitGroup
		for _, c := range []mcu.Command{
			{Left: 300, Right: 300}, // blocks in the write
			{Left: 300, Right: 300, Melody: 1},
			{Left: 300, Right: 300, Settings: mcu.CalibrateIR},
			{Left: 300, Right: 300, Melody: 2},
			{Left: 300, Right: 300, Melody: 3}, // one too many: dropped
			{LEDs: mcu.LEDs(packet.LED3)},
		} {
			sent.Go(func() { _ = send(r, c) })
			synctest.Wait()
		}
		if first := p.command(); first.Left != 300 || first.Sound != 0 {
			t.Errorf("first %+v", first)
		}
		for i, want := range []packet.Command{
			{Sound: packet.SoundMario}, {Settings: packet.CalibrateIR}, {Sound: packet.SoundUnderworld}, {},
		} {
			want.Request, want.LEDs = packet.RequestSensors, packet.LED3
			if c := p.command(); c != want {
				t.Errorf("command %d behind it: %+v, want %+v", i, c, want)
			}
		}
		go func() { _, _ = io.Copy(io.Discard, its) }()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		sent.Wait()
		_ = its.Close()
	})
}

// A robot drops all but the latest of five waiting commands. So after a request to calibrate, for which no exchange
// waits, one command is written for each answer, and at the end the last one even without an answer.
func TestCommandsDoNotOverrunTheRequestToCalibrate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mine, its := net.Pipe()
		p := peer{t, its}
		r, err := robot.New(robot.Config{Address: "epuck", Dial: func(context.Context, string) (net.Conn, error) { return mine, nil }})
		if err != nil {
			t.Fatal(err)
		}
		p.command()
		p.sensors() // dropped: may be those of the previous client
		p.sensors()
		synctest.Wait()
		commands := make(chan packet.Command, 99)
		go func() {
			var b [packet.CommandSize]byte
			for {
				if _, err := io.ReadFull(its, b[:]); err != nil {
					close(commands)
					return
				}
				c, _ := packet.DecodeCommand(b[:])
				commands <- c
			}
		}()
		exchange := func(c mcu.Command) {
			if err := send(r, c); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		exchange(mcu.Command{Settings: mcu.CalibrateIR})
		lamps := [...]packet.LEDs{packet.LED1, packet.LED3, packet.LED5, packet.LED7}
		for _, l := range lamps {
			exchange(mcu.Command{LEDs: mcu.LEDs(l)})
		}
		check := func(when string, want ...packet.Command) {
			t.Helper()
			for i := range want {
				want[i].Request = packet.RequestSensors
			}
			var got []packet.Command
			for len(commands) > 0 {
				got = append(got, <-commands)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
		}
		check("before an answer", packet.Command{Settings: packet.CalibrateIR}, packet.Command{})
		p.sensors()
		synctest.Wait()
		check("after an answer", packet.Command{LEDs: packet.LED7})
		exchange(mcu.Command{LEDs: mcu.LEDs(packet.LED1)})
		check("before the next")
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if c := <-commands; c.LEDs != packet.LED1 {
			t.Errorf("at the end: %+v", c)
		}
		_ = its.Close()
	})
}

// The last command reaches the robot even if the program ends at once with unread data: the robot reads the command,
// then an orderly end of the connection.
func TestCloseSendsLastCommand(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for range 20 {
		r, err := robot.New(robot.Config{Address: listener.Addr().String()})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		p := peer{t, conn}
		if err := conn.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
			t.Fatal(err)
		}
		p.command()
		p.sensors()
		p.sensors()
		go func() { // still unread when the connection ends
			p := make([]byte, 1+packet.SensorsSize)
			p[0] = byte(packet.KindSensors)
			for {
				if _, err := conn.Write(p); err != nil {
					return
				}
			}
		}()
		for send(r, mcu.Command{Left: 100, Right: 100}) != nil { // until it is up
		}
		p.readUntil(packet.Command{Request: packet.RequestSensors, Left: 100, Right: 100})
		_ = send(r, mcu.Command{}) // answered by sensors in transit, whether it is written or not
		closed := make(chan error, 1)
		go func() { closed <- r.Close() }()
		p.readUntil(packet.Command{Request: packet.RequestSensors})
		if rest, err := io.ReadAll(conn); err != nil || len(rest)%packet.CommandSize != 0 {
			t.Errorf("behind the last command: %d bytes, %v", len(rest), err)
		}
		_ = conn.Close()
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
}

// readUntil reads commands until the given one.
func (p peer) readUntil(want packet.Command) {
	p.Helper()
	for p.command() != want {
	}
}
