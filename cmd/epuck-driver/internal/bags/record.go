// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/build"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// recordOptions are the options of bag record; names and meanings are those of rosbag2 where it has them.
type recordOptions struct {
	choose              record.Selection
	all, noDiscovery    bool
	bus                 bool
	output, storage     string
	fileSize, size      int64
	fileTime, duration  float64
	cache               int
	compression, preset string
	snapshot            bool
	preRoll             float64
	share               float64
	repeat, paused, sim bool
	bagNode
	custom            []string
	compressionFormat string
}

// newBagRecordCommand returns the command that records bags.
func newBagRecordCommand(p *frame.Program) *cobra.Command {
	var o recordOptions
	cmd := &cobra.Command{
		Use:   "record [TOPIC …]",
		Short: "Record topics, as ros2 bag record",
		Long: "Records topics into a folder of MCAP files until it is interrupted. Name topics, or select them with --all,\n" +
			"--all-topics, --topic-types or --regex. A power cut loses at most the last second.\n" +
			"On a terminal the space bar pauses and resumes.",
		Example: "  epuck-driver bag record --all\n" +
			"  epuck-driver bag record -o run1 /odom /scan /tf /tf_static\n" +
			"  epuck-driver bag record --regex '/ps[0-7]' --duration 60 --compression zstd\n" +
			"  epuck-driver bag record --all --snapshot-mode --pre-roll 30",
		RunE: func(cmd *cobra.Command, args []string) error {
			o.choose.Topics = append(o.choose.Topics, args...)
			return o.run(cmd.Context(), p)
		},
	}
	o.chooses(cmd.Flags())
	o.writes(cmd.Flags())
	p.TakesROSArguments(cmd)
	frame.Paginate(cmd, frame.FlagPages{Pages: []frame.FlagPage{
		{Name: "topics", Title: "which topics and services", Flags: []string{
			"all", "all-topics", "topics", "topic-types", "regex", "all-services", "services", "exclude-regex", "exclude-topics",
			"exclude-topic-types", "exclude-services", "include-hidden-topics", "include-unpublished-topics", "ignore-leaf-topics",
		}},
		{Name: "files", Title: "files, their size and compression", Flags: []string{
			"output", "storage", "storage-preset-profile", "compression", "compression-format", "max-bag-size", "max-bag-duration",
			"size", "duration", "disk-share", "repeat-latched", "custom-data",
		}},
		{Name: "recording", Title: "when and how it records", Flags: []string{
			"no-discovery", "start-paused", "disable-keyboard-controls", "snapshot-mode", "pre-roll", "max-cache-size", "cache", "use-sim-time",
			"node-name", "qos-profile-overrides-path", "bus",
		}},
	}})
	return cmd
}

// chooses adds the flags that select topics.
func (o *recordOptions) chooses(f *pflag.FlagSet) {
	c := &o.choose
	f.BoolVarP(&o.all, "all", "a", false, "record all topics and services but hidden topics")
	f.BoolVar(&c.AllTopics, "all-topics", false, "record all topics but hidden ones")
	f.BoolVar(&c.AllServices, "all-services", false, "record the events of all services that publish them")
	frame.Several(f, &c.Topics, "topics", "record these topics")
	frame.Several(f, &c.Services, "services", "record the events of these services")
	frame.Several(f, &c.TopicTypes, "topic-types", "record topics of these types")
	f.StringVarP(&c.Regex, "regex", "e", "", "record topics and services that contain this regular expression")
	f.StringVarP(&c.ExcludeRegex, "exclude-regex", "x", "", "leave out topics and services that contain this regular expression")
	frame.Several(f, &c.ExcludeTopics, "exclude-topics", "leave out these topics")
	frame.Several(f, &c.ExcludeServices, "exclude-services", "leave out these services")
	frame.Several(f, &c.ExcludeTopicTypes, "exclude-topic-types", "leave out topics of these types")
	f.BoolVar(&c.Hidden, "include-hidden-topics", false, "record also hidden topics")
	f.BoolVar(&c.Unpublished, "include-unpublished-topics", false, "subscribe also to topics that have no publisher yet")
	f.BoolVar(&c.IgnoreLeaf, "ignore-leaf-topics", false, "leave out topics without a subscription")
	f.BoolVar(&o.bus, "bus", false, "record also the bus traffic of this program's robots, for \"bag play --into-driver\"")
	f.BoolVar(&o.noDiscovery, "no-discovery", false, "record only topics that exist at the start")
	o.flags(f, "rosbag2_recorder", "recorder", "request")
}

// writes adds the flags about files and time.
func (o *recordOptions) writes(f *pflag.FlagSet) {
	f.StringVarP(&o.output, "output", "o", "", "folder of the bag (default rosbag2_ and the time)")
	f.StringVarP(&o.storage, "storage", "s", bag.StorageMCAP, "file format; only mcap is supported")
	f.Int64VarP(&o.fileSize, "max-bag-size", "b", 0, "start a new file at so many bytes; 0: no limit")
	f.Float64VarP(&o.fileTime, "max-bag-duration", "d", 0, "start a new file after so many seconds; 0: no limit")
	f.Int64Var(&o.size, "size", 0, "end at so many bytes; 0: no limit")
	f.Float64Var(&o.duration, "duration", 0, "end after so many seconds; 0: no limit")
	f.IntVar(&o.cache, "max-cache-size", record.DefaultCache, "bytes that are buffered for the disk, or kept for --pre-roll")
	f.IntVar(&o.cache, "cache", record.DefaultCache, "the same")
	f.StringVar(&o.compression, "compression", "", "compress chunks: zstd or none (default none)")
	f.StringVar(&o.preset, "storage-preset-profile", "", "fastwrite and none do not compress, zstd_fast and zstd_small do")
	f.StringVar(&o.compressionFormat, "compression-format", "", "zstd is the same as --compression zstd")
	f.BoolVar(&o.snapshot, "snapshot-mode", false, "write only when the service ~/snapshot is called: the last --pre-roll seconds")
	f.Float64Var(&o.preRoll, "pre-roll", 30, "seconds that --snapshot-mode keeps")
	f.Float64Var(&o.share, "disk-share", 0, "use at most this share of the disk, 0 to 1, and remove the oldest file of this recording first; 0 removes nothing")
	f.BoolVar(&o.repeat, "repeat-latched", false, "start every file with the messages of transient local publishers")
	f.BoolVar(&o.paused, "start-paused", false, "start with a pause")
	f.BoolVar(&o.sim, "use-sim-time", false, "stamp messages with /clock; nothing is written before it is received")
	frame.Several(f, &o.custom, "custom-data", "KEY=VALUE to store in the bag's metadata")
}

// config returns the recorder's configuration without the node.
func (o *recordOptions) config() (c record.Config, err error) {
	o.choose.AllTopics, o.choose.AllServices = o.choose.AllTopics || o.all, o.choose.AllServices || o.all
	if o.bus {
		o.choose.Words = []string{blackbox.TopicBus, "odom"}
	}
	if o.choose.Empty() {
		return c, frame.Usagef("name topics, or select them with --all, --all-topics, --all-services, --topic-types or --regex")
	}
	o.choose.Words = append(o.choose.Words, blackbox.TopicRun) // every recording has the facts of the run
	if o.storage != bag.StorageMCAP {
		return c, frame.Usagef("--storage %s: only %s is supported", o.storage, bag.StorageMCAP)
	}
	c = record.Config{
		Types: msgs.Definition, Variants: []dynamic.Lookup{msgs.DefinitionJazzy}, Select: o.choose, NoDiscovery: o.noDiscovery, Cache: o.cache, DiskShare: o.share, RepeatLatched: o.repeat,
		MaxFileSize: o.fileSize, MaxFileTime: ros2.Seconds(o.fileTime), MaxSize: o.size, MaxTime: ros2.Seconds(o.duration),
		Library: "epuck-driver " + build.Version, Distribution: os.Getenv("ROS_DISTRO"), Snapshots: o.snapshot,
	}
	if o.snapshot {
		c.PreRoll = ros2.Seconds(o.preRoll)
	}
	if c.Compression, err = o.compress(); err != nil {
		return c, err
	}
	for _, pair := range o.custom {
		k, v, ok := strings.Cut(pair, "=")
		if !ok {
			return c, frame.Usagef("--custom-data %q: want KEY=VALUE", pair)
		}
		if c.Custom == nil {
			c.Custom = map[string]string{}
		}
		c.Custom[k] = v
	}
	c.QoS, err = o.profiles()
	return c, err
}

func (o *recordOptions) compress() (mcap.Compression, error) {
	for _, name := range []string{o.compression, o.compressionFormat, o.preset} {
		switch name {
		case "zstd", "zstd_fast", "zstd_small":
			return mcap.Zstd, nil
		case "", "none", "fastwrite":
		default:
			return "", frame.Usagef("unknown compression %q; want zstd or none", name)
		}
	}
	return mcap.Uncompressed, nil
}

// folder returns the folder of the bag.
func (o *recordOptions) folder() string {
	if o.output != "" {
		return filepath.Clean(o.output)
	}
	return "rosbag2_" + time.Now().Format("2006_01_02-15_04_05") // separately: the 2 would be the day
}

// run records until ctx ends or a limit is reached.
func (o *recordOptions) run(ctx context.Context, p *frame.Program) (err error) {
	cfg, err := o.config()
	if err != nil {
		return err
	}
	return o.session(p, p.ROS, func(node *ros2.Node, _ ros2.Transport) error {
		cfg.Node = node
		if o.sim {
			clock, err := simulatedClock(node)
			if err != nil {
				return err
			}
			defer clock.Close()
			cfg.Clock = clock
		}
		r, err := record.New(cfg)
		if err != nil {
			return err
		}
		if err := r.OfferServices(node, o.folder); err != nil {
			return err
		}
		stop, err := awaitTopics(node, p, cfg.Select.Topics)
		if err != nil {
			return err
		}
		defer stop()
		return o.record(ctx, p, r)
	})
}

// awaitTopics reports after a second which of the named topics are not published, and why, until stop is called.
func awaitTopics(n *ros2.Node, p *frame.Program, names []string) (stop func(), err error) {
	if len(names) == 0 {
		return func() {}, nil
	}
	var peers []waiting.Peer
	for _, name := range names {
		topic, err := n.ResolveName(name)
		if err != nil {
			return nil, err
		}
		peers = append(peers, waiting.Peer{Kind: ros2.PublisherEndpoint, Name: topic, AnyQoS: true, Own: n.Name()})
	}
	return network.NoticeMissing(n.Transport(), p.Err, peers...), nil
}

// simulatedClock returns a clock that follows /clock.
func simulatedClock(n *ros2.Node) (*ros2.ROSClock, error) {
	if err := n.Parameters().SetAtomically(ros2.Parameter{Name: "use_sim_time", Value: ros2.BoolValue(true)}); err != nil {
		return nil, err
	}
	return ros2.NewROSClock(n)
}

// record runs the recorder and handles the keyboard.
func (o *recordOptions) record(ctx context.Context, p *frame.Program, r *record.Recorder) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg task.Group
	defer wg.Wait()
	defer cancel()
	if o.paused {
		r.Pause()
	}
	started := make(chan error, 1)
	wg.Go("bag record: start", func() {
		err := r.Start(ctx, o.folder())
		if err != nil {
			cancel()
		}
		started <- err
	})
	defer o.keys(ctx, &wg, "bag record: keyboard", func(k tty.Key) { recordKey(r, p, k) })()
	err := r.Run(ctx)
	if ctx.Err() == nil || err != nil {
		return errors.Join(err, takeError(started))
	}
	return takeError(started)
}

// takeError returns the error in the channel, nil if there is none; the errors of an ended context and of a closed
// recorder are dropped.
func takeError(c <-chan error) error {
	select {
	case err := <-c:
		if errors.Is(err, context.Canceled) || errors.Is(err, record.ErrClosed) {
			return nil
		}
		return err
	default:
		return nil
	}
}

// recordKey executes the action of a key.
func recordKey(r *record.Recorder, p *frame.Program, k tty.Key) {
	if k != tty.KeySpace {
		return
	}
	r.TogglePaused()
	text := "recording again"
	if r.Paused() {
		text = "paused"
	}
	fmt.Fprintln(p.Err, text)
}
