// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/i2c/imu"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
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

// The field that comes with the IMU's values has the time at which its own transfer ended: a robot that turns as fast
// as it can turns by 14 degrees within a cycle. Also when the IMU itself has nothing new.
func TestMagnetometerOfTheIMUHasTheTimeOfItsTransfer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := &fieldLine{ends: map[int64]bool{}}
		r := newRig(t, rigOptions{world: "robots:\n  - {name: epuck, position: [0, 0], imu: icm20948}\n", parts: true,
			config: func(c *Config) { line.Bus, c.Bus = c.Bus, line }})
		fields := listenTo[sensor_msgs.MagneticField](r, topicMag)
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
