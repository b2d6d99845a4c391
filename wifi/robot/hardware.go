// SPDX-License-Identifier: Apache-2.0

package robot

import (
	"fmt"

	pi2c "periph.io/x/conn/v3/i2c"

	"github.com/epuck-ros2/epuck-driver/driver/hardware"
	"github.com/epuck-ros2/epuck-driver/i2c"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/wifi/packet"
)

var (
	_ hardware.Hardware = (*Robot)(nil)
	_ hardware.OnBus    = (*Robot)(nil)
)

// WrapBus implements hardware.OnBus.
func (r *Robot) WrapBus(wrap func(pi2c.Bus) pi2c.Bus) { r.wrapped = wrap(r.processorBus()) }

// processorBus returns the bus of the main processor.
func (r *Robot) processorBus() pi2c.Bus {
	if r.wrapped != nil {
		return r.wrapped
	}
	return r.Bus()
}

// Open implements hardware.Hardware. Parts whose rate is 0 are left out; Wi-Fi has no button and no LEDs of a Pi-puck,
// and sets up the camera itself.
func (r *Robot) Open(o *hardware.Options) (*hardware.Devices, error) {
	bus, second := r.processorBus(), r.Bus()
	guard, err := mcu.New(second, &mcu.Opts{Now: o.Now, Selector: packet.Selector})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", hardware.ErrConfig, err)
	}
	v := &hardware.Devices{
		Name: fmt.Sprint(second),
		NewProcessor: func(events func(mcu.Event)) (hardware.Processor, error) {
			dev, err := mcu.New(bus, &mcu.Opts{Now: o.Now, Selector: packet.Selector, OnEvent: events})
			if err != nil { // not a nil pointer in an interface
				return nil, err
			}
			return dev, nil
		},
		Guard:    guard,
		RobotBus: func() i2c.Stats { return i2c.Stats{} }, // only exchanges
		Close:    second.Close,
	}
	return v, r.addParts(o, v)
}

// addParts adds the optional parts.
func (r *Robot) addParts(o *hardware.Options, to *hardware.Devices) (err error) {
	if o.IMURate > 0 {
		if to.IMU, err = newIMU(r, o); err != nil {
			return err
		}
	}
	if o.ToFRate > 0 {
		if to.ToF, err = newToF(r); err != nil {
			return err
		}
	}
	if o.GroundRate > 0 {
		if to.Ground, err = newGround(r); err != nil {
			return err
		}
	}
	to.Battery, err = newBattery(r)
	return err
}
