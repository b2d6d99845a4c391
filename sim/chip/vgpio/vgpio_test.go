// SPDX-License-Identifier: Apache-2.0

package vgpio_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"periph.io/x/conn/v3/gpio"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/sim/chip/vgpio"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

// TestLine: who decides about the level of the line.
func TestLine(t *testing.T) {
	p := vgpio.New(6)
	steps := []struct {
		name string
		do   func()
		want gpio.Level
		out  bool
	}{
		{"nothing", func() {}, gpio.Low, false},
		{"pulled up", func() { _ = p.In(gpio.PullUp, gpio.NoEdge) }, gpio.High, false},
		{"pressed", func() { p.Drive(gpio.Low) }, gpio.Low, false},
		{"pull changed while pressed", func() { _ = p.In(gpio.PullNoChange, gpio.NoEdge) }, gpio.Low, false},
		{"released", p.Release, gpio.High, false},
		{"driven high by the Pi", func() { _ = p.Out(gpio.High) }, gpio.High, true},
		{"against the other end", func() { p.Drive(gpio.Low) }, gpio.High, true},
		{"low by the Pi", func() { _ = p.Out(gpio.Low) }, gpio.Low, true},
		{"input with pull-down", func() { p.Release(); _ = p.In(gpio.PullDown, gpio.NoEdge) }, gpio.Low, false},
	}
	for _, s := range steps {
		if s.do(); p.Read() != s.want || p.Output() != s.out {
			t.Errorf("%s: %v, output %v", s.name, p.Read(), p.Output())
		}
	}
	if p.Pull() != gpio.PullDown || p.DefaultPull() != gpio.Float {
		t.Error(p.Pull())
	}
}

func TestListen(t *testing.T) {
	p := vgpio.New(16)
	var heard []gpio.Level
	p.Listen(func(l gpio.Level) { heard = append(heard, l, p.Read()) })
	_ = p.Out(gpio.High)
	_ = p.Out(gpio.High) // no change
	_ = p.Out(gpio.Low)
	p.Drive(gpio.High) // the Pi is stronger
	_ = p.In(gpio.Float, gpio.NoEdge)
	if fmt.Sprint(heard) != "[Low Low High High Low Low High High]" || p.Changes() != 3 {
		t.Error(heard, p.Changes())
	}
}

func TestRefusals(t *testing.T) {
	p := vgpio.New(5)
	broken := errors.New("belongs to another program")
	p.Fail(broken)
	if !errors.Is(p.Out(gpio.High), broken) || !errors.Is(p.In(gpio.PullUp, gpio.NoEdge), broken) || p.Output() {
		t.Error("a broken pin works")
	}
	p.Fail(nil)
	for _, err := range []error{p.In(gpio.PullUp, gpio.BothEdges), p.PWM(gpio.DutyHalf, 1), p.SetFunc("I2C1_SDA")} {
		if !errors.Is(err, vgpio.ErrUnsupported) {
			t.Error(err)
		}
	}
	if p.WaitForEdge(0) || p.Name() != "GPIO5" || p.Number() != 5 || p.String() != "GPIO5" || p.Function() != "IN" ||
		len(p.SupportedFuncs()) != 2 || p.Halt() != nil {
		t.Error(p, p.Function())
	}
	if _ = p.Out(gpio.High); p.Func() != gpio.OUT {
		t.Error(p.Func())
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	p := vgpio.New(13)
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	p.Listen(func(gpio.Level) { mu.Lock(); n++; mu.Unlock() })
	for i := range 4 {
		wg.Go(func() {
			for j := range 200 {
				p.Drive(gpio.Level((i+j)%2 == 0))
				_ = p.Out(p.Read())
				_ = p.In(gpio.PullUp, gpio.NoEdge)
				p.Release()
			}
		})
	}
	wg.Wait()
	if n == 0 {
		t.Error("nothing was heard")
	}
}

// A button that connects the pin to ground.
func ExamplePin() {
	p := vgpio.New(6)
	_ = p.In(gpio.PullUp, gpio.NoEdge)
	fmt.Println(p, p.Read())
	p.Drive(gpio.Low)
	fmt.Println(p, p.Read())
	// Output:
	// GPIO6 High
	// GPIO6 Low
}
