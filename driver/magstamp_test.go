// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/i2c/bmm150"
	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// fieldLine is a bus that notes when transfers end that bring the field of the IMU's magnetometer. While it is stuck
// the IMU's own values stay as they were.
type fieldLine struct {
	pi2c.Bus

	mu    sync.Mutex
	stuck bool
	block []byte
	ends  map[int64]bool // ns since 1970
}

func (l *fieldLine) Tx(addr uint16, w, r []byte) error {
	err := l.Bus.Tx(addr, w, r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if addr != imu.Addr && addr != imu.AddrAlt || len(r) < imu.BlockSize || err != nil {
		return err
	}
	if len(r) > imu.BlockSize {
		l.ends[time.Now().UnixNano()] = true
	}
	if l.stuck {
		copy(r, l.block)
	}
	l.block = append(l.block[:0], r[:imu.BlockSize]...)
	return nil
}

func (l *fieldLine) setStuck(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stuck = on
}

func (l *fieldLine) brought(m *sensor_msgs.MagneticField) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ends[ros2.FromStamp(m.Header.Stamp.Sec, m.Header.Stamp.Nanosec).UnixNano()]
}

// The field of the IMU's magnetometer is stamped with the end of its own transfer, also when the IMU itself has no
// new sample: at full speed the robot turns by 14 degrees within a cycle.
func TestMagnetometerOfTheIMUHasTheTimeOfItsTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &fieldLine{ends: map[int64]bool{}}
		r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], imu: icm20948}\n", parts: true,
			config: func(c *Config) { line.Bus, chipsOf(c).Bus = chipsOf(c).Bus, line }})
		fields := listenTo[sensor_msgs.MagneticField](r, table.TopicMag)
		time.Sleep(5 * time.Second)
		for range 20 {
			r.drive(0, 4.4, 300*time.Millisecond)
			line.setStuck(true)
			r.drive(0, 4.4, 200*time.Millisecond)
			line.setStuck(false)
		}
		all := fields()
		if len(all) < 80 {
			t.Fatalf("%d messages", len(all))
		}
		before := int64(0)
		for _, m := range all {
			at := ros2.FromStamp(m.Header.Stamp.Sec, m.Header.Stamp.Nanosec)
			if !line.brought(m) || at.UnixNano() <= before {
				t.Fatalf("stamp %v, %v before the end: no transfer that brought the field ended then", at, time.Since(at))
			}
			before = at.UnixNano()
		}
	})
}

// beginLine is a bus that records the ends of transfers that start a measurement of the board's magnetometer.
type beginLine struct {
	pi2c.Bus

	mu    sync.Mutex
	begun []time.Time
}

func (l *beginLine) Tx(addr uint16, w, r []byte) error {
	err := l.Bus.Tx(addr, w, r)
	if addr >= bmm150.Addr && addr <= bmm150.LastAddr && len(w) == 2 && w[0] == 0x4C && w[1] == 0x02 && err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.begun = append(l.begun, time.Now())
	}
	return err
}

// since returns how long before at the last measurement was begun, and how many were.
func (l *beginLine) since(at time.Time) (d time.Duration, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d = time.Hour
	for _, b := range l.begun {
		if at.After(b.Add(-time.Millisecond)) { // the time is that of the poll
			d = at.Sub(b)
		}
	}
	return d, len(l.begun)
}

// The field of the board's magnetometer is stamped with the time of its measurement, some milliseconds after it was
// started, and is published within the next control cycle.
func TestMagnetometerOfTheBoardHasTheTimeOfItsMeasurement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &beginLine{}
		r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], magnetometer: bmm150}\n", parts: true, board: true,
			sim: sim.Options{Seed: 2, Now: time.Now, Sleep: pass}, config: func(c *Config) { line.Bus, chipsOf(c).BoardBus = chipsOf(c).BoardBus, line }})
		time.Sleep(5 * time.Second)
		fields := listenTo[sensor_msgs.MagneticField](r, table.TopicMag)
		began := time.Now()
		for len(fields()) == 0 {
			time.Sleep(time.Millisecond)
		}
		if first := time.Since(began); first > 200*time.Millisecond {
			t.Errorf("the first field %v after the subscription", first)
		}
		heard := 0
		for range 10_000 {
			time.Sleep(time.Millisecond)
			all := fields()
			if len(all) == heard {
				continue
			}
			heard = len(all)
			at := ros2.FromStamp(all[heard-1].Header.Stamp.Sec, all[heard-1].Header.Stamp.Nanosec)
			if d, _ := line.since(at); d > 10*time.Millisecond {
				t.Errorf("stamped %v after it was begun", d)
			}
			if age := time.Since(at); age > 70*time.Millisecond {
				t.Errorf("heard %v after it was measured", age)
			}
		}
		if _, n := line.since(began); heard < 78 || heard > 82 || n < heard {
			t.Errorf("%d fields in ten seconds, %d measurements", heard, n)
		}
	})
}
