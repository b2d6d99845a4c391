// SPDX-License-Identifier: Apache-2.0

package driver

import (
	"context"

	"github.com/epuck-ros2/epuck-driver/driver/table"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// watchSettings makes new settings of every change of the node's parameters; cancel ends it.
func (d *Driver) watchSettings() (cancel func()) {
	unguard := d.node.Parameters().OnSet(func(changes []ros2.Parameter) error {
		_, err := table.CheckSettings(d.node.Parameters(), changes)
		return err
	})
	unwatch := d.node.Parameters().OnChange(func(ros2.ParameterEvent) {
		s, err := table.ReadSettings(d.node.Parameters())
		if err != nil {
			return // a parameter was undeclared: nothing sensible can follow from that
		}
		before := d.settings.Swap(s)
		d.loop.SetTimeout(s.Timeout)
		if before.Pictures != s.Pictures && d.pictures != nil {
			if err := d.pictures.Apply(context.Background(), s.Pictures); err != nil {
				d.log.Error("the camera can't be as its parameters want it", "error", err)
			}
		}
	})
	return func() { unwatch(); unguard() }
}

// watchPictures lets the camera refuse values that it can't have; cancel ends it.
func (d *Driver) watchPictures() (cancel func()) {
	p := d.node.Parameters()
	return p.OnSet(func(changes []ros2.Parameter) error {
		if d.pictures == nil {
			return nil
		}
		s, err := table.CheckSettings(p, changes)
		if err != nil || s.Pictures.Pipeline == d.settings.Load().Pictures.Pipeline {
			return err
		}
		return d.pictures.Check(context.Background(), s.Pictures.Pipeline)
	})
}
