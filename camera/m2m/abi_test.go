// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestLayout holds the structures against what C compilers make of linux/videodev2.h: 68 bytes for v4l2_buffer on 32
// bits with 32-bit time, 88 on 64 bits. It runs for amd64, by scripts/test-system.sh for 386, and by
// scripts/test-long.sh as ARMv6 code; layout_*.go hold the same for arm64 when it is compiled.
func TestLayout(t *testing.T) {
	bits := 0
	if unsafe.Sizeof(uintptr(0)) == 8 {
		bits = 1
	}
	var (
		f  format
		px pixFormat
		b  buffer
		p  plane
	)
	for _, c := range []struct {
		name string
		got  uintptr
		want [2]uintptr // 32, 64 bit
	}{
		{"v4l2_capability", unsafe.Sizeof(capability{}), [2]uintptr{104, 104}},
		{"v4l2_format", unsafe.Sizeof(f), [2]uintptr{204, 208}},
		{"v4l2_format.fmt", unsafe.Offsetof(f.pix), [2]uintptr{4, 8}},
		{"v4l2_pix_format_mplane", unsafe.Sizeof(px), [2]uintptr{192, 192}},
		{"v4l2_pix_format_mplane.plane_fmt", unsafe.Offsetof(px.planes), [2]uintptr{20, 20}},
		{"v4l2_pix_format_mplane.num_planes", unsafe.Offsetof(px.numPlanes), [2]uintptr{180, 180}},
		{"v4l2_plane_pix_format", unsafe.Sizeof(planeFormat{}), [2]uintptr{20, 20}},
		{"v4l2_requestbuffers", unsafe.Sizeof(requestBuffers{}), [2]uintptr{20, 20}},
		{"v4l2_buffer", unsafe.Sizeof(b), [2]uintptr{68, 88}},
		{"v4l2_buffer.timestamp", unsafe.Offsetof(b.time), [2]uintptr{20, 24}},
		{"v4l2_buffer.timecode", unsafe.Offsetof(b.timecode), [2]uintptr{28, 40}},
		{"v4l2_buffer.sequence", unsafe.Offsetof(b.sequence), [2]uintptr{44, 56}},
		{"v4l2_buffer.memory", unsafe.Offsetof(b.memory), [2]uintptr{48, 60}},
		{"v4l2_buffer.m", unsafe.Offsetof(b.planes), [2]uintptr{52, 64}},
		{"v4l2_buffer.length", unsafe.Offsetof(b.length), [2]uintptr{56, 72}},
		{"v4l2_buffer.request_fd", unsafe.Offsetof(b.request), [2]uintptr{64, 80}},
		{"v4l2_plane", unsafe.Sizeof(p), [2]uintptr{60, 64}},
		{"v4l2_plane.m", unsafe.Offsetof(p.place), [2]uintptr{8, 8}},
		{"v4l2_plane.data_offset", unsafe.Offsetof(p.begin), [2]uintptr{12, 16}},
		{"v4l2_control", unsafe.Sizeof(control{}), [2]uintptr{8, 8}},
		{"VIDIOC_QUERYCAP", vidiocQuerycap, [2]uintptr{0x80685600, 0x80685600}},
		{"VIDIOC_S_FMT", vidiocSFmt, [2]uintptr{0xC0CC5605, 0xC0D05605}},
		{"VIDIOC_REQBUFS", vidiocReqbufs, [2]uintptr{0xC0145608, 0xC0145608}},
		{"VIDIOC_QUERYBUF", vidiocQuerybuf, [2]uintptr{0xC0445609, 0xC0585609}},
		{"VIDIOC_QBUF", vidiocQbuf, [2]uintptr{0xC044560F, 0xC058560F}},
		{"VIDIOC_DQBUF", vidiocDqbuf, [2]uintptr{0xC0445611, 0xC0585611}},
		{"VIDIOC_STREAMON", vidiocStreamon, [2]uintptr{0x40045612, 0x40045612}},
		{"VIDIOC_STREAMOFF", vidiocStreamoff, [2]uintptr{0x40045613, 0x40045613}},
		{"VIDIOC_S_CTRL", vidiocSCtrl, [2]uintptr{0xC008561C, 0xC008561C}},
	} {
		if c.got != c.want[bits] {
			t.Errorf("%s: %d (%#x), want %d (%#x)", c.name, c.got, c.got, c.want[bits], c.want[bits])
		}
	}
}

func TestNumbersTravelAsTime(t *testing.T) {
	for _, n := range []int64{0, 1, 999_999, 1_000_000, 1<<31 - 1, 1 << 40} {
		if got := numberOf(timeOf(n)); got != n {
			t.Errorf("%d came back as %d", n, got)
		}
	}
	if (timeOf(1_000_001) != unix.Timeval{Sec: 1, Usec: 1}) {
		t.Errorf("%v", timeOf(1_000_001))
	}
}
