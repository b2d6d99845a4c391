// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/msgs/rosbag2_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// failingDisk refuses to write from some moment on, as a disk that was mounted for reading, or has broken.
type failingDisk struct {
	realDisk
	failure atomic.Pointer[error]
}

type failingFile struct {
	mcap.File
	d *failingDisk
}

func (d *failingDisk) create(path string) (mcap.File, error) {
	f, err := d.realDisk.create(path)
	return &failingFile{f, d}, err
}

func (d *failingDisk) fail(err error) { d.failure.Store(&err) }

func (f *failingFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.d.failure.Load(); err != nil {
		return 0, *err
	}
	return f.File.WriteAt(p, off)
}

func (f *failingFile) Sync() error {
	if err := f.d.failure.Load(); err != nil {
		return *err
	}
	return f.File.Sync()
}

// TestDiskBecomesReadOnly: the recording ends with the reason; what was written before stays readable, and
// is completed when the disk can be written again.
func TestDiskBecomesReadOnly(t *testing.T) {
	for _, failure := range []error{syscall.EROFS, syscall.EIO} {
		d := &failingDisk{}
		inBubble(t, Config{disk: d}, func(g *rig) {
			say := g.publisher("a", ros2.DefaultQoS())
			dir := g.start("run")
			say("1")
			say("2")
			g.settle()
			d.fail(failure)
			say("3")
			g.settle()
			if err := <-g.result; !errors.Is(err, failure) {
				t.Errorf("ended with %v, want %v", err, failure)
			}
			g.cancel()
			g.cancel = nil // it has ended
			if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2]" {
				t.Errorf("%v: %s", failure, got)
			}
			if done, err := bag.Recover(dir, nil); err != nil || len(done) != 1 || done[0].Rewritten || done[0].Messages != 2 {
				t.Errorf("%v: %+v %v", failure, done, err)
			}
		})
	}
}

// TestClocksThatJump: messages come with times of before and of long after; every one is there, and the file is whole.
func TestClocksThatJump(t *testing.T) {
	clock := ros2.NewManualClock(time.Unix(1000, 0))
	inBubble(t, Config{Clock: clock, MaxFileTime: time.Hour}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		for i, at := range []int64{1000, 1001, 500, 501, 1_000_000, 1002, 0, 1003} {
			clock.Set(time.Unix(at, 1))
			say(fmt.Sprint(i))
			if i%3 == 2 {
				g.settle()
			}
		}
		g.stop()
		got := texts(t, dir)
		slices.Sort(got)
		if fmt.Sprint(got) != "[/a 0 /a 1 /a 2 /a 3 /a 4 /a 5 /a 6 /a 7]" {
			t.Errorf("%v", got)
		}
		b, err := bag.Open(dir)
		if err != nil || len(b.Damage)+len(b.Interrupted) > 0 {
			t.Fatalf("%+v %v", b, err)
		}
		defer b.Close()
		last := int64(-1)
		for m, err := range b.Messages(bag.Range{}) {
			if err != nil || m.LogTime < last {
				t.Errorf("%v, %d after %d", err, m.LogTime, last)
			}
			last = m.LogTime
		}
		if start, end := b.Span(); start != 1 || end != 1_000_000*1e9+1 {
			t.Errorf("from %d to %d", start, end)
		}
	})
}

// TestClockIsSetDuringARecording: every jump of this computer's clock is logged with its size, and nothing is lost.
func TestClockIsSetDuringARecording(t *testing.T) {
	var ahead atomic.Int64
	wall := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	inBubble(t, Config{wall: wall}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		for i, jump := range []time.Duration{0, time.Hour, -time.Hour} {
			ahead.Store(int64(jump))
			say(fmt.Sprint(i))
			time.Sleep(20 * time.Second)
		}
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 0 /a 1 /a 2]" {
			t.Error(got)
		}
		log := g.log.String()
		if strings.Count(log, "clock was set") != 2 || !strings.Contains(log, "by=1h0m0s") || !strings.Contains(log, "by=-2h0m0s") {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestAnotherTypeOnATopic: publishers of the recorded type are still recorded, the other is logged.
func TestAnotherTypeOnATopic(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		say("1")
		other, err := ros2.NewPublisher[std_msgs.UInt32](g.talker, "a", ros2.DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		g.settle()
		if err := other.Publish(&std_msgs.UInt32{Data: 7}); err != nil {
			t.Fatal(err)
		}
		say("2")
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2]" {
			t.Error(got)
		}
		if n := strings.Count(g.log.String(), "recorded with another type"); n != 1 || !strings.Contains(g.log.String(), "std_msgs/msg/UInt32") {
			t.Errorf("%d warnings:\n%s", n, g.log.String())
		}
	})
}

// TestAnotherDefinitionOnATopic: a publisher whose type has the same name and another hash is logged, and its messages are
// not recorded under the wrong definition.
func TestAnotherDefinitionOnATopic(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		say("1")
		transport := g.net.NewTransport()
		defer transport.Close()
		other, err := transport.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{Topic: "/a", Type: "std_msgs/msg/String", TypeHash: "RIHS01_other"}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // before and after the recorder has seen it in the graph
			if err := other.Write([]byte("\x00\x01\x00\x00\x02\x00\x00\x00x\x00")); err != nil {
				t.Fatal(err)
			}
			g.settle()
		}
		say("2")
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2]" {
			t.Error(got)
		}
		if n := strings.Count(g.log.String(), "recorded with another type"); n != 1 || !strings.Contains(g.log.String(), "RIHS01_other") {
			t.Errorf("%d warnings:\n%s", n, g.log.String())
		}
		if !strings.Contains(g.log.String(), "lost_other_type=2") {
			t.Errorf("the messages of the other definition are not counted:\n%s", g.log.String())
		}
	})
}

// TestPublisherReturnsWithAnotherQoS: both are recorded completely, and the bag has both profiles.
func TestPublisherReturnsWithAnotherQoS(t *testing.T) {
	inBubble(t, Config{}, func(g *rig) {
		first, err := ros2.NewPublisher[std_msgs.String](g.talker, "a", ros2.SensorDataQoS())
		if err != nil {
			t.Fatal(err)
		}
		dir := g.start("run")
		if err := first.Publish(&std_msgs.String{Data: "1"}); err != nil {
			t.Fatal(err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		g.settle()
		say := g.publisher("a", ros2.LatchedQoS())
		say("2") // before the recorder has seen it
		g.settle()
		say("3")
		g.stop()
		if got := fmt.Sprint(texts(t, dir)); got != "[/a 1 /a 2 /a 3]" {
			t.Error(got)
		}
		meta, err := bag.ReadMetadata(dir)
		if err != nil || len(meta.Topics) != 1 || len(meta.Topics[0].Topic.QoS) != 2 {
			t.Errorf("%+v %v", meta, err)
		}
	})
}

func TestAThousandTopics(t *testing.T) {
	n := 1000
	if !suite.Long {
		n = 200
	}
	inBubble(t, Config{}, func(g *rig) {
		var say []func(string)
		for i := range n {
			say = append(say, g.publisher(fmt.Sprintf("t%03d", i), ros2.DefaultQoS()))
		}
		dir := g.start("run")
		for round := range 2 {
			for i, f := range say {
				f(fmt.Sprint(round, i))
			}
			g.settle()
		}
		if s := g.r.Status(); s.Topics != n || s.Messages != uint64(2*n) || s.Lost != 0 {
			t.Errorf("%+v", s)
		}
		g.stop()
		meta, err := bag.ReadMetadata(dir)
		if err != nil || len(meta.Topics) != n || meta.Messages != uint64(2*n) {
			t.Fatalf("%d topics, %d messages, %v", len(meta.Topics), meta.Messages, err)
		}
		for _, topic := range meta.Topics {
			if topic.Count != 2 {
				t.Errorf("%s: %d messages", topic.Topic.Name, topic.Count)
			}
		}
	})
}

// stuckDisk blocks in writes until it is released.
type stuckDisk struct {
	realDisk
	gate chan struct{}
}

type stuckFile struct {
	mcap.File
	d *stuckDisk
}

func (d *stuckDisk) create(path string) (mcap.File, error) {
	f, err := d.realDisk.create(path)
	return &stuckFile{f, d}, err
}

func (f *stuckFile) WriteAt(p []byte, off int64) (int, error) {
	if len(p) > 4<<10 { // a chunk
		<-f.d.gate
	}
	return f.File.WriteAt(p, off)
}

// TestLostMessagesAreCountedWhileTheDiskHangs: what the cache can't hold is counted as lost, and what it holds is
// written when the disk continues.
func TestLostMessagesAreCountedWhileTheDiskHangs(t *testing.T) {
	recordOnHangingDisk(t, func() uint64 { return 0 })
}

// recordOnHangingDisk records 100 topics with ten times what the cache holds while the disk hangs. The memory in use,
// bytes, may grow by three times the cache.
func recordOnHangingDisk(t *testing.T, memory func() uint64) {
	t.Helper()
	const cache, size, messages = 4 << 20, 10_000, 4000
	d := &stuckDisk{gate: make(chan struct{})}
	inBubble(t, Config{disk: d, Cache: cache, ChunkSize: 256 << 10}, func(g *rig) {
		var publishers []*ros2.Publisher[std_msgs.UInt8MultiArray]
		for i := range 100 {
			p, err := ros2.NewPublisher[std_msgs.UInt8MultiArray](g.talker, fmt.Sprint("t", i), ros2.QoS{Depth: 1})
			if err != nil {
				t.Fatal(err)
			}
			publishers = append(publishers, p)
		}
		dir := g.start("run")
		before := memory()
		m := std_msgs.UInt8MultiArray{Data: make([]byte, size)}
		for i := range messages {
			if err := publishers[i%len(publishers)].Publish(&m); err != nil {
				t.Fatal(err)
			}
		}
		if grown := int64(memory()) - int64(before); grown > 3*cache {
			t.Errorf("%d bytes of messages made the heap grow by %d, with a cache of %d", messages*size, grown, cache)
		}
		close(d.gate)
		g.settle()
		g.settle()
		s := g.r.Status()
		g.lossy = true
		if s.Lost == 0 || s.Messages+s.Lost != messages || s.Messages < cache/size*9/10 {
			t.Errorf("%+v", s)
		}
		g.stop()
		if meta, err := bag.ReadMetadata(dir); err != nil || meta.Messages != s.Messages {
			t.Errorf("%+v %v", meta, err)
		}
	})
}

// TestSplitsArePublished on events/write_split, as by rosbag2.
func TestSplitsArePublished(t *testing.T) {
	inBubble(t, Config{Select: Selection{Topics: []string{"/a"}}}, func(g *rig) {
		if err := g.r.OfferServices(g.r.cfg.Node, func() string { return "" }); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var reported []string
		if _, err := ros2.Listen(g.talker, "events/write_split", ros2.DefaultQoS(), func(m *rosbag2_interfaces.WriteSplitEvent) {
			mu.Lock()
			defer mu.Unlock()
			reported = append(reported, fmt.Sprint(strings.TrimPrefix(m.ClosedFile, g.dir), " ", strings.TrimPrefix(m.OpenedFile, g.dir), " ", m.NodeName))
		}); err != nil {
			t.Fatal(err)
		}
		say := g.publisher("a", ros2.DefaultQoS())
		g.start("run")
		for range 3 {
			say("x")
			if err := g.r.Split(g.t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		g.stop()
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(reported, ", "); got != "/run/run_0.mcap /run/run_1.mcap /recorder, /run/run_1.mcap /run/run_2.mcap /recorder" {
			t.Error(got)
		}
	})
}

// TestLatchedMessagesAreBounded: of many publishers with large messages, those are kept that fit into the cache's size.
func TestLatchedMessagesAreBounded(t *testing.T) {
	l := latched{limit: 10_000}
	for round := range 3 {
		for i := range 100 {
			l.put(uint16(i), ros2.GID{1}, 1, uint64(round), 0, make([]byte, 900-300*round), true)
		}
		kept := 0
		for _, m := range l.last {
			kept += len(m.data)
		}
		if kept > l.limit || kept != l.bytes || kept < 9000 {
			t.Errorf("%d bytes kept, %d counted, %d allowed", kept, l.bytes, l.limit)
		}
	}
	l.forget(nil)
	if l.bytes != 0 || len(l.last) != 0 {
		t.Errorf("%d bytes of %d messages after all have left", l.bytes, len(l.last))
	}
}

// TestIndexOfAFileIsBounded: a recording of many small chunks begins new files.
func TestIndexOfAFileIsBounded(t *testing.T) {
	inBubble(t, Config{ChunkSize: 100, MaxIndex: 1000, Select: Selection{Topics: []string{"/a"}}}, func(g *rig) {
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		for i := range 40 {
			say(fmt.Sprintf("%04d%s", i, strings.Repeat("x", 90)))
		}
		g.stop()
		meta, err := bag.ReadMetadata(dir)
		if err != nil || len(meta.Files) != 6 || meta.Messages != 40 {
			t.Errorf("%d files, %d messages, %v", len(meta.Files), meta.Messages, err)
		}
	})
}
