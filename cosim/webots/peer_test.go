// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/webots/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// peer is a controller of the tests, that speaks as libController does.
type peer struct {
	t       testing.TB
	conn    net.Conn
	local   bool
	release wire.Release
	now     float64
	names   map[string]uint16
	kinds   map[string]uint16
	step    float64
	values  map[uint16][]float64 // the latest of each device
	energy  float64
	image   []byte
	file    string
	size    int32 // of what is in it
	heard   []string
	over    []string
	quit    bool
	other   []byte // the latest answer that needs no time
	configs map[string][]byte
	model   string
}

// meet connects a controller over TCP; the rest is what the server says before it knows the controller.
func (g *rig) meet(handshake string) (conn net.Conn, answer string) {
	g.t.Helper()
	conn, err := net.Dial("tcp", g.server.Addr().String())
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.Write([]byte(handshake)); err != nil {
		g.t.Fatal(err)
	}
	b := make([]byte, 10)
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := conn.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		g.t.Fatal(err)
	}
	return conn, string(b[:n])
}

// control makes a controller of a robot over TCP and reads what the robot has.
func (g *rig) control(robot string) *peer {
	g.t.Helper()
	conn, answer := g.meet("CTR\nRobot-Name: " + robot)
	if answer != wire.Connected {
		g.t.Fatalf("robot %s: %q", robot, answer)
	}
	p := &peer{t: g.t, conn: conn, release: wire.Latest()}
	p.begin()
	return p
}

// controlLocally does the same by a socket of this machine.
func (g *rig) controlLocally(folder, robot string, release wire.Release) *peer {
	g.t.Helper()
	_, port, _ := net.SplitHostPort(g.server.Addr().String())
	at := filepath.Join(folder, "webots", "tester", port)
	if !release.Pathed() {
		at = filepath.Join(folder, "webots-"+port)
	}
	conn, err := net.Dial("unix", filepath.Join(at, "ipc", robot, "extern"))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = conn.Close() })
	p := &peer{t: g.t, conn: conn, local: true, release: release}
	p.begin()
	return p
}

// begin asks for the devices.
func (p *peer) begin() {
	p.t.Helper()
	p.values, p.names, p.kinds = map[uint16][]float64{}, map[string]uint16{}, map[string]uint16{}
	p.configs = map[string][]byte{}
	p.do(0)
	if len(p.names) == 0 {
		p.t.Fatal("no devices")
	}
}

// part is what is wanted of a device, as bytes.
func (p *peer) part(device string, body ...byte) wire.Part {
	p.t.Helper()
	tag, ok := p.names[device]
	if !ok && device != "" {
		p.t.Fatalf("no device %q", device)
	}
	return wire.Part{Tag: tag, Body: body}
}

// period switches a sensor on.
func (p *peer) period(device string, ms uint16) wire.Part {
	return p.part(device, wire.Period, byte(ms), byte(ms>>8))
}

// motor sets what a motor has a double for.
func (p *peer) motor(device string, code uint16, v float64) wire.Part {
	return p.part(device, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16(nil, code), math.Float64bits(v))...)
}

// drive turns both wheels of an e-puck.
func (p *peer) drive(left, right float64) []wire.Part {
	return []wire.Part{p.turn("left wheel motor", left), p.turn("right wheel motor", right)}
}

// turn lets a motor move on and on.
func (p *peer) turn(motor string, v float64) wire.Part {
	part := p.motor(motor, wire.MotorPosition, math.Inf(1))
	part.Body = append(part.Body, p.motor(motor, wire.MotorVelocity, v).Body...)
	return part
}

// send sends a request.
func (p *peer) send(ms int, parts ...wire.Part) {
	p.t.Helper()
	slices.SortStableFunc(parts, func(a, b wire.Part) int { return int(a.Tag) - int(b.Tag) })
	if _, err := p.conn.Write(wire.AppendRequest(nil, wire.Request{Step: time.Duration(ms) * time.Millisecond, Parts: parts})); err != nil {
		p.t.Fatal(err)
	}
}

// do sends a request and takes the answer.
func (p *peer) do(ms int, parts ...wire.Part) {
	p.t.Helper()
	p.send(ms, parts...)
	if err := p.take(); err != nil {
		p.t.Fatal(err)
	}
}

// bytes reads n bytes.
func (p *peer) bytes(n int) ([]byte, error) {
	b := make([]byte, n)
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	_, err := io.ReadFull(p.conn, b)
	return b, err
}

// take reads an answer.
func (p *peer) take() error {
	p.t.Helper()
	var data []byte
	if p.local {
		head, err := p.bytes(4)
		if err != nil {
			return err
		}
		if data, err = p.bytes(int(binary.LittleEndian.Uint32(head)) - 4); err != nil {
			return err
		}
	} else {
		head, err := p.bytes(6)
		if err != nil {
			return err
		}
		for range binary.LittleEndian.Uint16(head) {
			chunk, err := p.bytes(5)
			if err != nil {
				return err
			}
			size := int(binary.LittleEndian.Uint32(chunk))
			if chunk[4] == 1 {
				if _, err = p.bytes(3); err == nil {
					p.image, err = p.bytes(size)
				}
			} else if size != int(binary.LittleEndian.Uint32(head[2:])) {
				p.t.Fatalf("a chunk of %d bytes of %x", size, head[2:])
			} else {
				data, err = p.bytes(size)
			}
			if err != nil {
				return err
			}
		}
	}
	if delay := binary.LittleEndian.Uint32(data); delay != 0 {
		p.t.Errorf("delay %d", delay)
	}
	p.read(&reader{p.t, data[4:]})
	return nil
}

// reader takes values from an answer.
type reader struct {
	t testing.TB
	b []byte
}

func (r *reader) next(n int) []byte {
	r.t.Helper()
	if n > len(r.b) {
		r.t.Fatalf("%d bytes missing", n-len(r.b))
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}
func (r *reader) byte() byte     { r.t.Helper(); return r.next(1)[0] }
func (r *reader) uint16() uint16 { r.t.Helper(); return binary.LittleEndian.Uint16(r.next(2)) }
func (r *reader) int32() int32   { r.t.Helper(); return int32(binary.LittleEndian.Uint32(r.next(4))) }
func (r *reader) float() float64 {
	r.t.Helper()
	return math.Float64frombits(binary.LittleEndian.Uint64(r.next(8)))
}
func (r *reader) string() string {
	r.t.Helper()
	n := slices.Index(r.b, 0)
	if n < 0 {
		r.t.Fatal("a text without its end")
	}
	return string(r.next(n + 1)[:n])
}

func (r *reader) floats(n int) (v []float64) {
	r.t.Helper()
	for range n {
		v = append(v, r.float())
	}
	return v
}

// read reads the messages of an answer.
func (p *peer) read(r *reader) {
	p.t.Helper()
	for len(r.b) > 0 {
		tag, code := r.uint16(), r.byte()
		if tag == 0 {
			p.readRobot(r, code)
			continue
		}
		kind := wire.Kind(0)
		for name, number := range p.names {
			if number == tag {
				kind = wire.Kind(p.kinds[name] - p.release.Number(0))
			}
		}
		if code == wire.Configure {
			before := r.b
			p.readDevice(r, kind)
			for name, number := range p.names {
				if number == tag {
					p.configs[name] = before[:len(before)-len(r.b)]
				}
			}
			continue
		}
		switch kind {
		case wire.Accelerometer, wire.Gyro, wire.Compass:
			p.values[tag] = r.floats(3)
		case wire.InertialUnit:
			p.values[tag] = r.floats(4)
		case wire.GPS:
			p.values[tag] = r.floats(7)
		case wire.Camera, wire.Lidar:
			p.size = r.int32()
			p.file = r.string()
		case wire.Receiver:
			channel, at := r.int32(), r.floats(4)
			p.heard = append(p.heard, string(r.next(int(r.int32()))))
			p.values[tag] = append(at, float64(channel))
		case wire.Speaker:
			if code == wire.SoundOver {
				p.over = append(p.over, r.string())
			} else {
				p.over = append(p.over, "speech")
			}
		case wire.Motor, wire.LinearMotor, wire.PositionSensor:
			if code == wire.MotorAssociated || kind == wire.PositionSensor && code == wire.PositionAssociated {
				p.values[tag] = []float64{float64(r.uint16())}
				continue
			}
			p.values[tag] = r.floats(1)
		default:
			p.values[tag] = r.floats(1)
		}
	}
}

// readRobot reads a message for the robot itself.
func (p *peer) readRobot(r *reader, code byte) {
	p.t.Helper()
	switch code {
	case wire.RobotTime:
		p.now = r.float()
	case wire.RobotBatteryValue:
		p.energy = r.float()
	case wire.RobotQuit:
		p.quit = true
	case wire.RobotAwaitInput, wire.RobotURDF:
		p.other, r.b = append([]byte{code}, r.b...), nil
	case wire.Configure:
		if p.release.Names() {
			r.string()
			if v := r.string(); v != p.release.String() {
				p.t.Errorf("release %q", v)
			}
		}
		r.next(2)
		devices := make([]string, r.uint16())
		if n := r.uint16(); n != p.release.Number(wire.Robot) {
			p.t.Fatalf("node %d", n)
		}
		p.now = r.float()
		if !p.release.Names() {
			r.string()
		}
		for i := range devices[1:] {
			n := r.uint16()
			name := r.string()
			r.string()
			p.names[name], p.kinds[name] = uint16(i+1), n
		}
		p.step = r.float()
		for i := range 7 {
			if text := r.string(); i == 2 {
				p.model = text
			}
		}
		r.next(6)
	default:
		p.t.Fatalf("message %d to the robot", code)
	}
}

// value is the latest number of a sensor.
func (p *peer) value(device string) float64 {
	p.t.Helper()
	v := p.values[p.names[device]]
	if len(v) == 0 {
		return math.NaN()
	}
	return v[0]
}

// truth is the true state of a robot.
func (g *rig) truth(robot string) (left, right, x, y float64) {
	g.t.Helper()
	for _, a := range sim.RobotsOf[*sim.Functional](g.sim) {
		if a.Name() == robot {
			t := a.GroundTruth()
			return t.LeftSpeed, t.RightSpeed, t.Pose.X, t.Pose.Y
		}
	}
	g.t.Fatalf("no robot %q", robot)
	return 0, 0, 0, 0
}
