// SPDX-License-Identifier: Apache-2.0

//go:build system

package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/mcap"
	"github.com/epuck-ros2/epuck-driver/internal/smalldisk"
	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// publish sends numbered messages of 20 kB, which zstd can't make small, and waits until the recorder has them.
func publish(t *testing.T, r *Recorder, p *ros2.Publisher[std_msgs.String], from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		text := []byte(fmt.Sprintf("%04d ", i))
		for x := uint32(i + 1); len(text) < 20_000; x = x*1664525 + 1013904223 {
			text = append(text, 'a'+byte(x>>24)%26)
		}
		if err := p.Publish(&std_msgs.String{Data: string(text)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.do(t.Context(), func(w *writing) error { r.cache.seal(); return w.drain() }); err != nil {
		t.Fatal(err)
	}
}

// onSmallDisk records /a in a bag on a disk of 2 MiB and returns the error with which the recorder ended.
func onSmallDisk(t *testing.T, disk string, cfg Config, f func(dir string, r *Recorder, p *ros2.Publisher[std_msgs.String])) error {
	t.Helper()
	net := ros2test.NewNetwork()
	here, there := net.NewTransport(), net.NewTransport()
	talker, err := ros2.NewNode(ros2.NodeConfig{Name: "talker", Transport: here})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Node, err = ros2.NewNode(ros2.NodeConfig{Name: "recorder", Transport: there})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(talker.Close(), here.Close(), cfg.Node.Close(), there.Close()) }()
	matched := make(chan int, 10)
	p, err := ros2.NewPublisher[std_msgs.String](talker, "a", ros2.DefaultQoS(), ros2.OnSubscribers(func(n int) { matched <- n }))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Types, cfg.Select.Topics, cfg.Logger = msgs.Definition, []string{"/a"}, (&logBuffer{}).logger()
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	dir := filepath.Join(disk, "run")
	if err := r.Start(ctx, dir); err != nil {
		t.Fatal(err)
	}
	for n := range matched {
		if n > 0 {
			break
		}
	}
	f(dir, r, p)
	cancel()
	return <-ended
}

// TestFullDiskIsAnErrorThatCounts: every message that was published is in the bag or counted as lost, the recorder ends
// with the reason, and the bag can be read.
func TestFullDiskIsAnErrorThatCounts(t *testing.T) {
	smalldisk.Run(t, 2<<20, func(t *testing.T, disk string) {
		for _, c := range []mcap.Compression{mcap.Uncompressed, mcap.Zstd} {
			var dir string
			var s Status
			err := onSmallDisk(t, disk, Config{Compression: c, Cache: 1 << 20, ChunkSize: 64 << 10}, func(at string, r *Recorder, p *ros2.Publisher[std_msgs.String]) {
				dir = at
				for i := range 30 {
					publish(t, r, p, 10*i, 10*i+10)
				}
				s = r.Status()
			})
			got := texts(t, dir)
			if !s.Full || len(got) < 50 || len(got) > 105 {
				t.Errorf("%q: %d messages on 2 MiB, status %+v", c, len(got), s)
			}
			want := fmt.Sprintf("messages were not written: %d of 300", 300-len(got))
			if !errors.Is(err, errLost) || !errors.Is(err, errDiskFull) || !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%q: ended with %v, want %q", c, err, want)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestRecordingContinuesWhenTheDiskHasSpaceAgain: what was lost meanwhile stays an error.
func TestRecordingContinuesWhenTheDiskHasSpaceAgain(t *testing.T) {
	smalldisk.Run(t, 4<<20, func(t *testing.T, disk string) {
		smalldisk.Fill(t, disk, 1<<20)
		var dir string
		err := onSmallDisk(t, disk, Config{Cache: 256 << 10, ChunkSize: 64 << 10}, func(at string, r *Recorder, p *ros2.Publisher[std_msgs.String]) {
			dir = at
			for i := range 8 { // ten at a time fit into the cache, however slow the recorder is
				publish(t, r, p, 10*i, 10*i+10)
			}
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
			if err := r.do(t.Context(), func(w *writing) error { return w.tryAgain() }); err != nil {
				t.Fatal(err)
			}
			publish(t, r, p, 80, 90)
		})
		got := texts(t, dir)
		if !errors.Is(err, errLost) || !strings.Contains(err.Error(), fmt.Sprintf(": %d of 90,", 90-len(got))) {
			t.Errorf("%d messages, ended with %v", len(got), err)
		}
		if len(got) < 30 || !slices.IsSorted(got) || !strings.HasPrefix(got[len(got)-1], "/a 0089 ") {
			t.Errorf("%d messages", len(got))
		}
	})
}
