// SPDX-License-Identifier: Apache-2.0

//go:build linux

package tty

import (
	"context"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/fixtures"
)

func TestKeysOfATerminal(t *testing.T) {
	for text, want := range map[string][]Key{
		" ": {KeySpace}, "\x1b[A\x1b[B": {KeyUp, KeyDown}, "\x1bOC": {KeyRight}, "\x1b[D ": {keyLeft, KeySpace}, "\x1b[H": nil, "": nil, "q\x1b": {'q', 0x1B},
	} {
		if got := keys([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestKeyboardReadsATerminal: keys come at once and are not shown; Close gives the terminal back as it was.
func TestKeyboardReadsATerminal(t *testing.T) {
	ours, theirs := fixtures.OpenTerminal(t, 80)
	defer theirs.Close()
	before, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	k := OpenKeyboard(theirs)
	if k == nil {
		t.Fatal("no keyboard on a terminal")
	}
	ctx, cancel := context.WithCancel(t.Context())
	pressed, done := make(chan Key), make(chan struct{})
	go func() {
		defer close(done)
		k.Each(ctx, func(k Key) { pressed <- k })
	}()
	for text, want := range map[string]Key{" ": KeySpace, "\x1b[C": KeyRight} {
		if _, err := ours.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if got := <-pressed; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	cancel()
	<-done
	during, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS)
	if err != nil || during.Lflag&(unix.ECHO|unix.ICANON) != 0 {
		t.Errorf("the terminal shows keys, or waits for lines: %+v %v", during, err)
	}
	k.Close()
	if after, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS); err != nil || *after != *before {
		t.Errorf("%+v, was %+v, %v", after, before, err)
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	none := OpenKeyboard(file)
	none.Each(t.Context(), func(Key) { t.Error("a key of what is no terminal") })
	none.Close()
}
