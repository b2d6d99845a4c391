// SPDX-License-Identifier: Apache-2.0

//go:build system

package task

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// wayEnv names the way in which the test panics in a child process.
const wayEnv = "EPUCK_TEST_PANIC"

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
	if way := os.Getenv(wayEnv); way != "" {
		doom(way)
		return
	}
	for way := range ways {
		t.Run(way, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestPanicGetsFirstAidAndEndsTheProgram$")
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
