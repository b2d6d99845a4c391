// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"encoding/binary"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/epuck-ros2/epuck-driver/camera/m2m"
)

// gpu is a machine whose only video device is a Raspberry Pi's H.264 encoder. It returns a recorded stream for any
// picture. Requests are numbers and bytes, as the kernel receives them; the offsets are those of
// linux/videodev2.h for 64 bits.
type gpu struct {
	t     testing.TB
	units [][]byte

	mu       sync.Mutex
	next     int // of units
	opened   int
	pictures int // with something in them
	controls map[uint32]int32
}

const (
	encoderPath    = "/dev/video11"
	bitrateControl = 0x009909cf // V4L2_CID_MPEG_VIDEO_BITRATE
)

func (g *gpu) Nodes() []string { return []string{encoderPath} }

func (g *gpu) Open(path string) (m2m.File, error) {
	if path != encoderPath {
		return nil, unix.ENOENT
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened++
	return &gpuFile{gpu: g, changed: make(chan struct{}, 1), rows: map[uint32]*gpuRow{9: {}, 10: {}}}, nil
}

// gpuFile is an open file of the device, with its own queues: 9 is CAPTURE, 10 is OUTPUT.
type gpuFile struct {
	*gpu
	rows    map[uint32]*gpuRow
	awake   bool
	changed chan struct{}
}

type gpuRow struct {
	size         uint32
	bufs         [][]byte
	times        [][16]byte // of each buffer: what was queued with it comes back with its result
	used         []uint32
	queued, done []uint32
	on           bool
}

// field returns a number at an offset of a structure.
func field(arg unsafe.Pointer, offset uintptr) *uint32 { return (*uint32)(unsafe.Add(arg, offset)) }

// Ioctl executes a request.
func (f *gpuFile) Ioctl(request uintptr, arg unsafe.Pointer) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch request {
	case 0x80685600: // VIDIOC_QUERYCAP
		copy(unsafe.Slice((*byte)(unsafe.Add(arg, 16)), 32), m2m.CardH264)
		*field(arg, 84), *field(arg, 88) = 0x84004000, 0x04004000
	case 0xC008561C: // VIDIOC_S_CTRL
		f.controls[*field(arg, 0)] = int32(*field(arg, 4))
		if *field(arg, 0) == 0x009909e5 { // force a key picture: the stream begins with one
			f.next = 0
		}
	case 0xC0D05605: // VIDIOC_S_FMT
		return f.setFormat(arg)
	case 0xC0145608: // VIDIOC_REQBUFS
		f.request(f.rows[*field(arg, 4)], *field(arg, 0))
	case 0xC0585609: // VIDIOC_QUERYBUF
		plane := *(*unsafe.Pointer)(unsafe.Add(arg, 64))
		*field(plane, 4) = f.rows[*field(arg, 4)].size
		*field(plane, 8) = *field(arg, 4)<<24 | *field(arg, 0)<<12
	case 0xC058560F: // VIDIOC_QBUF
		f.queue(arg)
	case 0xC0585611: // VIDIOC_DQBUF
		return f.dequeue(arg)
	case 0x40045612, 0x40045613: // VIDIOC_STREAMON, VIDIOC_STREAMOFF
		r := f.rows[*field(arg, 0)]
		if r.on = request == 0x40045612; !r.on {
			r.queued, r.done = nil, nil
		}
		f.work()
	default:
		return unix.ENOTTY
	}
	return nil
}

func (f *gpuFile) setFormat(arg unsafe.Pointer) error {
	r, want, name := f.rows[*field(arg, 0)], *field(arg, 16), "H264"
	if *field(arg, 0) == 10 {
		name = "YUYV"
	}
	if want != binary.LittleEndian.Uint32([]byte(name)) || *field(arg, 8) != 640 || *field(arg, 12) != 480 {
		return unix.EINVAL
	}
	if name == "YUYV" {
		*field(arg, 28), *field(arg, 32) = 2*640*480, 2*640
	}
	*(*byte)(unsafe.Add(arg, 188)) = 1
	r.size = *field(arg, 28)
	return nil
}

func (f *gpuFile) request(r *gpuRow, count uint32) {
	r.bufs, r.times, r.used = nil, make([][16]byte, count), make([]uint32, count)
	for range count {
		r.bufs = append(r.bufs, make([]byte, r.size))
	}
}

func (f *gpuFile) queue(arg unsafe.Pointer) {
	r, i := f.rows[*field(arg, 4)], *field(arg, 0)
	copy(r.times[i][:], unsafe.Slice((*byte)(unsafe.Add(arg, 24)), 16))
	r.used[i] = *field(*(*unsafe.Pointer)(unsafe.Add(arg, 64)), 0)
	r.queued = append(r.queued, i)
	f.work()
}

// work encodes each picture for which there is a buffer.
func (f *gpuFile) work() {
	out, in := f.rows[10], f.rows[9]
	for out.on && in.on && len(out.queued) > 0 && len(in.queued) > 0 {
		from, to := out.queued[0], in.queued[0]
		out.queued, in.queued = out.queued[1:], in.queued[1:]
		if picture := out.bufs[from][:out.used[from]]; len(picture) == 2*640*480 && slices.Max(picture) > slices.Min(picture) {
			f.pictures++
		}
		in.used[to] = uint32(copy(in.bufs[to], f.units[f.next%len(f.units)]))
		in.times[to] = out.times[from]
		f.next++
		out.done, in.done = append(out.done, from), append(in.done, to)
	}
	f.notify()
}

func (f *gpuFile) dequeue(arg unsafe.Pointer) error {
	r := f.rows[*field(arg, 4)]
	if len(r.done) == 0 {
		return unix.EAGAIN
	}
	i := r.done[0]
	r.done = r.done[1:]
	plane := *(*unsafe.Pointer)(unsafe.Add(arg, 64))
	*field(arg, 0), *field(arg, 12), *field(arg, 72) = i, 0, 1
	copy(unsafe.Slice((*byte)(unsafe.Add(arg, 24)), 16), r.times[i][:])
	*field(plane, 0), *field(plane, 4), *field(plane, 16) = r.used[i], r.size, 0
	return nil
}

func (f *gpuFile) notify() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// Mmap returns a buffer; the offset contains its queue and index.
func (f *gpuFile) Mmap(offset int64, _ int) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rows[uint32(offset>>24)].bufs[offset>>12&0xfff], nil
}

// Munmap does nothing: the buffers are ordinary memory.
func (f *gpuFile) Munmap([]byte) error { return nil }

// Wait waits for a result.
func (f *gpuFile) Wait(d time.Duration) (m2m.Events, error) {
	limit := time.NewTimer(d)
	defer limit.Stop()
	for {
		f.mu.Lock()
		var ev m2m.Events
		if f.awake {
			ev |= m2m.Woken
		}
		if len(f.rows[9].done) > 0 {
			ev |= m2m.Readable
		}
		f.mu.Unlock()
		if ev != 0 {
			return ev, nil
		}
		select {
		case <-f.changed:
		case <-limit.C:
			return 0, nil
		}
	}
}

// Wake ends a wait.
func (f *gpuFile) Wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.awake = true
	f.notify()
}

// Close closes the file.
func (f *gpuFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened--
	return nil
}
