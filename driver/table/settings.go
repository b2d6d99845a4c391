// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"time"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/driver/pictures"
	"github.com/epuck-ros2/epuck-driver/i2c/camsensor"
	"github.com/epuck-ros2/epuck-driver/i2c/vl53l0x"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/thread"
)

// Settings are the values of the parameters. They are immutable: a change of a parameter creates new ones.
type Settings struct {
	ControlLoop
	Wheels     epuck2.Wheels
	Timeout    time.Duration
	Stamped    bool
	PublishTF  bool
	OdomFrame  string // with the prefix, as the next two
	BaseFrame  string
	Prefix     string
	Bus        string // the robot's: "auto", a number or a path
	InvalidRay epuck2.InvalidRay
	RangeClear RangeClear
	LEDType    LEDType

	IMURate, ToFRate, GroundRate, MagRate float64 // Hz; 0: the part is not used
	IMURotation, MagRotation              [9]float64
	ToFProfile                            vl53l0x.Profile
	PowerOff, ButtonOff                   bool
	Camera                                camsensor.Settings
	CameraSetup                           bool
	Pictures                              pictures.Settings
	Correct                               Corrections
}

// ControlLoop are the settings of the control loop itself.
type ControlLoop struct {
	Period time.Duration
	Thread thread.Config
}

// draft is the state while settings are read, with values that several parameters share.
type draft struct {
	Settings
	distances, counts []float64     // of the infrared sensors' response
	policy            thread.Policy // if the control loop's thread has a priority
}

// ReadSettings reads the settings from the node's parameters, all of which must be declared. Errors name a parameter.
func ReadSettings(p *ros2.Parameters) (*Settings, error) { return settingsOf(p.Get) }

// CheckSettings validates a set of parameter changes; if it fails, none of them is applied.
func CheckSettings(p *ros2.Parameters, changes []ros2.Parameter) (*Settings, error) {
	return settingsOf(func(name string) (ros2.ParameterValue, error) {
		for _, c := range changes {
			if c.Name == name {
				return c.Value, nil
			}
		}
		return p.Get(name)
	})
}

// settingsOf reads the settings from values by name. Errors of values match [ErrParameter].
func settingsOf(value func(name string) (ros2.ParameterValue, error)) (*Settings, error) {
	var d draft
	var errs []error
	for _, row := range Parameters() {
		if row.read == nil {
			continue
		}
		v, err := value(row.Name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if err := row.read(&d, v); err != nil {
			errs = append(errs, fmt.Errorf("%w: parameter %q: %w", ErrParameter, row.Name, err))
		}
	}
	if err := d.complete(); err != nil {
		errs = append(errs, err)
	}
	settings := d.Settings // a pointer into d would keep all of it
	return &settings, errors.Join(errs...)
}

// complete computes what depends on more than one parameter.
func (d *draft) complete() error {
	if d.Thread.Priority > 0 {
		d.Thread.Policy = d.policy
	}
	d.OdomFrame, d.BaseFrame = d.Prefix+d.OdomFrame, d.Prefix+d.BaseFrame
	return readCurves(&d.Correct.Infrared, d.distances, d.counts)
}

// Declare declares the parameters of [Parameters] on the node, except those already declared. New calls it; a program
// that needs a value earlier, such as i2c_bus to open the bus, calls it first. An error names the parameter and the
// reason, for instance an override that is out of range. From then on cmd_vel_timeout can't be set to 0 or above
// maxTimeoutAtRunTime.
func Declare(n *ros2.Node) error { return DeclareIn(n.Parameters()) }

// DeclareIn is Declare for parameters without a node.
func DeclareIn(table *ros2.Parameters) error { return NewDeclarations().In(table) }

// Declarations are the declarations of all parameters, which many robots of one program can share.
type Declarations []ros2.ParameterDescriptor

// NewDeclarations returns the declarations.
func NewDeclarations() (all Declarations) {
	for _, p := range Parameters() {
		all = append(all, p.descriptor())
	}
	return all
}

// In declares the parameters, as Declare does.
func (d Declarations) In(table *ros2.Parameters) error {
	for i := range d {
		if table.Declared(d[i].Name) {
			continue
		}
		_, err := table.DeclareShared(&d[i])
		if err != nil && !errors.Is(err, ros2.ErrAlreadyDeclared) {
			return fmt.Errorf("driver: %w", err)
		}
		if err == nil && d[i].Name == ParamTimeout {
			guardTimeout(table)
		}
	}
	_, err := ReadSettings(table)
	return err
}

// BusName declares the parameters on the node and returns the value of i2c_bus: "auto", a number or a path.
func BusName(n *ros2.Node) (string, error) {
	if err := Declare(n); err != nil {
		return "", err
	}
	s, err := ReadSettings(n.Parameters())
	if err != nil {
		return "", err
	}
	return s.Bus, nil
}

// profileNames lists the profiles of the time-of-flight sensor, the default first.
func profileNames() []string {
	var names []string
	for _, p := range []vl53l0x.Profile{vl53l0x.LongRange, vl53l0x.Standard, vl53l0x.HighAccuracy, vl53l0x.HighSpeed} {
		names = append(names, p.String())
	}
	return names
}
