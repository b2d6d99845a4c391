// SPDX-License-Identifier: Apache-2.0

package blackbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/bag/record"
)

// TestFailuresOfTheDiskAreNotHidden: what a recorder has logged is left out of its error, a failure of the disk never,
// wherever it is joined with the other.
func TestFailuresOfTheDiskAreNotHidden(t *testing.T) {
	disk := &fs.PathError{Op: "write", Path: "run_0.mcap", Err: fs.ErrInvalid}
	full := errors.New("the disk is full")
	absent, empty := fmt.Errorf("%w: /a (bag run)", record.ErrNotPublished), fmt.Errorf("%w (bag run, 0 topics)", record.ErrNoMessages)
	for _, c := range []struct {
		name string
		err  error
		want []error
		lost string // must not occur in the text
	}{
		{"nothing", nil, nil, ""},
		{"no messages", errors.Join(empty), nil, ""},
		{"not published, in two bags", errors.Join(nil, errors.Join(errors.Join(absent, empty), absent)), nil, ""},
		{"the disk alone", disk, []error{disk}, ""},
		{"the disk and no messages", errors.Join(disk, nil, empty), []error{disk}, "no message"},
		{"no messages and the disk", errors.Join(errors.Join(absent, empty), fmt.Errorf("record: %w", disk)), []error{disk}, "no message"},
		{"two failures", errors.Join(errors.Join(disk, full), errors.Join(absent)), []error{disk, full}, "never published"},
		{"wrapped together", fmt.Errorf("run: %w", errors.Join(disk, empty)), []error{disk}, "no message"},
		{"one text of both", fmt.Errorf("%w: %w", empty, full), []error{full}, "no message"},
	} {
		got := failures(c.err)
		for _, want := range c.want {
			if !errors.Is(got, want) {
				t.Errorf("%s: %v lacks %v", c.name, got, want)
			}
		}
		if len(c.want) == 0 && got != nil || c.lost != "" && strings.Contains(fmt.Sprint(got), c.lost) {
			t.Errorf("%s: %v, want %v alone", c.name, got, c.want)
		}
	}
}

// TestRecordingThatCannotBeWrittenIsLogged: the folder of a bag is removed before its first file is made, so that the
// bag has no message either.
func TestRecordingThatCannotBeWrittenIsLogged(t *testing.T) {
	for name, topics := range map[string]string{"no message": "[a]", "no message, not published": "[a, none]", "all topics": "[]"} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			withRobot(t, []string{"record.topics:=" + topics}, func(r *robot) {
				r.o.log = slog.New(slog.NewTextHandler(&log, nil))
				ok, dir := r.call("record/start")
				if !ok {
					t.Error(dir)
				}
				must(t, os.RemoveAll(dir))
				for range 3 {
					r.publish("1")
				}
			})
			if text := log.String(); !strings.Contains(text, "recording failed") || !strings.Contains(text, "no such file") || strings.Contains(text, "no message was recorded") {
				t.Errorf("the log of the recorder is:\n%s", text)
			}
		})
	}
}
