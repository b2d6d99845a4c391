// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/acceptance/checks"
	"github.com/epuck-ros2/epuck-driver/acceptance/report"
	"github.com/epuck-ros2/epuck-driver/acceptance/simulated"
	"github.com/epuck-ros2/epuck-driver/internal/suite"
)

// moody is a person who leaves out the tilt, repeats the first check and complains about the button.
type moody struct {
	*simulated.Robot
	repeated *bool
}

func (m moody) Do(ctx context.Context, q checks.Request) (checks.Answer, error) {
	if q.Task == checks.NoseUp {
		return checks.Answer{Choice: checks.Skip}, nil
	}
	return m.Robot.Do(ctx, q)
}

func (m moody) Judge(_ context.Context, r *checks.Result) (checks.Answer, error) {
	switch {
	case r.Name == "firmware" && !*m.repeated:
		*m.repeated = true
		return checks.Answer{Choice: checks.Repeat}, nil
	case r.Name == "button":
		return checks.Answer{Note: "it sticks"}, nil
	}
	return checks.Answer{}, nil
}

// recorded is the report of a test, and its recording. The clock is late now and then, as a real one.
func recorded(t *testing.T, quick bool, faults ...string) ([]checks.Result, []byte) {
	t.Helper()
	r, err := simulated.New(3, faults...)
	if err != nil {
		t.Fatal(err)
	}
	late, n := r.Tested.Sleep, 0
	r.Tested.Sleep = func(d time.Duration) {
		n++
		late(max(0, d) + time.Duration(n*n%977)*time.Microsecond)
	}
	robot, person, rec := report.Record(r.Tested, moody{r, new(bool)})
	results, err := checks.Run(context.Background(), robot, person, checks.Options{Quick: quick})
	if err != nil {
		t.Fatal(err)
	}
	return results, rec.Bytes()
}

// TestReplaysMeasureTheSame: all that the bus has is measured again, to the last digit, whatever was wrong with the
// robot and whenever its clock was late.
func TestReplaysMeasureTheSame(t *testing.T) {
	for i, faults := range [][]string{nil, {"left-motor-reversed", "bus-noisy", "bus-missing-acknowledge"}} {
		if !suite.Long && i == 0 {
			continue
		}
		want, recording := recorded(t, false, faults...)
		replay, err := report.NewReplay(recording)
		if err != nil {
			t.Fatal(err)
		}
		got, err := replay.Run(context.Background(), false)
		if err != nil {
			t.Fatal(err)
		}
		if list := report.Differences(want, got); len(list) > 0 || replay.Missing > 0 {
			t.Errorf("%q: %d transfers are missing, %d differences:\n%s", faults, replay.Missing, len(list), strings.Join(list, "\n"))
		}
		verdicts := map[string]checks.Verdict{}
		for _, r := range got {
			verdicts[r.Name] = r.Verdict
		}
		if len(got) != len(want) || verdicts["tilt"] != checks.Skipped || verdicts["button"] != checks.Failed || verdicts["battery"] != checks.Skipped {
			t.Errorf("verdicts of %d checks: %v", len(got), verdicts)
		}
	}
}

// TestReplaysOfPartsEnd: a test that was interrupted, and one of which less is recorded than today's checks ask for.
func TestReplaysOfPartsEnd(t *testing.T) {
	want, recording := recorded(t, true)
	for _, part := range []int{5, 50, 100} {
		n := len(recording) * part / 100
		var replay *report.Replay
		for err := report.ErrRecording; err != nil; n-- { // to the end of an event
			replay, err = report.NewReplay(recording[:n])
		}
		got, err := replay.Run(context.Background(), part != 50) // the whole test, whose packets take more time
		if err != nil || len(got) == 0 {
			t.Errorf("%d %%: %d checks: %v", part, len(got), err)
		}
		if list := report.Differences(want, got); len(list) == 0 != (part == 100) {
			t.Errorf("%d %%: differences %q", part, list)
		}
	}
}

func TestDamagedRecordingsAreRefused(t *testing.T) {
	for _, b := range []string{"", "text", "EPR\x01X", "EPR\x01N", "EPR\x01T\x02\x1f\x00\x00\x00", "EPR\x01T\x00\x1f\x00\xff\x00", "EPR\x01A\x09\x00", "EPR\x02"} {
		if _, err := report.NewReplay([]byte(b)); !errors.Is(err, report.ErrRecording) {
			t.Errorf("%q: %v", b, err)
		}
	}
	none := archive(t, "report.json", "{}")
	if _, err := report.ReadRecording(bytes.NewReader(none), int64(len(none))); !errors.Is(err, report.ErrRecording) {
		t.Errorf("a report without a recording: %v", err)
	}
}

func FuzzReplay(f *testing.F) {
	f.Add([]byte("EPR\x01N\x10T\x00\x1f\x00\x00\x01\x05A\x00\x02no"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := report.NewReplay(b); (r == nil) != (err != nil) || err != nil && !errors.Is(err, report.ErrRecording) {
			t.Errorf("%v, %v", r, err)
		}
	})
}
