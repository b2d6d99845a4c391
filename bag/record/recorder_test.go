// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestRecordsWhatIsPublished(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		a, latch := g.publisher("a", ros2.SensorDataQoS()), g.publisher("latched", ros2.LatchedQoS())
		latch("before")
		dir := g.start("run")
		later := g.publisher("later", ros2.DefaultQoS())
		g.settle()
		a("1")
		later("2")
		latch("3")
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/latched before /a 1 /later 2 /latched 3]" {
			t.Errorf("recorded %s", got)
		}
		b, err := bag.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		topic := b.Topics()[1]
		if topic.Name != "/latched" || topic.Type != "std_msgs/msg/String" || topic.Hash != (&std_msgs.String{}).TypeHash() || topic.Schema != "string data\n" ||
			topic.SchemaEncoding != "ros2msg" || len(topic.QoS) != 1 || topic.QoS[0].Durability != ros2.TransientLocal {
			t.Errorf("%+v", topic)
		}
		meta, err := bag.ReadMetadata(dir)
		if err != nil || meta.Messages != 4 || len(meta.Files) != 1 || meta.Files[0].Messages != 4 || meta.Version != 8 {
			t.Errorf("%+v, %v", meta, err)
		}
		if _, err := g.r.Stop(g.t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("Stop afterwards: %v", err)
		}
	})
}

// TestEveryClassOfPublishersIsHeardInFull: publishers of one topic that offer different service: the history of the
// one that keeps it comes, and every message comes once.
func TestEveryClassOfPublishersIsHeardInFull(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		var say []func(string)
		for i, q := range []ros2.QoS{ros2.LatchedQoS(), ros2.DefaultQoS(), ros2.SensorDataQoS(), ros2.LatchedQoS().WithReliability(ros2.BestEffort)} {
			say = append(say, g.publisher("mixed", q))
			say[i](fmt.Sprint("early ", i))
		}
		dir := g.start("run")
		for i := range say {
			say[i](fmt.Sprint("late ", i))
		}
		g.stop()
		got := texts(t, dir)
		slices.Sort(got)
		if want := "[/mixed early 0 /mixed early 3 /mixed late 0 /mixed late 1 /mixed late 2 /mixed late 3]"; fmt.Sprint(got) != want {
			t.Errorf("%v, want %s", got, want)
		}
	})
}

func TestUnknownTypesAreRequested(t *testing.T) {
	cfg := Config{Types: func(name string) (string, bool) {
		if name == "std_msgs/msg/String" || name == "std_msgs/msg/Header" {
			return "", false
		}
		return msgs.Definition(name)
	}}
	inBubble(t, cfg, func(g *rig) {
		say := g.publisher("silent", ros2.DefaultQoS()) // of a node without services
		described := g.node("described", g.net.NewTransport(), true)
		p, err := ros2.NewPublisher[std_msgs.Header](described, "described", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		dir := g.start("run")
		time.Sleep(definitionTimeout)
		say("x")
		if err := p.Publish(&std_msgs.Header{FrameID: "base"}); err != nil {
			t.Fatal(err)
		}
		g.settle()
		g.stop()
		_ = described.Close()
		b, err := bag.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		byName := map[string]*bag.Topic{}
		for _, topic := range b.Topics() {
			byName[topic.Name] = topic
		}
		const want = "builtin_interfaces/Time stamp\nstring frame_id\n\n" +
			"================================================================================\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
		if described := byName["/described"]; described.Schema != want || described.Messages != 1 {
			t.Errorf("described: %+v", described)
		}
		if silent := byName["/silent"]; silent.Type != "std_msgs/msg/String" || silent.SchemaEncoding != "" || silent.Messages != 1 {
			t.Errorf("silent: %+v", silent)
		}
		if !strings.Contains(g.log.String(), "recorded without the definition of its type") {
			t.Errorf("no warning:\n%s", g.log)
		}
	})
}

func TestSplits(t *testing.T) {
	for name, cfg := range map[string]Config{"size": {MaxFileSize: 20 << 10}, "time": {MaxFileTime: 3 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, cfg, func(g *rig) {
				say := g.publisher("a", ros2.DefaultQoS())
				dir := g.start("run")
				var want []string
				for i := range 10 {
					line := fmt.Sprintf("%d %s", i, strings.Repeat("x", 5000))
					say(line)
					want = append(want, "/a "+line)
					g.settle()
				}
				if err := g.r.Split(g.t.Context()); err != nil {
					t.Error(err)
				}
				say("end")
				g.stop()
				meta, err := bag.ReadMetadata(dir)
				if err != nil || len(meta.Files) < 4 || meta.Messages != 11 || meta.Paths[2] != "run_2.mcap" {
					t.Errorf("%+v %v", meta, err)
				}
				if got := texts(t, dir); !slices.Equal(got, append(want, "/a end")) {
					t.Errorf("%d messages", len(got))
				}
			})
		})
	}
}

func TestLimitsEndTheRecording(t *testing.T) {
	for name, cfg := range map[string]Config{"size": {MaxSize: 20 << 10}, "time": {MaxTime: 5 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, cfg, func(g *rig) {
				say := g.publisher("a", ros2.DefaultQoS())
				g.start("run")
				for range 20 {
					say(strings.Repeat("x", 3000))
					g.settle()
				}
				if err := <-g.result; err != nil {
					t.Error(err)
				}
				g.cancel()
				g.cancel = nil
				if got := len(texts(t, filepath.Join(g.dir, "run"))); got < 4 || got > 8 {
					t.Errorf("%d messages", got)
				}
			})
		})
	}
}

// TestPreRoll: a recording begins with the last seconds before it, and with what is latched however old.
func TestPreRoll(t *testing.T) {
	inBubble(t, Config{PreRoll: 5 * time.Second}, func(g *rig) {
		say, latch := g.publisher("a", ros2.DefaultQoS()), g.publisher("latched", ros2.LatchedQoS())
		g.settle()
		latch("L")
		for i := range 20 {
			say(fmt.Sprint(i))
			g.settle() // a second each
		}
		snap := filepath.Join(g.dir, "snap")
		if err := g.r.Snapshot(g.t.Context(), snap); err != nil {
			t.Fatal(err)
		}
		say("between")
		dir := g.start("run")
		say("after")
		if err := g.r.Start(g.t.Context(), dir+"2"); !errors.Is(err, ErrRecording) {
			t.Errorf("%v", err)
		}
		if got, err := g.r.Stop(g.t.Context()); got != dir || err != nil {
			t.Errorf("%q %v", got, err)
		}
		if _, err := g.r.Stop(g.t.Context()); !errors.Is(err, ErrNotRecording) {
			t.Errorf("%v", err)
		}
		got := texts(t, snap)
		if len(got) < 6 || len(got) > 8 || got[0] != "/latched L" || got[len(got)-1] != "/a 19" || got[1] != fmt.Sprint("/a ", 21-len(got)) {
			t.Errorf("snapshot %v", got)
		}
		if got := fmt.Sprint(texts(t, dir)); got != "[/latched L /a between /a after]" {
			t.Errorf("recording %v", got)
		}
	})
}

// TestSnapshotsIntoOneBag is rosbag2's --snapshot-mode.
func TestSnapshotsIntoOneBag(t *testing.T) {
	inBubble(t, Config{PreRoll: 2 * time.Second, Snapshots: true}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		for i := range 12 {
			say(fmt.Sprint(i))
			g.settle()
			if i == 5 || i == 10 {
				if err := g.r.Snapshot(g.t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
		}
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 3 /a 4 /a 5 /a 8 /a 9 /a 10]" {
			t.Errorf("%v", got)
		}
	})
}

func TestPauseKeepsLatchedMessagesOnly(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		say, latch := g.publisher("a", ros2.DefaultQoS()), g.publisher("latched", ros2.LatchedQoS())
		g.r.Pause()
		dir := g.start("run")
		latch("L")
		say("left out")
		g.settle()
		g.r.TogglePaused()
		say("in")
		g.r.TogglePaused()
		say("left out")
		g.r.resume()
		g.r.resume()
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/latched L /a in]" {
			t.Errorf("%v", got)
		}
	})
}

func TestTheFolderMustBeNew(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		dir := filepath.Join(g.dir, "there")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := g.r.Start(g.t.Context(), dir); !errors.Is(err, errExists) {
			t.Errorf("%v", err)
		}
	})
}

func TestConfigIsChecked(t *testing.T) {
	for name, cfg := range map[string]Config{
		"no node": {}, "share": {DiskShare: 2}, "time": {ChunkTime: -1}, "size": {Cache: -1}, "regex": {Select: Selection{Regex: "("}}, "snapshots": {Snapshots: true},
	} {
		if name != "no node" {
			cfg.Node = &ros2.Node{}
		}
		if _, err := New(cfg); !errors.Is(err, errConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
