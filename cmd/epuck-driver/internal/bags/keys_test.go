// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/bag/record"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

// testNode is a node on a network of its own.
func testNode(t *testing.T) *ros2.Node {
	t.Helper()
	transport := ros2test.NewTransport()
	n, err := ros2.NewNode(ros2.NodeConfig{Name: "n", Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(n.Close(), transport.Close()) })
	return n
}

// TestKeysOfThePlayer: pause, the next message, the rate; what can't be done is reported.
func TestKeysOfThePlayer(t *testing.T) {
	path := fixtures.TenTexts(t)
	synctest.Test(t, func(t *testing.T) {
		b, err := bag.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		player, err := play.New(play.Config{Node: testNode(t), Bag: b})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- player.Run(ctx) }()
		var printed strings.Builder
		p := &frame.Program{Streams: frame.Streams{Err: &printed}}
		press := func(k tty.Key, want string) {
			t.Helper()
			playKey(ctx, player, p, k)
			synctest.Wait()
			s := player.Status()
			if got := fmt.Sprintf("%v %.2f %d", s.Paused, s.Rate, s.Messages); got != want {
				t.Errorf("%v: %s, want %s", k, got, want)
			}
		}
		synctest.Wait()
		press(tty.KeyRight, "false 1.00 1")
		if !strings.Contains(printed.String(), play.ErrNotPaused.Error()) {
			t.Errorf("reported %q", printed.String())
		}
		press(tty.KeySpace, "true 1.00 1")
		time.Sleep(time.Minute)
		press(tty.KeyRight, "true 1.00 2")
		press(tty.KeyRight, "true 1.00 3")
		press(tty.KeyUp, "true 1.10 3")
		press(tty.KeyDown, "true 1.00 3")
		press(tty.KeyDown, "true 0.91 3")
		press('q', "true 0.91 3")
		press(tty.KeySpace, "false 0.91 3")
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := player.Status(); s.Messages != 10 {
			t.Errorf("%+v", s)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestKeyOfTheRecorder(t *testing.T) {
	r, err := record.New(record.Config{Node: testNode(t), Select: record.Selection{AllTopics: true}})
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	p := &frame.Program{Streams: frame.Streams{Err: &printed}}
	for _, k := range []tty.Key{tty.KeyUp, tty.KeySpace, tty.KeySpace} {
		recordKey(r, p, k)
	}
	if r.Paused() || printed.String() != "paused\nrecording again\n" {
		t.Errorf("paused %v, reported %q", r.Paused(), printed.String())
	}
}
