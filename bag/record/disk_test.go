// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestFullDisk: the recorder logs it, completes its file and continues when there is space, with the newest messages of
// its cache.
func TestFullDisk(t *testing.T) {
	d := newSmallDisk(200 << 10)
	inBubble(t, Config{disk: d, Cache: 64 << 10, ChunkSize: 8 << 10}, func(g *rig) {
		g.lossy = true
		say := g.publisher("a", ros2.DefaultQoS())
		dir := g.start("run")
		var sent []string
		burst := func() {
			for range 100 {
				line := fmt.Sprintf("%04d %s", len(sent), strings.Repeat("x", 2000))
				sent = append(sent, "/a "+line)
				say(line)
			}
			g.settle()
		}
		burst()
		burst()
		if s := g.r.Status(); !s.Full || s.Losses.Disk == 0 || s.Lost != s.Losses.Disk {
			t.Fatalf("status %+v", s)
		}
		b, err := bag.Open(dir)
		if err != nil || len(b.Interrupted)+len(b.Damage) > 0 {
			t.Fatalf("while the disk is full: %+v, %v", b, err)
		}
		_ = b.Close()
		d.resize(10 << 20)
		g.settle()
		g.settle()
		if s := g.r.Status(); s.Full {
			t.Errorf("status %+v", s)
		}
		burst()
		g.stop()
		got := texts(t, dir)
		if !slices.IsSorted(got) || len(got) < 180 || len(got) == 300 {
			t.Errorf("%d messages", len(got))
		}
		if !slices.Equal(got[len(got)-120:], sent[180:]) {
			t.Errorf("the newest messages before there was space, and all after it, are missing; last %.9s", got[len(got)-1])
		}
		for _, line := range []string{"recording suspended: the disk is full", "recording continues"} {
			if !strings.Contains(g.log.String(), line) {
				t.Errorf("the log lacks %q", line)
			}
		}
	})
}

// TestDiskShare: the recording keeps to its share, its oldest files go, and each of the rest begins with what is
// latched.
func TestDiskShare(t *testing.T) {
	d := newSmallDisk(20 << 20)
	inBubble(t, Config{disk: d, DiskShare: 0.5, MaxFileSize: 1 << 20, ChunkSize: 64 << 10}, func(g *rig) {
		say, latch := g.publisher("a", ros2.DefaultQoS()), g.publisher("latched", ros2.LatchedQoS())
		latch("L")
		dir := g.start("run")
		for i := range 1500 {
			say(fmt.Sprintf("%04d %s", i, strings.Repeat("x", 20000)))
			if i%40 == 0 {
				g.settle()
			}
			if used := d.used(); used > 10<<20+128<<10 {
				t.Fatalf("%d bytes used", used)
			}
		}
		g.stop()
		meta, err := bag.ReadMetadata(dir)
		if err != nil || len(meta.Files) < 5 || meta.Files[0].Path == "run_0.mcap" {
			t.Fatalf("%+v %v", meta, err)
		}
		if got := texts(t, dir); got[0] != "/latched L" || !strings.HasPrefix(got[len(got)-1], "/a 1499") || uint64(len(got)) != meta.Messages {
			t.Errorf("%d messages, metadata say %d, the first %.20s", len(got), meta.Messages, got[0])
		}
		for _, f := range meta.Files {
			if got := texts(t, dir+"/"+f.Path); got[0] != "/latched L" || uint64(len(got)) != f.Messages {
				t.Errorf("%s begins with %.20s, %d messages", f.Path, got[0], len(got))
			}
		}
	})
}

// TestASlowDiskLosesWhatDoesNotFit: memory is bounded, and what is lost is counted.
func TestTheCacheIsBounded(t *testing.T) {
	c := newCache(1000, 10_000)
	c.set(pass, 0)
	for i := range 100 {
		c.put(1, uint32(i), uint64(i), 0, make([]byte, 300))
	}
	kept := 0
	for chunk := c.pop(); chunk != nil; chunk = c.pop() {
		kept += chunk.Len()
	}
	if lost := c.takeLost(); lost.Queue == 0 || lost.Disk != 0 || int(lost.Queue)+kept > 100 || kept*331 > 10_000 {
		t.Errorf("%d kept, %d lost", kept, lost)
	}
}

func TestRecordingDoesNotAllocate(t *testing.T) {
	c := newCache(64<<10, 1<<20)
	c.set(pass, 0)
	data := make([]byte, 700)
	run := func() {
		for i := range 200 {
			c.put(uint16(i%20), uint32(i), uint64(i), 0, data)
		}
		c.seal()
		for chunk := c.pop(); chunk != nil; chunk = c.pop() {
			c.done(chunk)
		}
	}
	run()
	run()
	if n := testing.AllocsPerRun(50, run); n > 8 { // of 200 messages
		t.Errorf("%.1f allocations for 200 messages", n)
	}
}
