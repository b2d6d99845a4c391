// SPDX-License-Identifier: Apache-2.0

package genericdriver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/machine"
	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// Config configures a [Driver].
type Config struct {
	// Node carries the topics. It is required; the driver does not close it.
	Node *ros2.Node
	// Robot is the robot. It is required.
	Robot Robot
	// File is a settings file; it overrides the description and is overridden by ROS parameters. It defaults to none.
	File *File
	// Own are makers of components by device name: they replace the driver's own components of described devices, and
	// add devices that the driver does not support. A nil maker removes a device.
	Own map[string]Maker
}

// Driver is the node of one robot. One goroutine may call Step.
type Driver struct {
	cfg     Config
	desc    *description.Robot
	names   []string // of its devices
	prefix  string
	tasks   []*scheduled
	wheels  *drive
	closers []func() error
}

// scheduled is a component with its next due time.
type scheduled struct {
	Component
	period time.Duration
	next   time.Time
	due    bool
}

// New creates the ROS interface of a robot on a node. The errors match [ErrSettings] or are the node's.
func New(cfg Config) (d *Driver, err error) {
	if cfg.Node == nil || cfg.Robot == nil {
		return nil, fmt.Errorf("%w: a node and a robot are needed", ErrSettings)
	}
	if cfg.File == nil {
		cfg.File = &File{}
	}
	d = &Driver{cfg: cfg}
	cfg.Robot.Do(func(m machine.Devices) { d.desc = m.Description() })
	if d.desc == nil {
		return nil, fmt.Errorf("%w: the robot has no devices", ErrSettings)
	}
	prefix, err := cfg.Node.DeclareParameter(ros2.ParameterDescriptor{
		Name: "frame_prefix", Default: ros2.StringValue(""), Description: "prefix of all frames", ReadOnly: true,
	})
	if err != nil {
		return nil, err
	}
	d.prefix, d.names = prefix.Str(), deviceNames(d.desc)
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// open creates all components.
func (d *Driver) open() error {
	root, err := d.desc.Root()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(d.cfg.File.Devices)) {
		if !d.knows(name) {
			return fmt.Errorf("%w: the file has settings of a device %q, which does not exist", ErrSettings, name)
		}
	}
	if err := d.openTree(root); err != nil {
		return err
	}
	for i := range d.desc.Devices {
		if err := d.openDevice(i); err != nil {
			return err
		}
	}
	return d.openOwn()
}

// knows reports whether a device of a name exists.
func (d *Driver) knows(name string) bool {
	_, own := d.cfg.Own[name]
	_, kind := makersOfModel(d.desc)[name]
	return own || kind || name == jointStates || name == transforms || name == scanName ||
		slices.Contains(d.names, name)
}

// deviceNames returns the names of a description's devices; a name that is not unique is followed by _2 and so on, as
// in robots whose links each have a sensor of the same name.
func deviceNames(desc *description.Robot) (names []string) {
	taken := map[string]bool{jointStates: true, transforms: true}
	for i := range desc.Devices {
		name := desc.Devices[i].Name
		for n := 2; taken[Plain(name)]; n++ {
			name = fmt.Sprintf("%s_%d", desc.Devices[i].Name, n)
		}
		taken[Plain(name)] = true
		names = append(names, name)
	}
	return names
}

// context returns the input of a device's maker, with the settings resolved from all sources.
func (d *Driver) context(name string, device *description.Device, index int, def Settings) (*Context, error) {
	s, err := resolve(d.cfg.Node, name, d.cfg.File.Devices[name], def)
	if err != nil {
		return nil, err
	}
	s.Frame = d.prefix + s.Frame
	return &Context{Node: d.cfg.Node, Robot: d.cfg.Robot, Device: device, Index: index, Settings: s, Prefix: d.prefix}, nil
}

// addComponent adds a component with the rate of its settings.
func (d *Driver) addComponent(c *Context, made Component, err error) error {
	if err != nil {
		return fmt.Errorf("genericdriver: %s: %w", c.Settings.Topic, err)
	}
	if made != nil {
		d.tasks = append(d.tasks, &scheduled{Component: made, period: c.Settings.period()})
		d.closers = append(d.closers, made.Close)
	}
	return nil
}

// openTree creates the interface of the robot's joints, transforms, wheels and description.
func (d *Driver) openTree(root string) error {
	plain := &Context{Node: d.cfg.Node, Robot: d.cfg.Robot, Index: -1, Prefix: d.prefix}
	closers, err := publishStatic(plain, d.desc, d.cfg.Node.Now())
	d.closers = append(d.closers, closers...)
	if err != nil {
		return err
	}
	if d.wheels, err = newDrive(plain, d.desc, &d.cfg.File.Drive, root); err != nil {
		return err
	}
	if d.wheels != nil {
		d.closers = append(d.closers, d.wheels.close)
		plain.Settings = Settings{Topic: d.wheels.set.odometry, Rate: defaultRate}
		made, err := d.wheels.offer(plain)
		if err := d.addComponent(plain, made, err); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		make func(c *Context) (Component, error)
	}{
		{jointStates, func(c *Context) (Component, error) { return offerJoints(c, d.desc) }},
		{transforms, func(c *Context) (Component, error) { return offerTransforms(c, d.desc, d.wheels) }},
	} {
		c, err := d.context(part.name, nil, -1, Settings{Enabled: true, Topic: part.name, Frame: root})
		if err != nil {
			return err
		}
		if !c.Settings.Enabled {
			continue
		}
		made, err := part.make(c)
		if err := d.addComponent(c, made, err); err != nil {
			return err
		}
	}
	plain.Settings = Settings{Topic: "joint_commands", Rate: defaultRate}
	made, err := listenJoints(plain, d.desc)
	return d.addComponent(plain, made, err)
}

// openDevice creates the component of a device of the description.
func (d *Driver) openDevice(i int) error {
	device, name := &d.desc.Devices[i], d.names[i]
	maker, own := d.cfg.Own[name]
	if !own {
		maker = makers()[device.Kind]
	}
	if maker == nil { // removed, or part of a joint
		return nil
	}
	c, err := d.context(name, device, i, Settings{
		Enabled: true, Topic: d.topicOf(device, name), Rate: device.Rate, AlwaysOn: device.Unasked, Frame: d.frameOf(device),
	})
	if err != nil || !c.Settings.Enabled {
		return err
	}
	made, err := maker(c)
	return d.addComponent(c, made, err)
}

// topicOf returns the default topic of a device: a robot's only camera has the usual names of camera topics, its only
// battery battery_state, the others their names or the described ones.
func (d *Driver) topicOf(device *description.Device, name string) string {
	alike := 0
	for i := range d.desc.Devices {
		if d.desc.Devices[i].Kind == device.Kind {
			alike++
		}
	}
	switch {
	case device.Kind == description.Camera && alike == 1:
		return ""
	case device.Kind == description.Battery && alike == 1:
		name = "battery_state"
	}
	return topicName(device.Topic, Plain(name))
}

// frameOf returns the default frame of a device: its link, for a camera the optical frame on that if there is one.
func (d *Driver) frameOf(device *description.Device) string {
	if device.Kind == description.Camera {
		for i := range d.desc.Joints {
			if j := &d.desc.Joints[i]; j.Parent == device.Link && j.Kind == description.Fixed && strings.Contains(j.Child, "optical") {
				return j.Child
			}
		}
	}
	return device.Link
}

// openOwn creates the components of devices that are not in the description: those of Config.Own, and the scan of
// distance sensors if there is no lidar.
func (d *Driver) openOwn() error {
	own := makersOfModel(d.desc)
	if own == nil {
		own = map[string]Maker{}
	}
	for name, maker := range d.cfg.Own {
		if !slices.Contains(d.names, name) {
			own[name] = maker
		}
	}
	root, err := d.desc.Root()
	if err != nil {
		return err
	}
	lidar := slices.ContainsFunc(d.desc.Devices, func(v description.Device) bool { return v.Kind == description.Lidar })
	if _, mine := own[scanName]; !mine && !lidar {
		frame := root
		if d.desc.Link("laser_scanner") != nil {
			frame = "laser_scanner"
		}
		if sensors := feelers(d.desc, frame); sensors != nil {
			own[scanName] = func(c *Context) (Component, error) {
				c.Settings.Frame = c.frame(frame)
				return offerScan(c, d.desc, sensors)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if own[name] == nil {
			continue
		}
		c, err := d.context(name, nil, -1, Settings{Enabled: true, Topic: Plain(name), Frame: root})
		if err != nil {
			return err
		}
		if !c.Settings.Enabled {
			continue
		}
		made, err := own[name](c)
		if err := d.addComponent(c, made, err); err != nil {
			return err
		}
	}
	return nil
}

// Step publishes what is due and has subscribers. It must be called every 10 ms of the robot's time.
func (d *Driver) Step(now time.Time) error {
	wanted := false
	for _, t := range d.tasks {
		if t.due = !now.Before(t.next); !t.due {
			continue
		}
		if t.next = t.next.Add(t.period); !t.next.After(now) {
			t.next = now.Add(t.period)
		}
		t.due = t.Wanted()
		wanted = wanted || t.due
	}
	if !wanted && d.wheels == nil {
		return nil
	}
	d.cfg.Robot.Do(func(m machine.Devices) {
		if d.wheels != nil {
			d.wheels.tick(m, now)
		}
		for _, t := range d.tasks {
			if t.due {
				t.Sense(m, now)
			}
		}
	})
	var errs []error
	for _, t := range d.tasks {
		if t.due {
			errs = append(errs, t.Publish())
		}
	}
	return errors.Join(errs...)
}

// Close stops the wheels and closes all components.
func (d *Driver) Close() error {
	if d.wheels != nil {
		d.cfg.Robot.Do(func(m machine.Devices) { d.wheels.turn(m, 0, 0) })
	}
	var errs []error
	for _, c := range d.closers {
		errs = append(errs, c())
	}
	d.closers, d.tasks = nil, nil
	return errors.Join(errs...)
}
