// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/record"
	"github.com/epuck-ros2/epuck-driver/record/bag"
	"github.com/epuck-ros2/epuck-driver/record/mcap"
	"github.com/epuck-ros2/epuck-driver/record/play"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/ros2test"
)

func TestKeysOfATerminal(t *testing.T) {
	for text, want := range map[string][]key{
		" ": {keySpace}, "\x1b[A\x1b[B": {keyUp, keyDown}, "\x1bOC": {keyRight}, "\x1b[D ": {keyLeft, keySpace}, "\x1b[H": nil, "": nil, "q\x1b": {'q', 0x1B},
	} {
		if got := keys([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestKeyboardReadsATerminal: keys come at once and are not shown; Close gives the terminal back as it was.
func TestKeyboardReadsATerminal(t *testing.T) {
	ours, theirs := openTerminal(t, 80)
	defer theirs.Close()
	before, err := unix.IoctlGetTermios(int(theirs.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	k := openKeyboard(theirs)
	if k == nil {
		t.Fatal("no keyboard on a terminal")
	}
	ctx, cancel := context.WithCancel(t.Context())
	pressed, done := make(chan key), make(chan struct{})
	go func() {
		defer close(done)
		k.each(ctx, func(k key) { pressed <- k })
	}()
	for text, want := range map[string]key{" ": keySpace, "\x1b[C": keyRight} {
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
	none := openKeyboard(file)
	none.each(t.Context(), func(key) { t.Error("a key of what is no terminal") })
	none.Close()
}

// tenTexts writes a bag of ten texts on /a, one a second.
func tenTexts(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mcap.NewWriter(f, mcap.Options{Profile: bag.Profile})
	if err != nil {
		t.Fatal(err)
	}
	schema := &mcap.Schema{ID: 1, Name: "std_msgs/msg/String", Encoding: "ros2msg", Data: []byte("string data\n")}
	err = w.Register(&mcap.Channel{ID: 1, Schema: schema, Topic: "/a", MessageEncoding: "cdr"})
	var chunk mcap.Chunk
	for i := range 10 {
		data, failed := cdr.Marshal(nil, &std_msgs.String{Data: fmt.Sprint(i)})
		err = errors.Join(err, failed)
		chunk.Add(1, 0, uint64(i+1)*1e9, uint64(i+1)*1e9, data)
	}
	if err := errors.Join(err, w.WriteChunk(&chunk), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

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

// TestKeysOfThePlayer: pause, the next message, the rate; what can't be done is told.
func TestKeysOfThePlayer(t *testing.T) {
	path := tenTexts(t)
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
		var told strings.Builder
		p := &program{streams: streams{err: &told}}
		press := func(k key, want string) {
			t.Helper()
			playKey(ctx, player, p, k)
			synctest.Wait()
			s := player.Status()
			if got := fmt.Sprintf("%v %.2f %d", s.Paused, s.Rate, s.Messages); got != want {
				t.Errorf("%v: %s, want %s", k, got, want)
			}
		}
		synctest.Wait()
		press(keyRight, "false 1.00 1")
		if !strings.Contains(told.String(), play.ErrNotPaused.Error()) {
			t.Errorf("told %q", told.String())
		}
		press(keySpace, "true 1.00 1")
		time.Sleep(time.Minute)
		press(keyRight, "true 1.00 2")
		press(keyRight, "true 1.00 3")
		press(keyUp, "true 1.10 3")
		press(keyDown, "true 1.00 3")
		press(keyDown, "true 0.91 3")
		press('q', "true 0.91 3")
		press(keySpace, "false 0.91 3")
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
	var told strings.Builder
	p := &program{streams: streams{err: &told}}
	for _, k := range []key{keyUp, keySpace, keySpace} {
		recordKey(r, p, k)
	}
	if r.Paused() || told.String() != "paused\nrecording again\n" {
		t.Errorf("paused %v, told %q", r.Paused(), told.String())
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	var text bytes.Buffer
	bar := newProgress(&text)
	bar.show(0.5, "x")
	bar.end()
	if text.Len() > 0 {
		t.Errorf("%q", text.String())
	}
	bar = &progress{w: &text}
	bar.show(0, "first and longest")
	bar.show(0.5, "half")
	bar.show(7, "more than all")
	bar.end()
	lines := strings.Split(text.String(), "\r")
	for i, want := range []string{"", "[" + strings.Repeat(" ", 30) + "]   0 % first and longest",
		"[" + strings.Repeat("#", 15) + strings.Repeat(" ", 15) + "]  50 % half", "[" + strings.Repeat("#", 30) + "] 700 % more than all", "", ""} {
		if i >= len(lines) || strings.TrimRight(lines[i], " ") != want {
			t.Errorf("line %d of %q, want %q", i, lines, want)
		}
	}
	if len(lines) > 2 && len(lines[1]) != len(lines[2]) {
		t.Error("a shorter text leaves the end of a longer one")
	}
}

// TestPlayOnATerminal is the program on a terminal: its bar moves, the space bar pauses and the arrow steps, and on a
// signal it ends and gives the terminal back.
func TestPlayOnATerminal(t *testing.T) {
	ours, theirs := openTerminal(t, 140)
	cmd := exec.Command(os.Args[0], "bag", "play", tenTexts(t), "--start-paused")
	cmd.Env = append(os.Environ(), programEnv+"=1", "ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", os.Getpid()%220+1))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	var screen bytes.Buffer
	await := func(text string) {
		t.Helper()
		from := screen.Len()
		for buf := make([]byte, 4096); !strings.Contains(screen.String()[from:], text); {
			n, err := ours.Read(buf)
			if err != nil {
				t.Fatalf("%v instead of %q after:\n%s", err, text, screen.String())
			}
			screen.Write(buf[:n])
		}
	}
	press := func(text string) {
		t.Helper()
		if _, err := ours.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	await("0.0 of 9.0 s, rate 1, paused")
	press("\x1b[C\x1b[C\x1b[C")
	await("2.0 of 9.0 s, rate 1, paused")
	press("\x1b[A")
	await("rate 1.1, paused")
	press(" ")
	await("rate 1.1 ")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	go func() { // what it writes at the end must go somewhere
		buf := make([]byte, 4096)
		for {
			if _, err := ours.Read(buf); err != nil {
				return
			}
		}
	}()
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGINT: %v\n%s", err, screen.String())
	}
}
