// SPDX-License-Identifier: Apache-2.0

package task

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

func TestWaitForGivesUp(t *testing.T) {
	var none Group // of its own: a wait that was given up continues, and a group must not be added to meanwhile
	if !none.WaitFor(0) && !none.WaitFor(time.Minute) {
		t.Error("an empty group was waited for")
	}
	var g Group
	release := make(chan struct{})
	g.Go("slow", func() { <-release })
	if g.WaitFor(time.Millisecond) {
		t.Error("a goroutine at work has ended")
	}
	close(release)
	if !g.WaitFor(time.Minute) {
		t.Error("a goroutine that has ended is still at work")
	}
}

func TestGroupPassesPanicsOn(t *testing.T) {
	caught := make(chan *Panic, 2)
	g := &Group{Panicked: func(p *Panic) { caught <- p }}
	g.Go("good", func() {})
	g.Go("bad", func() { panic(errors.ErrUnsupported) })
	<-g.Done()
	g.Wait()
	if p := <-caught; p.Task != "bad" || p.Value != errors.ErrUnsupported || !strings.Contains(p.Error(), "panic in bad: unsupported operation\ngoroutine ") {
		t.Errorf("%v", p)
	}
	if len(caught) != 0 {
		t.Error("a goroutine that did not panic was reported")
	}
}
