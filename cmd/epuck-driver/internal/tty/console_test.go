// SPDX-License-Identifier: Apache-2.0

package tty

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestConsoleLinesLookLikeROS(t *testing.T) {
	at := time.Unix(1732117434, 5)
	for _, c := range []struct {
		name  string
		level slog.Level
		with  func(slog.Handler) slog.Handler
		attrs []slog.Attr
		want  string
	}{
		{"plain", slog.LevelInfo, nil, nil, "[INFO] [1732117434.000000005] [epuck-driver]: hello\n"},
		{"node", slog.LevelWarn, func(h slog.Handler) slog.Handler {
			return h.WithAttrs([]slog.Attr{slog.String("logger", "robot1.epuck_driver"), slog.Int("n", 3)})
		}, []slog.Attr{slog.String("why", "two words")}, "[WARN] [1732117434.000000005] [robot1.epuck_driver]: hello n=3 why=\"two words\"\n"},
		{"group", slog.LevelError, func(h slog.Handler) slog.Handler { return h.WithGroup("bus") },
			[]slog.Attr{slog.Int("errors", 1)}, "[ERROR] [1732117434.000000005] [epuck-driver]: hello bus.errors=1\n"},
		{"fatal", ros2.LevelFatal, nil, nil, "[FATAL] [1732117434.000000005] [epuck-driver]: hello\n"},
		{"debug", slog.LevelDebug, nil, nil, "[DEBUG] [1732117434.000000005] [epuck-driver]: hello\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			var h slog.Handler = NewConsole(&out)
			if c.with != nil {
				h = c.with(h)
			}
			r := slog.NewRecord(at, c.level, "hello", 0)
			r.AddAttrs(c.attrs...)
			if err := h.Handle(context.Background(), r); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestConsoleKeepsLinesWhole(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(NewConsole(&out))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				log.With("i", i).Info("line")
			}
		})
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 400 {
		t.Fatalf("%d lines, want 400", len(lines))
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "[INFO] [") || strings.Count(l, "line i=") != 1 {
			t.Fatalf("torn line %q", l)
		}
	}
}

func TestConsoleForTheJournal(t *testing.T) {
	for level, want := range map[slog.Level]string{
		ros2.LevelFatal: "<2>[FATAL] [epuck-driver]: hello n=1\n",
		slog.LevelError: "<3>[ERROR] [epuck-driver]: hello n=1\n",
		slog.LevelWarn:  "<4>[WARN] [epuck-driver]: hello n=1\n",
		slog.LevelInfo:  "<6>[INFO] [epuck-driver]: hello n=1\n",
		slog.LevelDebug: "<7>[DEBUG] [epuck-driver]: hello n=1\n",
	} {
		var out bytes.Buffer
		slog.New(newJournalConsole(&out)).Log(t.Context(), level, "hello", "n", 1)
		if out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}

// Control characters in what others have chosen, as names of nodes, do not reach the terminal, and a line stays a line.
func TestConsoleEscapes(t *testing.T) {
	var out bytes.Buffer
	const evil = "\x1b[2J\u202e\n"
	slog.New(NewConsole(&out)).With(ros2.LoggerKey, evil).Error("message "+evil, "attr", evil, evil, 1)
	if got := out.String(); strings.ContainsAny(got, "\x1b\u202e") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
}
