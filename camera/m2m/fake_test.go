// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/internal/vpoll"
)

// fakeKernel is a machine with memory-to-memory devices. What it allows and refuses follows videobuf2-core.c,
// v4l2-mem2mem.c and bcm2835-v4l2-codec.c; requests come in as their numbers and structures, so that a wrong layout or
// a forgotten field is refused as the kernel would.
type fakeKernel struct {
	t    testing.TB
	devs []*fakeDev
	err  map[string]error // of open
}

func (k *fakeKernel) Nodes() []string {
	var all []string
	for _, d := range k.devs {
		all = append(all, d.path)
	}
	return all
}

func (k *fakeKernel) Open(path string) (File, error) {
	i := slices.IndexFunc(k.devs, func(d *fakeDev) bool { return d.path == path })
	if i < 0 {
		return nil, unix.ENOENT
	}
	if err := k.err[path]; err != nil {
		return nil, err
	}
	d := k.devs[i]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened++
	return &fakeFile{d: d, changed: make(chan struct{}, 1), fmt: map[uint32]pixFormat{}, rows: map[uint32]*fakeRow{
		queueOutput: {}, queueCapture: {},
	}}, nil
}

// raspberry is what a Raspberry Pi has.
func raspberry(t testing.TB) *fakeKernel {
	k := &fakeKernel{t: t, err: map[string]error{}}
	for _, d := range []*fakeDev{
		{path: "/dev/video0", card: "Pi-puck Camera Interface", caps: 0x04200001},
		{path: "/dev/video10", card: "bcm2835-codec-decode"},
		{path: "/dev/video12", card: cardISP, takes: []camera.PixelFormat{camera.YUYV, camera.RGB24, camera.BGR24},
			gives: []camera.PixelFormat{camera.YUYV, camera.RGB24, camera.BGR24}, work: convert},
		{path: "/dev/video31", card: cardJPEG, takes: []camera.PixelFormat{camera.YUYV, camera.RGB24, camera.BGR24},
			gives: []camera.PixelFormat{camera.JPEG}, work: compress, rows16: true},
	} {
		d.t, d.quality = t, 80
		if d.caps == 0 {
			d.caps = capM2M | capStreaming
		}
		k.devs = append(k.devs, d)
	}
	return k
}

func (k *fakeKernel) dev(card string) *fakeDev {
	for _, d := range k.devs {
		if d.card == card {
			return d
		}
	}
	k.t.Fatalf("no %s", card)
	return nil
}

// clean checks that everything was given back.
func (k *fakeKernel) clean(t testing.TB) {
	t.Helper()
	for _, d := range k.devs {
		d.mu.Lock()
		if d.opened != 0 || d.mapped != 0 || d.buffers != 0 {
			t.Errorf("%s: %d files open, %d buffers mapped, %d allocated", d.path, d.opened, d.mapped, d.buffers)
		}
		d.mu.Unlock()
	}
}

// fakeDev is one device, with its faults.
type fakeDev struct {
	t            testing.TB
	path, card   string
	caps         uint32
	takes, gives []camera.PixelFormat
	rows16       bool // heights are rounded up to 16
	work         func(f *fakeFile, in []byte, number int64) []byte

	mu      sync.Mutex
	opened  int
	mapped  int
	buffers int
	quality int32
	// A device with many controls: those that were set, and those that it does not have. nil: the JPEG encoder's one.
	controls map[uint32]int32
	without  []uint32
	memory   int // bytes REQBUFS may allocate; 0: any
	most     int // buffers a queue may have; 0: any
	gone     bool
	latency  time.Duration // of the GPU; 0: at once

	// Faults. A plan is asked with the number of the job, from 1, and the name of the fault.
	fail     map[string]error // by request
	plan     func(job int) fault
	jobs     int
	alarms   int  // false POLLERRs
	garbage  bool // the first CAPTURE buffer comes with nothing of ours
	onlyOnce bool // fail applies once
}

// fault is what happens to a job.
type fault string

const (
	fine      fault = ""
	damaged   fault = "damaged"   // V4L2_BUF_FLAG_ERROR
	truncated fault = "truncated" // the file ends early
	empty     fault = "empty"
	lost      fault = "lost"  // no result, ever, though later ones come
	never     fault = "never" // no result, and none later
	zeros     fault = "zeros" // filled up with zeros after the end, as firmware does
	oversize  fault = "oversize"
)

func (d *fakeDev) failing(request string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail == nil {
		d.fail = map[string]error{}
	}
	d.fail[request] = err
}

// fakeFile is one opening of a device. Each has queues of its own, as a memory-to-memory device gives.
type fakeFile struct {
	d       *fakeDev
	closed  bool
	awake   bool
	changed chan struct{}
	fmt     map[uint32]pixFormat
	rows    map[uint32]*fakeRow
	stuck   bool // the GPU hangs
	busy    bool // a job is under way
}

// fakeRow is one queue.
type fakeRow struct {
	bufs   []*fakeBuf
	on     bool
	queued []int // in the order of QBUF, not yet taken by the GPU
	done   []int
}

type fakeBuf struct {
	mem   []byte
	state string // "" the program's, "queued", "active", "done"
	used  uint32
	flags uint32
	time  unix.Timeval
}

func (f *fakeFile) notify() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

func (f *fakeFile) Wait(d time.Duration) (vpoll.Events, error) {
	var timer *time.Timer
	for {
		f.d.mu.Lock()
		if f.closed {
			f.d.t.Error("poll after close")
		}
		var ev vpoll.Events
		if f.awake {
			ev |= vpoll.Woken
		}
		if len(f.rows[queueCapture].done) > 0 {
			ev |= vpoll.Readable
		}
		if f.d.gone || !f.rows[queueCapture].on {
			ev |= vpoll.Failed
		}
		if f.d.alarms > 0 && ev == 0 {
			f.d.alarms--
			ev |= vpoll.Failed
		}
		err := f.d.fail["poll"]
		f.d.mu.Unlock()
		if ev != 0 || err != nil || d <= 0 {
			return ev, err
		}
		if timer == nil {
			timer = time.NewTimer(d)
			defer timer.Stop()
		}
		select {
		case <-f.changed:
		case <-timer.C:
			return 0, nil
		}
	}
}

func (f *fakeFile) Wake() {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.awake = true
	f.notify()
}

func (f *fakeFile) Close() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if f.closed {
		f.d.t.Error("closed twice")
	}
	f.closed = true
	f.d.opened--
	for _, r := range f.rows {
		f.d.buffers -= len(r.bufs)
		r.bufs = nil
	}
	return nil
}

func (f *fakeFile) Mmap(offset int64, length int) ([]byte, error) {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.fail["MMAP"]; err != nil {
		return nil, err
	}
	row, index := f.rows[uint32(offset>>24)], int(offset>>12&0xfff)
	if row == nil || index >= len(row.bufs) || length > len(row.bufs[index].mem) {
		return nil, unix.EINVAL
	}
	f.d.mapped++
	return row.bufs[index].mem, nil
}

func (f *fakeFile) Munmap(data []byte) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if len(data) == 0 {
		return unix.EINVAL
	}
	f.d.mapped--
	return nil
}

func (f *fakeFile) String() string { return fmt.Sprintf("%s (%s)", f.d.path, f.d.card) }
