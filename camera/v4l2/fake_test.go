// SPDX-License-Identifier: Apache-2.0

//go:build linux

package v4l2

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/camera"
)

// fakeSystem is a machine whose cameras are plugged in and out. Its rules are those of the kernel (videobuf2-v4l2.c),
// and it complains of code that breaks those of the interface: a node used after its end, a mapping not undone.
type fakeSystem struct {
	t testing.TB

	mu      sync.Mutex
	cams    map[string]*fakeCam
	byID    map[string][]string
	openErr map[string]error
	mono    time.Duration // CLOCK_MONOTONIC
	now     time.Time     // system clock
}

func newFakeSystem(t testing.TB) *fakeSystem {
	return &fakeSystem{t: t, cams: map[string]*fakeCam{}, openErr: map[string]error{}, mono: time.Hour, now: time.Unix(1_700_000_000, 0)}
}

func (f *fakeSystem) nodes() ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for p := range f.cams {
		all = append(all, p)
	}
	for p := range f.openErr {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all, nil
}

func (f *fakeSystem) links() map[string][]string { return f.byID }

func (f *fakeSystem) clocks() (time.Duration, time.Time) { return f.mono, f.now }

func (f *fakeSystem) open(path string) (node, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.openErr[path]; err != nil {
		return nil, err
	}
	c := f.cams[path]
	if c == nil {
		return nil, syscall.ENOENT
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.openNodes++
	return &fakeNode{cam: c}, nil
}

// plug adds a camera, as hot-plugging does.
func (f *fakeSystem) plug(path string, c *fakeCam) *fakeCam {
	f.mu.Lock()
	defer f.mu.Unlock()
	c.t, c.path, c.plugged, c.changed = f.t, path, true, make(chan struct{}, 1)
	if c.caps == 0 {
		c.caps = capVideoCapture | capStreaming
	}
	if c.limit == 0 {
		c.limit = maxBuffers
	}
	f.cams[path] = c
	return c
}

func (f *fakeSystem) unplug(path string) {
	f.mu.Lock()
	c := f.cams[path]
	delete(f.cams, path)
	f.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.plugged = false
	c.notify()
}

// fakeCam is one device. Its modes are discrete, or ranges.
type fakeCam struct {
	driver, card string
	caps         uint32
	list         []fakeMode
	limit        int // of buffers
	quantization uint32
	colorspace   uint32
	fixed        *camera.Mode // what S_FMT answers whatever is asked

	t    testing.TB
	path string

	mu        sync.Mutex
	plugged   bool
	changed   chan struct{} // a word at each change
	fail      map[string]error
	calls     map[string]int
	openNodes int
	mapped    int
	owner     *fakeNode
	format    layout
	rate      fraction
	buffers   []fakeBuffer
	streaming bool
	done      []buffer
	sequence  uint32
	alarms    int // number of spurious errors of poll
}

type fakeMode struct {
	format    camera.PixelFormat
	sizes     []sizes
	intervals []intervals
}

type fakeBuffer struct {
	data   []byte
	queued bool // the driver has it
	filled bool // and there is a picture in it
}

func discrete(w, h int) sizes { return sizes{w, w, 1, h, h, 1} }

func every(rates ...uint32) []intervals {
	var all []intervals
	for _, r := range rates {
		all = append(all, intervals{fraction{1, r}, fraction{1, r}})
	}
	return all
}

// pipuck is the robot's camera.
func pipuck() *fakeCam {
	return &fakeCam{driver: "uvcvideo", card: "Pi-puck Camera Interface: Pi-p",
		list: []fakeMode{{camera.YUYV, []sizes{discrete(640, 480), discrete(32, 16)}, every(15)}}}
}

func webcam() *fakeCam {
	return &fakeCam{driver: "uvcvideo", card: "HD Webcam C270", list: []fakeMode{
		{camera.MJPEG, []sizes{discrete(1280, 720), discrete(640, 480)}, every(30)},
		{camera.YUYV, []sizes{discrete(640, 480), discrete(320, 240)}, every(30, 15, 5)},
	}}
}

func (c *fakeCam) notify() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// shoot is the camera taking a picture: the first queued buffer is filled, or the frame is lost.
func (c *fakeCam) shoot(change ...func(*buffer)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sequence++
	if !c.streaming {
		return
	}
	for i := range c.buffers {
		if !c.buffers[i].queued || c.buffers[i].filled {
			continue
		}
		c.buffers[i].filled = true
		b := buffer{index: i, used: c.format.image, sequence: c.sequence - 1, stamp: time.Hour, monotonic: true}
		for _, f := range change {
			changed := b // on the heap, where only frames that are changed may cost an allocation
			f(&changed)
			b = changed
		}
		if d := c.buffers[i].data; len(d) > 0 {
			d[0], d[len(d)-1] = byte(c.sequence), byte(c.sequence)
		}
		c.done = append(c.done, b)
		break
	}
	c.notify()
}

// failing makes the named call fail from now on; nil heals it.
func (c *fakeCam) failing(call string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail == nil {
		c.fail = map[string]error{}
	}
	c.fail[call] = err
	c.notify()
}

// clean checks that nothing of the camera is in use.
func (c *fakeCam) clean(t testing.TB) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.openNodes != 0 || c.mapped != 0 || c.streaming && c.plugged {
		t.Errorf("%s: %d files open, %d buffers mapped, streaming %v", c.path, c.openNodes, c.mapped, c.streaming)
	}
}

// buffersIn counts the buffers the driver has.
func (c *fakeCam) buffersIn() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, b := range c.buffers {
		if b.queued {
			n++
		}
	}
	return n
}

func (c *fakeCam) String() string { return fmt.Sprintf("%s at %s", c.card, c.path) }
