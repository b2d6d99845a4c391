// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

func TestStartsAreSpacedOutAfterFailures(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("RUNTIME_DIRECTORY", dir+":/elsewhere")
	synctest.Test(t, func(t *testing.T) {
		start := func() time.Duration {
			t.Helper()
			began := time.Now()
			if err := newBackoff(slog.New(slog.DiscardHandler)).start(t.Context(), func(string, time.Duration) {}); err != nil {
				t.Fatal(err)
			}
			return time.Since(began)
		}
		for i, seconds := range []int{0, 0, 1, 2, 4, 8, 16, 30, 30, 30} {
			want := time.Duration(seconds) * time.Second
			if got := start(); got != want {
				t.Errorf("start %d waits %v, want %v", i, got, want)
			}
		}
		newBackoff(nil).forget()
		if got := start(); got != 0 {
			t.Errorf("after a good run it waits %v", got)
		}
	})
}

func TestBackoffIsForServicesOnly(t *testing.T) {
	t.Setenv("RUNTIME_DIRECTORY", "")
	b := newBackoff(nil)
	for range 10 {
		if err := b.start(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	b.forget()
}

func TestBackoffSurvivesWhatIsInItsFile(t *testing.T) {
	for _, text := range []string{"", "-3", "many", "99999999999999999999"} {
		path := filepath.Join(t.TempDir(), "starts")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if n := (backoff{path: path}).read(); n != 0 {
			t.Errorf("%q is %d", text, n)
		}
	}
	unwritable := backoff{path: "/dev/null/starts", log: slog.New(slog.DiscardHandler)}
	if err := unwritable.start(t.Context(), nil); err != nil {
		t.Errorf("a disk that takes nothing: %v", err)
	}
}

func TestBackoffEndsWithTheService(t *testing.T) {
	path := filepath.Join(t.TempDir(), "starts")
	b := backoff{path: path, log: slog.New(slog.DiscardHandler)}
	b.write(9)
	ctx, cancel := context.WithCancel(t.Context())
	reported := ""
	err := b.start(ctx, func(s string, _ time.Duration) { reported = s; cancel() })
	if !errors.Is(err, context.Canceled) || reported == "" {
		t.Errorf("%v, reported %q", err, reported)
	}
}
