// SPDX-License-Identifier: Apache-2.0

//go:build linux && vm && cgo

package v4l2

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vladimirvivien/go4vl/v4l2"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/yuv"
)

// The tests of this file run in the virtual machine of `make test-vm`, on the kernel's own test camera: vivid, loaded
// with `modprobe vivid n_devs=1 num_inputs=1 input_types=0 node_types=1` (one webcam).

func openVivid(t *testing.T, want camera.Mode) *source {
	t.Helper()
	s, err := New(Config{Device: "vivid"}).Open(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.(*source)
}

func TestVividFrames(t *testing.T) {
	s := openVivid(t, vga)
	// By default vivid's stamps are of the future. Start of exposure gives those of the moment it began with a frame.
	const timestampSource = 0x00f00000 | 0xf000 + 24 // VIVID_CID_TSTAMP_SRC
	if err := v4l2.SetControlValue(s.node.(*device).fd, timestampSource, 1); err != nil {
		t.Fatal(err)
	}
	var last camera.Frame
	var before time.Time
	for i := range 30 {
		f, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if err := f.Check(); err != nil {
			t.Fatal(err)
		}
		if len(f.Data) != 640*480*2 || f.Stride != 1280 || f.Range != yuv.Limited {
			t.Fatalf("frame of %d bytes, stride %d, range %v", len(f.Data), f.Stride, f.Range)
		}
		if i > 0 && (f.Sequence <= last.Sequence || !f.Stamp.After(before)) {
			t.Errorf("frame %d: sequence %d after %d, stamp %v after %v", i, f.Sequence, last.Sequence, f.Stamp, before)
		}
		if age := now.Sub(f.Stamp); age <= 0 || age > 2*time.Second {
			t.Errorf("frame %d is %v old", i, age)
		}
		checkBars(t, &f)
		last, before = f, f.Stamp
		release()
	}
	t.Logf("%v: %+v", s.Mode(), s.Stats())
	if st := s.Stats(); st.Frames != 30 || st.Damaged != 0 || st.Unstamped != 0 {
		t.Errorf("counted %+v", st)
	}
}

// checkBars compares the middle of the eight bars of vivid's default picture with 75 % colour bars in BT.601, limited
// range: white, yellow, cyan, green, magenta, red, blue, black.
func checkBars(t *testing.T, f *camera.Frame) {
	t.Helper()
	bars := [8][3]float64{{1, 1, 1}, {1, 1, 0}, {0, 1, 1}, {0, 1, 0}, {1, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}}
	row := f.Data[f.Height*3/4*f.Stride:] // below the text
	for i, rgb := range bars {
		r, g, b := 0.75*rgb[0], 0.75*rgb[1], 0.75*rgb[2]
		y := 0.299*r + 0.587*g + 0.114*b
		want := [3]float64{16 + 219*y, 128 + 224*(b-y)/1.772, 128 + 224*(r-y)/1.402}
		p := row[(f.Width*(2*i+1)/16)&^1*2:]
		for c, got := range [3]byte{p[0], p[1], p[3]} {
			if math.Abs(float64(got)-want[c]) > 4 {
				t.Fatalf("bar %d is YCbCr %d %d %d, want %.0f (±4)", i, p[0], p[1], p[3], want)
			}
		}
	}
}

func TestVividAllocations(t *testing.T) {
	s := openVivid(t, vga)
	n := testing.AllocsPerRun(20, func() {
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		release()
	})
	if n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestVividRefuses(t *testing.T) {
	for _, want := range []camera.Mode{
		{Width: 641, Height: 480, Format: camera.YUYV},
		{Width: 640, Height: 480, Format: camera.MJPEG},
	} {
		_, err := New(Config{Device: "vivid"}).Open(t.Context(), want)
		var m *camera.ModeError
		if !errors.As(err, &m) || len(m.Have) < 5 {
			t.Fatalf("%v: %v", want, err)
		}
		if !strings.Contains(err.Error(), "640×480 YUYV") {
			t.Errorf("the error does not mention 640×480 YUYV: %.300v", err)
		}
	}
}

func TestVividTwice(t *testing.T) {
	openVivid(t, vga)
	_, err := New(Config{Device: "vivid"}).Open(t.Context(), vga)
	if !errors.Is(err, errBusy) {
		t.Errorf("second program: %v", err)
	}
}

func TestVividCloseEndsRead(t *testing.T) {
	s := openVivid(t, vga)
	var releases []func()
	for range len(s.slots) { // with all buffers taken, Read has nothing to return
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}
	got := make(chan error)
	go func() { _, _, err := s.Read(); got <- err }()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-got; !errors.Is(err, camera.ErrClosed) {
		t.Error(err)
	}
	before := mappings(t)
	for _, release := range releases {
		release()
	}
	if after := mappings(t); before != len(releases) || after != 0 {
		t.Errorf("%d buffers mapped while %d are held, %d after", before, len(releases), after)
	}
}

// TestVividUnplug takes the driver from the device and gives it back, as unplugging a USB camera does.
func TestVividUnplug(t *testing.T) {
	dev := New(Config{Device: "vivid"})
	for round := range 3 {
		s, err := dev.Open(t.Context(), vga)
		if err != nil {
			t.Fatal(err)
		}
		_, keep, err := s.Read() // a reader that does not release
		if err != nil {
			t.Fatal(err)
		}
		sysfs(t, "unbind")
		for err == nil {
			var release func()
			if _, release, err = s.Read(); err == nil {
				release()
			}
		}
		if !errors.Is(err, camera.ErrUnplugged) {
			t.Errorf("round %d: %v", round, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		keep()
		if n := mappings(t); n != 0 {
			t.Errorf("%d buffers are still mapped", n)
		}
		if _, err := dev.Open(t.Context(), vga); !errors.Is(err, camera.ErrNoDevice) {
			t.Errorf("without the camera: %v", err)
		}
		sysfs(t, "bind")
		waitFor(t, func() bool { _, err := Find("vivid"); return err == nil })
	}
	openVivid(t, vga)
}

// TestVividLeaksNothing opens and closes the camera many times.
func TestVividLeaksNothing(t *testing.T) {
	files := func() int {
		d, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(d)
	}
	dev := New(Config{Device: "vivid"})
	round := func() {
		s, err := dev.Open(t.Context(), vga)
		if err != nil {
			t.Fatal(err)
		}
		_, release, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		release()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	round()
	// What the first round and the tests before have left may be about to end, so fewer at the end is no leak.
	fds, goroutines := files(), runtime.NumGoroutine()
	for range 30 {
		round()
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		runtime.Gosched() // one that is about to end
	}
	if files() > fds || runtime.NumGoroutine() > goroutines || mappings(t) != 0 {
		t.Errorf("%d files, %d goroutines, %d mappings; before: %d, %d, 0", files(), runtime.NumGoroutine(), mappings(t), fds, goroutines)
	}
}

// TestStackMoves is the reason for type pinned. It queries a buffer's place from goroutines whose stacks have all sorts
// of depths, first through go4vl alone, then as this package does. The kernel's answers to go4vl alone go to where a
// stack was, which may be another goroutine's by then: that is done in a process of its own, which may die of it.
func TestStackMoves(t *testing.T) {
	const alone = "EPUCK_GO4VL_ALONE"
	if os.Getenv(alone) != "" {
		go4vlAlone(t)
		return
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestStackMoves$", "-test.v")
	c.Env = append(os.Environ(), alone+"=1")
	out, err := c.CombinedOutput()
	_, result, _ := strings.Cut(string(out), "go4vl alone: ")
	result, _, _ = strings.Cut(result, "\n")
	t.Logf("go4vl alone: %s (%v)", result, err)
	d := openVivid(t, vga).node.(*device)
	for i := range depths / 4 { // all the depths at which go4vl alone fails for stacks of up to 16 KiB
		done := make(chan error)
		go func() {
			var err error
			deep(i, func() bool {
				err = d.call(func() error { return queryBuffer(d) })
				return true
			})
			done <- err
		}()
		if err := <-done; err != nil {
			t.Fatalf("depth %d: %v", i, err)
		}
	}
}

// depths is from how many depths of the stack a buffer is queried.
const depths = 2048

func go4vlAlone(t *testing.T) {
	d := openVivid(t, vga).node.(*device)
	wrong := 0
	for i := range depths {
		done := make(chan bool)
		go func() { done <- deep(i, func() bool { return queryBuffer(d) == nil }) }()
		if !<-done {
			wrong++
		}
	}
	t.Logf("go4vl alone: %d of %d answers are wrong", wrong, depths)
}

// queryBuffer asks where buffer 2 is and what it holds.
func queryBuffer(d *device) error {
	b, err := v4l2.GetBuffer(streaming{fd: d.fd}, 2)
	if err == nil && (b.Index != 2 || b.Length < 640*480*2) {
		err = fmt.Errorf("buffer %d of %d bytes", b.Index, b.Length)
	}
	return err
}

// mappings counts the video buffers in this program's memory.
func mappings(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "/dev/video")
}

func sysfs(t *testing.T, what string) {
	t.Helper()
	found, err := filepath.Glob("/sys/bus/platform/drivers/vivid")
	if err != nil || len(found) != 1 {
		t.Fatalf("no vivid in sysfs: %v", err)
	}
	if err := os.WriteFile(filepath.Join(found[0], what), []byte("vivid.0"), 0); err != nil {
		t.Fatal(err)
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within a minute")
		}
	}
}
