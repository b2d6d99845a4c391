// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// bagNode has the common options of bag record and bag play: node name, keyboard, and QoS overrides.
type bagNode struct {
	quiet           bool
	name, overrides string
}

// flags adds the flags; does is the verb for the quality of service in the help.
func (o *bagNode) flags(f *pflag.FlagSet, name, of, does string) {
	f.StringVar(&o.overrides, "qos-profile-overrides-path", "", "YAML file of quality of service to "+does+", by topic")
	f.StringVar(&o.name, "node-name", name, "name of the "+of+"'s node")
	f.BoolVar(&o.quiet, "disable-keyboard-controls", false, "do not read the keyboard")
}

// maxOverrides is the maximum size of the QoS override file, bytes.
const maxOverrides = 16 << 20

// profiles reads the QoS override file; nil without one.
func (o *bagNode) profiles() (map[string]ros2.QoS, error) {
	if o.overrides == "" {
		return nil, nil
	}
	text, err := regular.Read(o.overrides, maxOverrides)
	if err != nil {
		return nil, err
	}
	qos, err := bag.ReadOverrides(text)
	if err != nil {
		return nil, filekind.ExplainData(o.overrides, text, fmt.Errorf("%s: %w", o.overrides, err))
	}
	return qos, nil
}

// session joins the network and calls work with the node.
func (o *bagNode) session(p *frame.Program, args ros2.Args, work func(*ros2.Node, ros2.Transport) error) (err error) {
	session, err := network.Join(o.name, true, network.Choice{}, args, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	return work(session.Node, session.Transport)
}

// keys calls f with the keys of the terminal until ctx ends; end closes the keyboard.
func (o *bagNode) keys(ctx context.Context, wg *task.Group, what string, f func(tty.Key)) (end func()) {
	if o.quiet {
		return func() {}
	}
	keys := tty.OpenKeyboard(os.Stdin)
	wg.Go(what, func() { keys.Each(ctx, f) })
	return func() { keys.Close() }
}
