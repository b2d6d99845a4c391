// SPDX-License-Identifier: Apache-2.0

package vbus_test

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/epuck-ros2/epuck-driver/sim/vbus"
)

// outcomes runs n transfers and returns one letter for each: '.' fine, 'r'
// EREMOTEIO, 't' ETIMEDOUT.
func outcomes(b *vbus.Bus, n int) string {
	var s strings.Builder
	for range n {
		switch errnoName(b.Tx(addr, []byte{1, 2}, make([]byte, 2))) {
		case "ok":
			s.WriteByte('.')
		case "EREMOTEIO":
			s.WriteByte('r')
		case "ETIMEDOUT":
			s.WriteByte('t')
		default:
			s.WriteByte('?')
		}
	}
	return s.String()
}

func TestScript(t *testing.T) {
	b, _, _ := newBus(t, 0)
	f := b.Faults()
	nak, hang := vbus.Fault{Kind: vbus.NAK}, vbus.Fault{Kind: vbus.Timeout}
	if got := outcomes(b, 2); got != ".." {
		t.Errorf("without faults: %s", got)
	}
	_ = f.Next(nak, vbus.Fault{}, hang)
	_ = f.Next(nak) // after the three above
	_ = f.At(7, hang)
	_ = f.At(0, nak) // long past
	if got := outcomes(b, 7); got != "r.tr.t." {
		t.Errorf("scripted: %s", got)
	}
	if n := f.Transfers(); n != 9 {
		t.Errorf("%d transfers, want 9", n)
	}
	_ = f.Next(nak)
	if got := outcomes(b, 2); got != "r." {
		t.Errorf("a new script after a pause: %s", got)
	}
}

func TestScriptGoesBeforeHold(t *testing.T) {
	b, _, _ := newBus(t, 0)
	f := b.Faults()
	_ = f.Hold(vbus.Fault{Kind: vbus.Stuck})
	_ = f.Next(vbus.Fault{}, vbus.Fault{Kind: vbus.NAK})
	if got := outcomes(b, 4); got != ".rtt" {
		t.Errorf("held: %s", got)
	}
	_ = f.Hold(vbus.Fault{})
	if got := outcomes(b, 2); got != ".." {
		t.Errorf("released: %s", got)
	}
}

func TestOnly(t *testing.T) {
	b, _, _ := newBus(t, 0)
	_ = b.Attach(0x10, &memory{})
	f := b.Faults()
	f.Only(0x10)
	_ = f.Hold(vbus.Fault{Kind: vbus.NAK})
	if got := outcomes(b, 2); got != ".." {
		t.Errorf("the chip without faults: %s", got)
	}
	if err := b.Tx(0x10, []byte{1}, nil); err == nil {
		t.Error("the chip with faults has none")
	}
	if n := f.Transfers(); n != 1 {
		t.Errorf("%d transfers count, want 1", n)
	}
	f.Only(-5)
	if got := outcomes(b, 1); got != "r" {
		t.Errorf("for all chips again: %s", got)
	}
}

func TestRandomFaultsComeAtTheirRates(t *testing.T) {
	b, m, _ := newBus(t, 3)
	f := b.Faults()
	rates := vbus.Rates{NAK: 0.05, DataNAK: 0.04, Timeout: 0.03, ReadNAK: 0.02, ReadTimeout: 0.01,
		CorruptWrite: 0.06, CorruptRead: 0.07, Restart: 0.08, Stuck: 0.09}
	if err := f.SetRates(rates); err != nil {
		t.Fatal(err)
	}
	const n = 20000
	outcomes(b, n)
	want := []float64{0.55, 0.05, 0.04, 0.03, 0.02, 0.01, 0.06, 0.07, 0.08, 0.09}
	for k, p := range want {
		got := float64(f.Injected(vbus.Kind(k))) / n
		if math.Abs(got-p) > 5*math.Sqrt(p/n) {
			t.Errorf("seed 3: rate of %v is %.4f, want %.4f", vbus.Kind(k), got, p)
		}
	}
	if m.restarts != int(f.Injected(vbus.Restart)) {
		t.Errorf("%d restarts, %d injected", m.restarts, f.Injected(vbus.Restart))
	}
	_ = f.SetRates(vbus.Rates{})
	if got := outcomes(b, 20); strings.Trim(got, ".") != "" {
		t.Errorf("rates taken back: %s", got)
	}
}

func TestSameSeedSameFaults(t *testing.T) {
	run := func(seed uint64) string {
		b, _, _ := newBus(t, seed)
		_ = b.Faults().SetRates(vbus.Rates{NAK: 0.3, Timeout: 0.3})
		return outcomes(b, 200)
	}
	if a, b := run(1), run(1); a != b {
		t.Errorf("seed 1 twice:\n%s\n%s", a, b)
	}
	if run(1) == run(2) {
		t.Error("seeds 1 and 2 give the same faults")
	}
}

func TestFaultsFromManyGoroutines(t *testing.T) {
	b, _, _ := newBus(t, 0)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { outcomes(b, 50) })
		wg.Go(func() {
			for range 50 {
				_ = b.Faults().Next(vbus.Fault{Kind: vbus.NAK})
				_ = b.Faults().SetRates(vbus.Rates{CorruptRead: 0.5})
				b.Faults().Injected(vbus.NAK)
			}
		})
	}
	wg.Wait()
	if n := b.Faults().Transfers(); n != 200 {
		t.Errorf("%d transfers, want 200", n)
	}
}
