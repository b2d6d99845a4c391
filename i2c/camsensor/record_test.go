// SPDX-License-Identifier: Apache-2.0

package camsensor

import (
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
	"github.com/epuck-ros2/epuck-driver/i2c/i2cfake"
	"github.com/epuck-ros2/epuck-driver/internal/system"
)

// The transactions of the two sequences, as made by the manufacturer's programs, and the check at the end.
const (
	ovRecord = `
		21: w0A r76 w0B r73
		21: w1280
		21: w1180 w3A04 w1200 w40C0 w3D00 wB084 w1713 w1801 w3236 w1902 w1A7A w030A w2A00 w2B5B w9222 w9301
		21: w0C00 w3E00 w703A w7135 w7211 w73F0 wA202
		21: w3A r04`
	poHead  = `6E: w00 r80 w01 r30`
	poTable = `
		6E: w0300 w5B00 w0800 w0901 w0A00 w0B01 w0C02 w0D80 w0E01 w0FE0
		6E: w3500 w3601 w3702 w3880 w3900 w3A01 w3B01 w3CE0 w3D00 w3ED6 w3F01 w40AB w4100 w42A1 w4301 w4440
		6E: w0301 w9320 w9420 w4E02 wB700 w0300 w110A w0301 w9500 w960A w0300 w0403 w056A w0603 w071F
		6E: w6C r02 w6C02 w0302 w04 r9F w0498 w0300
		6E: w05 r6A`
)

// missing is a playback on which one address is not acknowledged.
type missing struct {
	*i2ctest.Playback
	addr uint16
	asks int
}

func (m *missing) Tx(addr uint16, w, r []byte) error {
	if addr == m.addr {
		m.asks++
		return system.EREMOTEIO
	}
	return m.Playback.Tx(addr, w, r)
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name   string
		record string
		absent uint16
		model  Model
		addr   uint16
		writes int
		took   time.Duration
	}{
		{"OV7670", ovRecord, 0, ov7670, AddrOV, 24, 200 * time.Millisecond},
		{"PO8030", poHead + poTable, AddrOV, po8030, AddrPO, 45, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bus := &missing{Playback: &i2ctest.Playback{DontPanic: true, Ops: record(t, c.record)}, addr: c.absent}
			d := mustNew(t, bus, nil)
			now, polls := epoch, 0
			for !d.Present() && polls < 200 {
				if next := d.Next(); next.After(now) {
					now = next
				}
				before := bus.Count
				e, err := i2cfake.Event(d, func() error { return d.Poll(now) })
				if err != nil && c.absent == 0 || bus.Count > before+1 {
					t.Fatalf("poll %d: %v, %d transactions", polls, err, bus.Count-before)
				}
				if (e == "found") != d.Present() {
					t.Errorf("poll %d: %s", polls, e)
				}
				polls++
			}
			r := d.Result()
			if r.State != device.Running || r.Model != c.model || r.Addr != c.addr || !r.Verified || r.Err != nil || r.Ignored != 0 ||
				r.Writes != c.writes || r.Retries != 0 || r.Runs != 1 {
				t.Errorf("%+v", r)
			}
			if now.Sub(epoch) != c.took || polls != len(bus.Ops)+bus.asks {
				t.Errorf("%d polls, %v", polls, now.Sub(epoch))
			}
			if err := bus.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOlderSensors: the sensors of the e-puck1 are recognised and not changed.
func TestOlderSensors(t *testing.T) {
	for id, model := range map[string]Model{"30 w01 r30": po3030, "60 w01 r30": po6030} {
		bus := &missing{addr: AddrOV, Playback: &i2ctest.Playback{DontPanic: true, Ops: record(t, "6E: w00 r"+id+" w01 r30")}}
		d := mustNew(t, bus, nil)
		for i := range 7 {
			if e, err := i2cfake.Event(d, func() error { return d.Poll(at(i)) }); e == "found" && err != nil {
				t.Error(err)
			}
		}
		if r := d.Result(); r.Model != model || r.State != device.Running || r.Writes != 0 || r.Verified || !isErr(r.Err, errNoSequence) || !d.Present() {
			t.Errorf("%v: %+v", model, r)
		}
		if err := bus.Close(); err != nil {
			t.Error(err)
		}
	}
}
