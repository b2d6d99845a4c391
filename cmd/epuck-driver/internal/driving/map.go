// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package driving

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/msgs/nav_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// mapOptions are the options of map.
type mapOptions struct {
	method     string
	shifted    bool
	resolution float64
	scans      []string
	file       string
	mode       string
	format     string
	occupied   float64
	free       float64
	mapFrame   string
	baseFrame  string
	noTF       bool
	noFree     bool
}

// NewMapCommand returns the command that builds a map.
func NewMapCommand(p *frame.Program) *cobra.Command {
	var o mapOptions
	cmd := &cobra.Command{
		Use:   "map",
		Short: "Build a map from the robot's distance sensors",
		Long: "Integrates the readings of a robot's distance sensors into an occupancy grid, each at the pose of odometry at\n" +
			"the time of the reading, and publishes map, map_metadata and the transform from map to odom. At the end, and\n" +
			"whenever the service save_map is called, it saves the map as map_server's files, FILE.yaml and a picture.\n" +
			"It does not drive: use teleop, drive or navigation.",
		Example: "  epuck-driver map --file kitchen\n" +
			"  epuck-driver map --scan scan                    a robot with a lidar\n" +
			"  epuck-driver map --method simple                the thesis' method, to compare\n" +
			"  epuck-driver service call /save_map std_srvs/srv/Trigger",
		Args: cobra.NoArgs,
	}
	o.flags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), p, *on) }
	return cmd
}

func (o *mapOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.method, "method", "cones", "cones: the sensors' cones in log-odds; simple: lines, the last reading wins")
	f.BoolVar(&o.shifted, "shifted", false, "with --method simple: one cell too far to the right, as in the original")
	f.Float64Var(&o.resolution, "resolution", 0.01, "edge of a cell in metres")
	frame.Several(f, &o.scans, "scan", "use these LaserScan topics instead of the e-puck2's Range topics ps0 … ps7 and tof")
	f.StringVar(&o.file, "file", "map", "path of the saved map, without an extension; empty saves nothing")
	f.StringVar(&o.mode, "mode", string(mapping.Trinary), "mode of the saved map: trinary, scale or raw, as of map_saver")
	f.StringVar(&o.format, "format", "", "format of the picture: pgm or png (default pgm; png in mode scale)")
	f.Float64Var(&o.occupied, "occ", 0.65, "probability from which a saved cell is occupied")
	f.Float64Var(&o.free, "free", 0.196, "probability up to which a saved cell is free")
	f.StringVar(&o.mapFrame, "map-frame", "map", "frame of the map")
	f.StringVar(&o.baseFrame, "base-frame", "base_link", "frame of the robot")
	f.BoolVar(&o.noFree, "no-free", false, "only obstacles: free cells are saved as unknown")
	f.BoolVar(&o.noTF, "no-tf", false, "do not publish the transform from the map to odometry's frame")
}

// maker returns the map for the readings, and the topics of its scans.
func (o *mapOptions) maker() (m mapnode.Map, scans []string, err error) {
	switch o.method {
	case "cones":
		m, err = mapping.NewConeGrid(o.resolution)
		return m, o.scans, err
	case "simple":
		f := mapping.RayGridFrame()
		scale := f.Resolution / o.resolution
		f.Resolution, f.Width, f.Height = o.resolution, int(scale*float64(f.Width)), int(scale*float64(f.Height))
		m, err = mapping.NewRayGrid(f, o.shifted)
		if o.scans == nil {
			return m, []string{"scan"}, err
		}
		return m, o.scans, err
	}
	return nil, nil, frame.Usagef("--method %s: want cones or simple", o.method)
}

// checkFile checks at the start, rather than at the end, that the map can be saved.
func (o *mapOptions) checkFile() error {
	if o.file == "" {
		return nil
	}
	if err := outfile.File(strings.TrimSuffix(o.file, ".yaml") + ".yaml"); err != nil {
		return fmt.Errorf("--file: %w", err)
	}
	return nil
}

// run maps until ctx ends.
func (o *mapOptions) run(ctx context.Context, p *frame.Program, on network.Choice) (err error) {
	m, scans, err := o.maker()
	if err != nil {
		return err
	}
	if err := o.checkFile(); err != nil {
		return err
	}
	if o.noFree {
		m = mapnode.OnlyWalls(m)
	}
	out := tty.NewOutlet(p.Err)
	defer out.Close()
	term := tty.NewTerminal(out)
	log := slog.New(tty.LogTo(out, term))
	session, err := network.Join("epuck_map", true, on, p.ROS, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	node, err := mapnode.New(mapnode.Config{
		Node: session.Node, Map: m, Scans: scans, MapFrame: o.mapFrame, BaseFrame: o.baseFrame, Place: !o.noTF,
		File: strings.TrimSuffix(o.file, ".yaml"), Save: mapping.FileOptions{
			Mode: mapping.Mode(o.mode), Format: o.format, OccupiedThreshold: o.occupied, FreeThreshold: o.free,
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	stop, err := o.awaitReadings(session, node, scans, log)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Fprintln(p.Out, "mapping; Ctrl-C saves the map and ends")
	hide := showMapping(ctx, term, node.Stats)
	select {
	case <-ctx.Done():
	case <-session.Node.Done():
		err = session.Node.Err()
	}
	hide()
	return errors.Join(err, o.save(p, node))
}

// awaitReadings logs after a second that no reading arrives, and why, until stop is called.
func (o *mapOptions) awaitReadings(s *network.Session, n *mapnode.Node, scans []string, log *slog.Logger) (stop func(), err error) {
	awaited := []struct{ topic, rosType string }{{"odom", (&nav_msgs.Odometry{}).ROSType()}}
	for _, scan := range scans {
		awaited = append(awaited, struct{ topic, rosType string }{scan, (&sensor_msgs.LaserScan{}).ROSType()})
	}
	if len(scans) == 0 {
		awaited = append(awaited, struct{ topic, rosType string }{"ps0", (&sensor_msgs.Range{}).ROSType()})
	}
	var peers []waiting.Peer
	for _, w := range awaited {
		topic, err := s.Node.ResolveName(w.topic)
		if err != nil {
			return nil, err
		}
		peers = append(peers, waiting.Peer{Kind: ros2.PublisherEndpoint, Name: topic, Type: w.rosType, AnyQoS: true, Own: s.Node.Name()})
	}
	return waiting.Notice(s.Transport, func(text string) {
		if n.Stats().Used > 0 {
			return
		}
		for line := range strings.Lines(text) {
			log.Info(strings.TrimSpace(line))
		}
	}, peers...), nil
}

// showMapping shows a status line of the map's statistics until hide is called. Without a terminal there is none. The
// line shows the elapsed time, because mapping has no end of its own.
func showMapping(ctx context.Context, term *tty.Terminal, stats func() mapnode.Stats) (hide func()) {
	if term == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	began := time.Now()
	var show task.Group
	show.Go("map status", func() {
		tty.ShowText(ctx, term, func() string { return mappingText(time.Since(began), stats()) })
	})
	return func() {
		cancel()
		waitFor(&show)
		term.Close()
	}
}

// mappingText returns the status line of a map that is being built. It fits a terminal of 80 columns.
func mappingText(took time.Duration, s mapnode.Stats) string {
	return fmt.Sprintf("mapping %v, Ctrl-C saves | %d readings, %d without a pose, %d rejected",
		took.Truncate(time.Second), s.Used, s.Late, s.Refused)
}

// save saves the current map.
func (o *mapOptions) save(p *frame.Program, n *mapnode.Node) error {
	s := n.Stats()
	if s.Used == 0 {
		return errors.New("map: no reading was received: is the robot running, and does it publish odom?")
	}
	fmt.Fprintf(p.Out, "%d readings used, %d without a pose, %d rejected\n", s.Used, s.Late, s.Refused)
	if o.file == "" {
		return nil
	}
	name, err := n.Save()
	if err == nil {
		fmt.Fprintln(p.Out, name)
	}
	return err
}
