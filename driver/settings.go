// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/i2c/axes"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// settings are the values of the parameters as the driver uses them. A value is never changed once it is in use: a
// change of a parameter makes a new one.
type settings struct {
	period     time.Duration
	wheels     epuck2.Wheels
	timeout    time.Duration
	stamped    bool
	publishTF  bool
	odomFrame  string // with the prefix, as the next two
	baseFrame  string
	prefix     string
	invalidRay epuck2.InvalidRay
	rangeClear RangeClear
	ledType    LEDType

	imuRate, tofRate, groundRate, magRate float64 // Hz; 0: the part is left alone
	imuRotation, magRotation              [9]float64
	tofProfile                            vl53l0x.Profile
	powerOff, buttonOff                   bool
	camera                                camsensor.Settings
	cameraRate                            float64 // as the rates above
	pictures                              pictures.Settings
	correct                               corrections
}

// readSettings takes the settings from the node's parameters, all of which must be declared.
func readSettings(p *ros2.Parameters) (*settings, error) {
	var errs []error
	value := func(name string) ros2.ParameterValue {
		v, err := p.Get(name)
		if err != nil {
			errs = append(errs, err)
		}
		return v
	}
	prefix := value(paramFramePrefix).Str()
	s := &settings{
		period: ros2.Seconds(1 / value(paramRate).Double()),
		wheels: epuck2.Wheels{
			Radius: value(paramRadius).Double(), Distance: value(paramDistance).Double(),
			MaxSpeed: value(paramMaxSpeed).Double(), SpeedUnit: value(paramSpeedUnit).Double(),
		},
		timeout:    ros2.Seconds(value(paramTimeout).Double()),
		stamped:    value(paramStamped).Bool(),
		publishTF:  value(paramPublishTF).Bool(),
		odomFrame:  prefix + value(paramOdomFrame).Str(),
		baseFrame:  prefix + value(paramBaseFrame).Str(),
		prefix:     prefix,
		invalidRay: epuck2.InvalidRay(value(paramScanInvalid).Str()),
		rangeClear: RangeClear(value(paramRangeClear).Str()),
		ledType:    LEDType(value(paramLEDType).Str()),
		imuRate:    value(paramIMURate).Double(), tofRate: value(paramToFRate).Double(),
		groundRate: value(paramGroundRate).Double(), magRate: value(paramMagRate).Double(),
		powerOff: value(paramBatteryOff).Bool(), buttonOff: value(paramButtonOff).Bool(),
		pictures: readPictures(value),
	}
	if value(paramCameraSetup).Bool() {
		s.cameraRate = cameraPolls
	}
	s.camera = camsensor.Settings{
		Mirror: value(paramCameraMirror).Bool(), Flip: value(paramCameraFlip).Bool(),
		Exposure: ros2.Seconds(value(paramCameraExposure).Double()), Gain: value(paramCameraGain).Double(),
	}
	copy(s.imuRotation[:], value(paramIMURotation).DoubleArray())
	copy(s.magRotation[:], value(paramMagRotation).DoubleArray())
	s.wheels.Ratio = value(paramRadiusRatio).Double()
	s.wheels.Slip, s.wheels.Turn = value(paramWheelSlip).Double(), value(paramWheelTurn).Double()
	copy(s.wheels.Covariance[:], value(paramWheelCovariance).DoubleArray())
	var wrong error
	if s.correct, wrong = readCorrections(value); wrong != nil {
		errs = append(errs, wrong)
	}
	profile, err := vl53l0x.ParseProfile(value(paramToFProfile).Str())
	s.tofProfile = profile
	return s, errors.Join(append(errs, err)...)
}

// Declare declares the parameters of [Parameters] on the node, except those that it has already. [New] does it too;
// who needs a value before, such as i2c_bus to open the bus that New is given, calls it first. An error names the
// parameter and the reason, for instance an override that is out of range.
func Declare(n *ros2.Node) error { return declareOn(n.Parameters()) }

// declareOn declares the parameters in a table and checks what ranges can't express.
func declareOn(table *ros2.Parameters) error {
	for _, p := range Parameters() {
		_, err := table.Declare(p.Descriptor())
		if err != nil && !errors.Is(err, ros2.ErrAlreadyDeclared) {
			return fmt.Errorf("driver: %w", err)
		}
	}
	for _, name := range []string{paramOdomFrame, paramBaseFrame, paramFramePrefix} {
		v, err := table.Get(name)
		if err != nil {
			return fmt.Errorf("driver: %w", err)
		}
		if err := checkFrame(name, v.Str()); err != nil {
			return err
		}
	}
	name, err := table.Get(paramCameraName)
	if err != nil {
		return fmt.Errorf("driver: %w", err)
	}
	if err := checkCameraName(name.Str()); err != nil {
		return err
	}
	for _, name := range []string{paramIMURotation, paramMagRotation} {
		v, err := table.Get(name)
		if err != nil {
			return fmt.Errorf("driver: %w", err)
		}
		if _, err := axes.RotationOf(v.DoubleArray()); err != nil {
			return fmt.Errorf("%w: parameter %q: %w", ErrParameter, name, err)
		}
	}
	return checkCorrections(func(name string) (ros2.ParameterValue, error) { return table.Get(name) })
}

// BusName declares the parameters on the node and gives the value of i2c_bus: "auto", a number or a path.
func BusName(n *ros2.Node) (string, error) {
	if err := Declare(n); err != nil {
		return "", err
	}
	v, err := n.Parameter(paramBus)
	return v.Str(), err
}

// checkFrame refuses frame names that tf2 refuses: a leading slash, and the empty name unless it is the prefix's.
func checkFrame(parameter, value string) error {
	switch {
	case strings.HasPrefix(value, "/"):
		return fmt.Errorf("%w: parameter %q = %q begins with a slash, which tf2 does not allow", ErrParameter, parameter, value)
	case value == "" && parameter != paramFramePrefix:
		return fmt.Errorf("%w: parameter %q is empty", ErrParameter, parameter)
	}
	return nil
}

// watchSettings makes new settings of every change of the node's parameters; cancel ends it.
func (d *Driver) watchSettings() (cancel func()) {
	unguard := d.node.Parameters().OnSet(d.refuseBadCorrections)
	unwatch := d.node.Parameters().OnChange(func(ros2.ParameterEvent) {
		s, err := readSettings(d.node.Parameters())
		if err != nil {
			return // a parameter was undeclared: nothing sensible can follow from that
		}
		before := d.settings.Swap(s)
		d.loop.SetTimeout(s.timeout)
		if before.pictures != s.pictures && d.pictures != nil {
			if err := d.pictures.Apply(context.Background(), s.pictures); err != nil {
				d.log.Error("the camera can't be as its parameters want it", "error", err)
			}
		}
	})
	return func() { unwatch(); unguard() }
}
