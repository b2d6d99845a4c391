// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/noise"
	"github.com/epuck-ros2/epuck-driver/sim/vbus"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// MarshalBinary and UnmarshalBinary keep an avoider's state in a snapshot.
func (v *avoider) MarshalBinary() ([]byte, error) {
	return binary.LittleEndian.AppendUint64(nil, v.turns), nil
}

func (v *avoider) UnmarshalBinary(b []byte) error {
	v.turns = binary.LittleEndian.Uint64(b)
	return nil
}

// mess is everything that can happen to a world, the same at the same times: transfers with all chips, good ones and
// nonsense, faults, users, robots that come and go.
func mess(t *testing.T, s *sim.Simulation, clock *sim.Clock, from, to int) {
	t.Helper()
	dice := noise.New(7)
	for k := from; k < to; k++ {
		n := uint64(k)
		for i, r := range sim.RobotsOf[*sim.Firmware](s) {
			d := dice.Stream(uint64(i))
			var cmd [20]byte
			binary.LittleEndian.PutUint16(cmd[0:], uint16(400+d.Uint64(n)%300))
			binary.LittleEndian.PutUint16(cmd[2:], uint16(400+d.Uint64(n+1000)%300))
			cmd[4], cmd[5], cmd[6] = byte(k%4), byte(k), byte(k%100)
			if k%40 == 30 {
				cmd[18] = 1 // calibrate
			}
			cmd[19] = xor(cmd[:19])
			_ = r.Bus().Tx(0x1F, cmd[:], make([]byte, 47)) // what fails is in the trace, too
			for _, addr := range []uint16{0x29, 0x60, 0x68, 0x21, 0x0C} {
				_ = r.Bus().Tx(addr, []byte{byte(d.Uint64(n + 2000)), byte(d.Uint64(n + 3000))}, nil)
				_ = r.Bus().Tx(addr, []byte{byte(d.Uint64(n + 4000))}, make([]byte, 6))
			}
			for _, addr := range []uint16{0x1C, 0x10} {
				_ = r.BoardBus().Tx(addr, []byte{byte(k % 3), byte(k % 7)}, make([]byte, 2))
			}
			_ = r.Say([]byte{byte(k)})
		}
		events(t, s, k)
		clock.Sleep(37 * time.Millisecond)
	}
}

// events are what users do at step k.
func events(t *testing.T, s *sim.Simulation, k int) {
	r := sim.RobotsOf[*sim.Firmware](s)[0]
	switch k {
	case 3:
		r.Listen(true)
		if err := r.Faults().SetRates(vbus.Rates{NAK: 0.02, CorruptRead: 0.02, CorruptWrite: 0.02}); err != nil {
			t.Fatal(err)
		}
	case 20:
		sim.RobotsOf[*sim.Firmware](s)[1].PickUp()
	case 25, 60:
		_ = sim.RobotsOf[*sim.Firmware](s)[1].Place(sim.Pose{X: 0.9, Y: 0.9, Theta: 1})
		_ = r.SendRemote(k)
	case 28, 55:
		r.Restart()
	case 31, 57:
		_ = r.Tilt(0.1, float64(k)/100)
		r.SetSound(1000)
	case 33, 58:
		_ = r.RemovePart(world.ToF)
	case 35, 59:
		_ = r.AddPart(world.ToF)
	case 36:
		_ = s.Remove("r6")
	case 37, 61:
		w := mixed(t, 1).Robots[0]
		w.Name, w.Position, w.Level = "new", world.Point{-0.9, 0.9}, world.LevelFunctional
		_, _ = s.Spawn(w)
	}
}

// A restored world continues as the one that was not interrupted, byte for byte, wherever it was cut.
func TestSnapshot(t *testing.T) {
	const end = 80
	begin := func() (*sim.Simulation, *sim.Clock) {
		s, clock := start(t, mixed(t, 12), sim.Options{Seed: 5, Trace: true, Settled: true})
		for i, a := range sim.RobotsOf[*sim.Functional](s) {
			if i%3 != 2 {
				if err := a.SetController(new(avoider), 100*time.Millisecond); err != nil {
					t.Fatal(err)
				}
			}
		}
		return s, clock
	}
	s, clock := begin()
	mess(t, s, clock, 0, end)
	want := hashOf(s)
	for _, cut := range []int{1, 22, 34, 39, 56} {
		s, clock := begin()
		mess(t, s, clock, 0, cut)
		var file bytes.Buffer
		if err := s.Snapshot(&file); err != nil {
			t.Fatal(err)
		}
		size := file.Len()
		later := sim.NewClock()
		restored, err := sim.Restore(&file, sim.Options{Now: later.Now, Workers: 1}, func(*sim.Functional) sim.Controller { return new(avoider) })
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if a, b := hashOf(s), hashOf(restored); a != b {
			t.Errorf("cut at %d: the restored world begins with another trace", cut)
		}
		mess(t, restored, later, cut, end)
		if got := hashOf(restored); got != want {
			t.Errorf("cut at %d: the restored world went another way", cut)
		}
		mess(t, s, clock, cut, end)
		if got := hashOf(s); got != want {
			t.Errorf("cut at %d: taking the snapshot changed the world", cut)
		}
		t.Logf("cut at %d: %d bytes", cut, size)
	}
}

// What is no snapshot is refused with a reason, whatever byte is wrong.
func TestRestoreRefuses(t *testing.T) {
	s, _ := start(t, mixed(t, 2), sim.Options{})
	var file bytes.Buffer
	if err := s.Snapshot(&file); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	try := func(b []byte) error {
		_, err := sim.Restore(bytes.NewReader(b), sim.Options{}, nil)
		return err
	}
	if err := try(good); err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, []byte("x"), good[:len(good)-1], good[:len(good)/2], append([]byte("epuck sim snapshot 2\n"), good[21:]...)} {
		if err := try(b); !errors.Is(err, sim.ErrSnapshot) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
	for i := 0; i < len(good); i += max(1, len(good)/200) {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if err := try(bad); err != nil && !errors.Is(err, sim.ErrSnapshot) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}
