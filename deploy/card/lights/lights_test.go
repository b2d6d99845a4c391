// SPDX-License-Identifier: Apache-2.0

package lights

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
)

// robot keeps what it was sent.
type robot struct {
	sent []mcu.Command
	at   []time.Time
	fail func(n int) error
}

var errOff = errors.New("the robot is off")

func (r *robot) Exchange(c mcu.Command) (mcu.Sensors, error) {
	r.sent, r.at = append(r.sent, c), append(r.at, time.Now())
	if r.fail != nil {
		return mcu.Sensors{}, r.fail(len(r.sent))
	}
	return mcu.Sensors{}, nil
}

// The colour is sent for as long as it shall be seen, with stopped wheels, and then the LEDs go out.
func TestShine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &robot{}
		began := time.Now()
		if err := shine(t.Context(), r, 0xFF6600, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		if n := len(r.sent); n < 90 || n > 110 {
			t.Errorf("%d packets in ten seconds", n)
		}
		for i, c := range r.sent[:len(r.sent)-2] {
			if c.RGB[0] != (mcu.RGB{R: 100, G: 40}) || c.RGB[3] != c.RGB[0] || c.Left != 0 || c.Right != 0 || c.Validate() != nil {
				t.Fatalf("packet %d: %+v", i, c)
			}
		}
		if last := r.sent[len(r.sent)-1]; last != (mcu.Command{}) || time.Since(began) != 10*time.Second {
			t.Errorf("%+v after %v", last, time.Since(began))
		}
	})
}

// A robot that is switched off keeps the driver from nothing, one that misses packets is sent the next.
func TestShineWithoutRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &robot{fail: func(int) error { return errOff }}
		if err := shine(t.Context(), r, 0xFF0000, time.Hour); !errors.Is(err, errOff) || len(r.sent) != 1 {
			t.Errorf("%v after %d packets", err, len(r.sent))
		}
		r = &robot{fail: func(n int) error {
			if n%2 == 0 {
				return errOff
			}
			return nil
		}}
		if err := shine(t.Context(), r, 0xFF0000, time.Second); err != nil && !errors.Is(err, errOff) || len(r.sent) < 9 {
			t.Errorf("%v after %d packets", err, len(r.sent))
		}
	})
}

// Who is interrupted leaves no light on.
func TestShineEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := &robot{}
		if err := shine(ctx, r, 0xFFFFFF, time.Hour); err != nil || r.sent[len(r.sent)-1] != (mcu.Command{}) {
			t.Errorf("%v, %+v", err, r.sent[len(r.sent)-1])
		}
	})
}

// A machine without the robot's bus says so.
func TestShowWithoutBus(t *testing.T) {
	if err := Show(t.Context(), 0xFF0000, time.Millisecond); err == nil {
		t.Log("this machine has a robot")
	}
}
