// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/page"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/shell"
	"github.com/epuck-ros2/epuck-driver/web"
)

// playOptions are the options of bag play; names and meanings are those of rosbag2 where it has them.
type playOptions struct {
	choose             play.Selection
	rate, clock        float64
	delay, offset      float64
	duration, untilSec float64
	untilNsec          int64
	loop, paused       bool
	bagNode
	clockAll           bool
	clockTopics, remap []string
	readAhead          string
	driver, paced      bool
	site               page.Site // for viewers
}

// newBagPlayCommand returns the command that plays bags.
func newBagPlayCommand(p *frame.Program) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play BAG …",
		Short: "Play a bag, as ros2 bag play",
		Long: "Publishes a bag's messages at their recorded times: a folder, or one of its files, finished or not. Several bags\n" +
			"are played as one, by the times of their messages. Each topic is offered with the quality of service that was\n" +
			"recorded, and its type is described by the definition in the bag to nodes that ask, such as topic echo. On a terminal\n" +
			"the space bar pauses and resumes, → plays the next message of a pause, ↑ and ↓ change the rate by a tenth; the node\n" +
			"has rosbag2's services (~/pause, ~/seek …). With --web the page and Foxglove show it; Foxglove's controls pause,\n" +
			"seek and change the rate, and at the end it waits for them until it is interrupted. Foxglove also gets channels\n" +
			"that are not of ROS, such as JSON, as they are.",
		Example: "  epuck-driver bag play run1\n" +
			"  epuck-driver bag play run1 --rate 0.5 --clock 100 --topics /scan /tf /tf_static\n" +
			"  epuck-driver bag play run1 --web\n" +
			"  epuck-driver bag play robot1 robot2 --clock 100\n" +
			"  epuck-driver bag play run1 --loop --start-offset 10 --remap /odom:=/odom_recorded",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paced = cmd.Flags().Changed("rate")
			return o.run(cmd.Context(), p, args)
		},
	}
	o.site.Fallback = true
	o.chooses(cmd.Flags())
	o.times(cmd.Flags())
	o.site.Flags(cmd.Flags(), "")
	p.TakesROSArguments(cmd)
	frame.Paginate(cmd, frame.FlagPages{Pages: []frame.FlagPage{
		{Name: "topics", Title: "which topics and services, and their names", Flags: []string{
			"topics", "regex", "services", "exclude-topics", "exclude-regex", "exclude-services", "remap", "qos-profile-overrides-path",
			"node-name",
		}},
		{Name: "time", Title: "which part of the bag, and how fast", Flags: []string{
			"rate", "start-offset", "playback-duration", "duration", "playback-until-sec", "playback-until-nsec", "delay", "loop",
			"start-paused", "disable-keyboard-controls", "read-ahead-queue-size",
		}},
		{Name: "clock", Title: "/clock", Flags: []string{"clock", "clock-topics", "clock-topics-all"}},
		{Name: "viewer", Title: "the page for browsers", Flags: []string{"web", "web-host", "web-origin", "web-tls"}},
		{Name: "driver", Title: "a recorded bus into the driver", Flags: []string{"into-driver"}},
	}})
	return cmd
}

// chooses adds the flags about topics.
func (o *playOptions) chooses(f *pflag.FlagSet) {
	c := &o.choose
	frame.Several(f, &c.Topics, "topics", "play these topics")
	frame.Several(f, &c.Services, "services", "play the events of these services")
	f.StringVarP(&c.Regex, "regex", "e", "", "play topics and services that contain this regular expression")
	f.StringVarP(&c.ExcludeRegex, "exclude-regex", "x", "", "leave out topics and services that contain this regular expression")
	frame.Several(f, &c.ExcludeTopics, "exclude-topics", "leave out these topics")
	frame.Several(f, &c.ExcludeServices, "exclude-services", "leave out the events of these services")
	f.StringArrayVarP(&o.remap, "remap", "m", nil, "OLD:=NEW: publish topics under other names")
	frame.Annotate(f, "remap", shell.SeveralValues)
	o.flags(f, "rosbag2_player", "player", "offer")
	f.BoolVar(&o.driver, "into-driver", false, "run a driver on the recorded bus instead, as fast as possible unless --rate is given,\n"+
		"and compare its odometry with the recorded one")
}

// times adds the flags about time.
func (o *playOptions) times(f *pflag.FlagSet) {
	f.Float64VarP(&o.rate, "rate", "r", 1, "playback rate; 1 is as recorded")
	f.BoolVarP(&o.loop, "loop", "l", false, "start again at the end")
	f.Float64Var(&o.offset, "start-offset", 0, "start so many seconds after the beginning of the bag")
	f.Float64Var(&o.duration, "playback-duration", -1, "play so many seconds; negative is all")
	f.Float64Var(&o.duration, "duration", -1, "same as --playback-duration")
	f.Float64Var(&o.untilSec, "playback-until-sec", -1, "play until this time of the bag, seconds since 1970; negative is the end")
	f.Int64Var(&o.untilNsec, "playback-until-nsec", -1, "same as --playback-until-sec, in nanoseconds")
	f.Float64VarP(&o.delay, "delay", "d", 0, "wait so many seconds before each start")
	f.BoolVarP(&o.paused, "start-paused", "p", false, "start with a pause")
	f.Float64Var(&o.clock, "clock", 0, "publish the bag's time on /clock so many times a second, 40 without a number; 0: not at all")
	f.Lookup("clock").NoOptDefVal = "40"
	frame.Annotate(f, "clock", shell.OptionalNumber)
	frame.Several(f, &o.clockTopics, "clock-topics", "publish /clock before each message of these topics")
	f.BoolVar(&o.clockAll, "clock-topics-all", false, "publish /clock before each message")
	f.StringVar(&o.readAhead, "read-ahead-queue-size", "", "accepted as in ros2 bag play; a chunk is read ahead")
}

// config returns the player's configuration without node and bag.
func (o *playOptions) config() (c play.Config, err error) {
	if !(o.rate > 0) {
		return c, frame.Usagef("--rate %g: want a number above 0", o.rate)
	}
	if o.offset < 0 || o.delay < 0 || o.clock < 0 {
		return c, frame.Usagef("--start-offset, --delay and --clock can't be negative")
	}
	c = play.Config{
		Select: o.choose, Rate: o.rate, Loop: o.loop, Delay: ros2.Seconds(o.delay), Offset: ros2.Seconds(o.offset),
		Duration: max(0, ros2.Seconds(o.duration)), Paused: o.paused, Clock: o.clock,
	}
	if o.site.Wanted() { // viewers seek, and show the bag's time
		c.Stay, c.Clock = true, cmp.Or(o.clock, 40)
	}
	switch {
	case o.untilNsec >= 0:
		c.Until = time.Unix(0, o.untilNsec)
	case o.untilSec >= 0:
		c.Until = time.Unix(0, int64(ros2.Seconds(o.untilSec)))
	}
	if o.clockAll {
		c.ClockBefore = func(string) bool { return true }
	}
	c.ClockTopics = o.clockTopics
	c.QoS, err = o.profiles()
	return c, err
}

// arguments returns the ROS arguments including --remap.
func (o *playOptions) arguments(p *frame.Program) (ros2.Args, error) {
	if len(o.remap) == 0 {
		return p.ROS, nil
	}
	words := []string{frame.ROSArgs}
	for _, rule := range o.remap {
		if !strings.Contains(rule, ":=") {
			return p.ROS, frame.Usagef("--remap %q: want OLD:=NEW", rule)
		}
		words = append(words, "-r", rule)
	}
	if i := slices.Index(p.Line, frame.ROSArgs); i >= 0 {
		words = append(words, p.Line[i+1:]...)
	}
	args, _, err := ros2.ParseArgs(words)
	if err != nil {
		return args, frame.Usagef("%v", err)
	}
	return args, nil
}

// run plays until the end or until ctx ends.
func (o *playOptions) run(ctx context.Context, p *frame.Program, paths []string) (err error) {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	args, err := o.arguments(p)
	if err != nil {
		return err
	}
	b, err := openBags(paths)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	reportMissing(p, b)
	if o.driver {
		err := o.intoDriver(ctx, p, b)
		if n := len(b.Damage); n > 0 {
			err = errors.Join(err, fmt.Errorf("%w: %d places, the first is %s", play.ErrDamaged, n, b.Damage[0]))
		}
		return err
	}
	cfg.Bag = b
	return o.session(p, args, func(node *ros2.Node, transport ros2.Transport) error {
		return o.playOn(ctx, p, cfg, node, transport)
	})
}

// reportMissing prints the parts of a bag that are not played because they can't be read or do not belong to it.
func reportMissing(p *frame.Program, b *bag.Bag) {
	for _, name := range b.Interrupted {
		fmt.Fprintf(p.Err, "not finished: %s\n", printable.Line(name))
	}
	for _, place := range b.Damage {
		fmt.Fprintf(p.Err, "damaged: %s\n", printable.Line(place))
	}
	for _, remark := range b.Remarks {
		fmt.Fprintf(p.Err, "remark: %s\n", printable.Line(remark))
	}
}

// playOn plays with a node, and serves viewers with --web.
func (o *playOptions) playOn(ctx context.Context, p *frame.Program, cfg play.Config, node *ros2.Node, transport ros2.Transport) error {
	cfg.Node = node
	if o.site.Wanted() {
		o.site.Feed = web.NewFeed()
		cfg.Direct = func(t *bag.Topic) play.Output { return o.site.Feed.Open(channelOf(t)) }
	}
	player, err := play.New(cfg)
	if err != nil {
		return err
	}
	if err := player.OfferServices(node); err != nil {
		return err
	}
	end, err := o.show(p, transport, player)
	if err != nil {
		return err
	}
	return errors.Join(o.play(ctx, p, player), end())
}

// openBags opens several bags as one.
func openBags(paths []string) (*bag.Bag, error) {
	var bags []*bag.Bag
	for _, path := range paths {
		b, err := bag.Open(path)
		if err != nil {
			for _, b := range bags {
				err = errors.Join(err, b.Close())
			}
			return nil, err
		}
		bags = append(bags, b)
	}
	return bag.Join(bags...), nil
}

// channelOf describes a topic to viewers that receive its messages unchanged.
func channelOf(t *bag.Topic) web.ChannelInfo {
	return web.ChannelInfo{
		Topic: t.Name, Encoding: cmp.Or(t.Format, "cdr"), SchemaName: t.Type, SchemaEncoding: t.SchemaEncoding, Schema: []byte(t.Schema),
	}
}

// play runs the player together with its keyboard and its progress line.
func (o *playOptions) play(ctx context.Context, p *frame.Program, player *play.Player) error {
	background, cancel := context.WithCancel(ctx)
	var wg task.Group
	defer wg.Wait()
	defer cancel()
	defer o.keys(background, &wg, "bag play: keyboard", func(k tty.Key) { playKey(background, player, p, k) })()
	wg.Go("bag play: progress", func() { showPlaying(background, tty.NewProgress(p.Err), player) })
	return player.Run(ctx)
}

// showPlaying shows the player's position until ctx ends.
func showPlaying(ctx context.Context, bar *tty.Progress, player *play.Player) {
	if bar.W == nil {
		return
	}
	defer bar.End()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s := player.Status()
		whole, now := s.End.Sub(s.Start).Seconds(), s.Now.Sub(s.Start).Seconds()
		text := fmt.Sprintf("%.1f of %.1f s, rate %g", now, whole, s.Rate)
		if s.Paused {
			text += ", paused"
		}
		bar.Show(now/max(whole, 1e-9), text)
	}
}

// playKey executes the action of a key.
func playKey(ctx context.Context, player *play.Player, p *frame.Program, k tty.Key) {
	var err error
	switch k {
	case tty.KeySpace:
		err = player.TogglePaused(ctx)
	case tty.KeyRight:
		err = player.PlayNext(ctx)
	case tty.KeyUp:
		err = player.SetRate(ctx, player.Status().Rate*1.1)
	case tty.KeyDown:
		err = player.SetRate(ctx, player.Status().Rate/1.1)
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, play.ErrEnded) {
		fmt.Fprintln(p.Err, err)
	}
}
