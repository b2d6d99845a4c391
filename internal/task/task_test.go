// SPDX-License-Identifier: Apache-2.0

package task

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// wayEnv makes the test binary a program that panics in one way.
const wayEnv = "EPUCK_TEST_PANIC"

func TestMain(m *testing.M) {
	if way := os.Getenv(wayEnv); way != "" {
		doom(way)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var ways = map[string]func(f func()){
	"Go":        func(f func()) { Go("doomed", f) },
	"Run":       func(f func()) { Run("doomed", f) },
	"AfterFunc": func(f func()) { AfterFunc(0, "doomed", f) },
	"AfterDone": func(f func()) {
		ctx, cancel := context.WithCancel(context.Background())
		AfterDone(ctx, "doomed", f)
		cancel()
	},
	"Group": func(f func()) { new(Group).Go("doomed", f) },
}

func doom(way string) {
	AtPanic(func(p *Panic) { os.Stderr.WriteString("aid 1 " + p.Task + "\n") })
	AtPanic(func(*Panic) { panic("aid 2") })
	remove := AtPanic(func(*Panic) { os.Stderr.WriteString("aid 3\n") })
	remove()
	AtPanic(func(*Panic) { os.Stderr.WriteString("aid 4\n") })
	ways[way](func() { panic("the end") })
	<-time.After(time.Minute)
}

// However a goroutine was started: first aid comes first, the latest first, then the report and status of a panic.
func TestPanicGetsFirstAidAndEndsTheProgram(t *testing.T) {
	for way := range ways {
		t.Run(way, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), wayEnv+"="+way)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("%v", err)
			}
			text := string(out)
			aid4, aid1, report := strings.Index(text, "aid 4\n"), strings.Index(text, "aid 1 doomed\n"), strings.Index(text, "panic: the end")
			if aid4 < 0 || aid1 < aid4 || report < aid1 || strings.Contains(text, "aid 3") || !strings.Contains(text, "task.doom") {
				t.Errorf("%s", text)
			}
		})
	}
}

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
