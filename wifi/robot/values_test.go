// SPDX-License-Identifier: Apache-2.0

package robot_test

import (
	"context"
	"errors"
	"math"
	"net"
	"testing"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/ground"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
	"github.com/epuck-ros2/epuck-driver/wifi/robot"
)

// countedBus counts the transactions of the bus that it wraps.
type countedBus struct {
	pi2c.Bus
	n int
}

func (b *countedBus) Tx(addr uint16, w, r []byte) error { b.n++; return b.Bus.Tx(addr, w, r) }

// WrapBus calls wrap before it returns, and the main processor's exchanges pass through what wrap has returned.
func TestWrappedBusHasTheExchanges(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		var counted *countedBus
		r.robot.WrapBus(func(bus pi2c.Bus) pi2c.Bus {
			counted = &countedBus{Bus: bus}
			return counted
		})
		if counted == nil {
			t.Fatal("wrap was not called")
		}
		v, err := r.robot.Open(settings())
		r.must(err)
		p, err := v.NewProcessor(nil)
		r.must(err)
		_, _ = p.Exchange(mcu.Command{})
		if counted.n == 0 {
			t.Error("an exchange does not pass through the wrapped bus")
		}
		r.must(v.Close())
	})
}

// A link that stalls for up to two seconds does not make the battery absent: it is measured once a second.
func TestShortStallKeepsTheBattery(t *testing.T) {
	inBubble(t, plain, func(r *rig) {
		v, err := r.robot.Open(settings())
		r.must(err)
		d := r.dev(nil)
		r.connected(d)
		poll := func(long time.Duration, exchange bool) {
			for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
				if exchange {
					_, _ = d.Exchange(mcu.Command{})
				}
				_, _ = v.Battery.Poll(time.Now())
			}
		}
		poll(3*time.Second, true)
		for _, stall := range []int{700, 1000, 1500, 2000} { // ms
			for phase := range 4 {
				poll(5*time.Second+time.Duration(phase)*250*time.Millisecond, true)
				r.setFar(true)
				poll(time.Duration(stall)*time.Millisecond, false)
				if s := v.Battery.State(); s != device.Running {
					t.Fatalf("a stall of %d ms, phase %d: %v", stall, phase, s)
				}
				r.setFar(false)
				r.connected(d)
			}
		}
		r.must(v.Close())
	})
}

// unreached returns a robot that is never connected, and its parts; the test stores the sensors.
func unreached(r testing.TB) (*robot.Robot, *hardware.Devices) {
	r.Helper()
	own, err := robot.New(robot.Config{Address: "epuck", Dial: func(ctx context.Context, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if err != nil {
		r.Fatal(err)
	}
	v, err := own.Open(settings())
	if err != nil {
		r.Fatal(err)
	}
	return own, v
}

// Values that no sensor measures, in a packet with a right length, are neither published nor a reason to regard a part as
// present: ground counts of more than 10 bits, a field that is not finite.
func TestImpossibleValuesAreRejected(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	inBubble(t, plain, func(r *rig) {
		own, v := unreached(r)
		n := 0
		poll := func(times int, change func(s *packet.Sensors)) (grounds, fields int, failed []error) {
			for range times {
				n++
				s := packet.Sensors{Accel: [3]int16{int16(n % 7), 0, 700}, Distance: 100, Battery: 900}
				change(&s)
				own.Store(s)
				fresh, err := v.Ground.Poll(time.Now())
				if fresh {
					grounds++
				}
				u, fieldErr := v.IMU.Poll(time.Now())
				if u.Field {
					fields++
				}
				failed = append(failed, err, fieldErr)
				time.Sleep(50 * time.Millisecond)
			}
			return grounds, fields, failed
		}
		impossible := func(s *packet.Sensors) {
			s.Ground, s.Field = [3]uint16{math.MaxUint16, 500, 500}, [3]float32{nan, 20, float32(n)}
		}
		if g, f, _ := poll(100, impossible); g != 0 || f != 0 || v.Ground.State() == device.Running || v.IMU.HasMagnetometer() {
			t.Errorf("%d readings of the ground (%v), %d fields, a magnetometer: %v", g, v.Ground.State(), f, v.IMU.HasMagnetometer())
		}
		good := func(s *packet.Sensors) {
			s.Ground, s.Field = [3]uint16{500, ground.MaxCount, 500}, [3]float32{10, 20, float32(n)}
		}
		if g, f, _ := poll(200, good); g < 50 || f < 20 || !v.IMU.HasMagnetometer() {
			t.Errorf("%d readings of the ground, %d fields of possible values", g, f)
		}
		for _, odd := range []float32{nan, inf, -inf} {
			g, f, failed := poll(robot.StaleFields+10, func(s *packet.Sensors) {
				s.Ground, s.GroundAmbient, s.Field = [3]uint16{500, 500, 500}, [3]uint16{0, ground.MaxCount + 1, 0}, [3]float32{odd, 20, float32(n)}
			})
			if err := errors.Join(failed...); g != 0 || f != 0 || !errors.Is(err, device.ErrNoReading) || !errors.Is(err, device.ErrFrozen) {
				t.Errorf("%v: %d readings of the ground, %d fields, %v", odd, g, f, err)
			}
		}
		var field imu.Field
		if err := v.IMU.SenseField(&field); err != nil || math.IsNaN(field.Field[0]+field.Field[1]+field.Field[2]) {
			t.Errorf("the last field is %v, %v", field.Field, err)
		}
		r.must(errors.Join(v.Close(), own.Close()))
	})
}

// A magnetometer that repeats its value, or is zero, is an error of the IMU's polls: its topic is silent then.
func TestFrozenMagnetometerIsReported(t *testing.T) {
	for name, frozen := range map[string][3]float32{"frozen": {1, 2, 3}, "zero": {}} {
		inBubble(t, plain, func(r *rig) {
			own, v := unreached(r)
			frozenSeen := false
			for n := range 200 {
				s := packet.Sensors{Accel: [3]int16{int16(n % 7), 0, 700}, Field: frozen}
				if n < 40 {
					s.Field = [3]float32{1, 2, float32(n)}
				}
				own.Store(s)
				// Between them are errors of the connection, which this robot does not answer.
				if _, err := v.IMU.Poll(time.Now()); n >= 40 {
					frozenSeen = frozenSeen || errors.Is(err, device.ErrFrozen)
				}
				time.Sleep(50 * time.Millisecond)
			}
			if !frozenSeen || v.IMU.State() != device.Running {
				t.Errorf("%s: reported: %t, the IMU is %v", name, frozenSeen, v.IMU.State())
			}
			r.must(errors.Join(v.Close(), own.Close()))
		})
	}
}
