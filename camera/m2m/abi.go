// SPDX-License-Identifier: Apache-2.0

//go:build linux

package m2m

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Structures of include/uapi/linux/videodev2.h. Two things differ between architectures: pointers, and the time in a
// buffer, which on 32 bits is that of programs with 32-bit time (the kernel supports both). Go's alignment rules result
// in the kernel's layout on arm, 386, amd64 and arm64; abi_test.go compares with the numbers of a C compiler.

// capability is struct v4l2_capability.
type capability struct {
	driver  [16]byte
	card    [32]byte
	bus     [32]byte
	version uint32
	caps    uint32 // of the whole device
	node    uint32 // of this device file
	_       [3]uint32
}

// planeFormat is struct v4l2_plane_pix_format.
type planeFormat struct {
	sizeImage uint32 // bytes of a buffer
	stride    uint32 // bytes from row to row
	_         [6]uint16
}

// pixFormat is struct v4l2_pix_format_mplane.
type pixFormat struct {
	width, height uint32
	fourcc        uint32
	field         uint32
	colorspace    uint32
	planes        [8]planeFormat
	numPlanes     uint8
	flags         uint8
	encoding      uint8
	quantization  uint8
	transfer      uint8
	_             [7]uint8
}

// format is struct v4l2_format. Its union has members with pointers, hence an alignment that pixFormat alone lacks.
type format struct {
	queue uint32
	_     [0]uintptr
	pix   pixFormat
	_     [200 - unsafe.Sizeof(pixFormat{})]byte
}

// requestBuffers is struct v4l2_requestbuffers.
type requestBuffers struct {
	count  uint32
	queue  uint32
	memory uint32
	caps   uint32
	flags  uint8
	_      [3]uint8
}

// plane is struct v4l2_plane:
//
//	32 bit   0        4        8        12           16 … 59
//	64 bit   0        4        8        16           20 … 63
//	         +--------+--------+--------+-----------+-------+
//	         | used   | length | place  | begin of  | reserved |
//	         |        |        |        | data      |       |
//	         +--------+--------+--------+-----------+-------+
type plane struct {
	used   uint32  // bytes of data
	length uint32  // bytes of the buffer
	place  uintptr // a union; for mapped memory the offset for mmap(2), in its first 32 bits
	begin  uint32
	_      [11]uint32
}

// buffer is struct v4l2_buffer:
//
//	32 bit  0       4       8      12      16      20          28       44      48       52       56       60 …  67
//	64 bit  0       4       8      12      16      24          40       56         60       64       72       76 …  87
//	        +-------+-------+------+-------+-------+-----------+--------+-------+--------+--------+--------+--------+
//	        | index | queue | used | flags | field | time      | time   | seq.  | memory | planes | number | request|
//	        |       |       |      |       |       | sec, µs   | code   |       |        |        | of them|        |
//	        +-------+-------+------+-------+-------+-----------+--------+-------+--------+--------+--------+--------+
type buffer struct {
	index    uint32
	queue    uint32
	used     uint32
	flags    uint32
	field    uint32
	time     unix.Timeval
	timecode [4]uint32
	sequence uint32
	memory   uint32
	planes   *plane
	length   uint32
	_        uint32
	request  int32
}

// control is struct v4l2_control.
type control struct {
	id    uint32
	value int32
}

// Queues (enum v4l2_buf_type), kinds of memory, and so on.
const (
	queueCapture = 9  // V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
	queueOutput  = 10 // V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE
	memoryMapped = 1  // V4L2_MEMORY_MMAP
	fieldNone    = 1  // V4L2_FIELD_NONE
	flagError    = 0x40

	capM2M        = 0x00004000 // V4L2_CAP_VIDEO_M2M_MPLANE
	capStreaming  = 0x04000000 // V4L2_CAP_STREAMING
	capPerNode    = 0x80000000 // V4L2_CAP_DEVICE_CAPS: capability.node is filled in
	maxBuffers    = 32         // VIDEO_MAX_FRAME
	jpegQuality   = 0x009D0903 // V4L2_CID_JPEG_COMPRESSION_QUALITY
	spaceSMPTE    = 1          // V4L2_COLORSPACE_SMPTE170M: BT.601, limited range
	spaceJPEG     = 7          // V4L2_COLORSPACE_JPEG: BT.601, full range
	rangeFull     = 1          // V4L2_QUANTIZATION_FULL_RANGE
	rangeLimited  = 2          // V4L2_QUANTIZATION_LIM_RANGE
	encodingBT601 = 1          // V4L2_YCBCR_ENC_601
)

// Requests: _IOR, _IOW and _IOWR of the letter V, with the size of the structure, so the kernel rejects a wrong layout
// (ENOTTY) and never misreads one.
const (
	read  = 2 << 30
	write = 1 << 30
	video = 'V' << 8

	vidiocQuerycap  = read | unsafe.Sizeof(capability{})<<16 | video
	vidiocSFmt      = read | write | unsafe.Sizeof(format{})<<16 | video | 5
	vidiocReqbufs   = read | write | unsafe.Sizeof(requestBuffers{})<<16 | video | 8
	vidiocQuerybuf  = read | write | unsafe.Sizeof(buffer{})<<16 | video | 9
	vidiocQbuf      = read | write | unsafe.Sizeof(buffer{})<<16 | video | 15
	vidiocDqbuf     = read | write | unsafe.Sizeof(buffer{})<<16 | video | 17
	vidiocStreamon  = write | 4<<16 | video | 18
	vidiocStreamoff = write | 4<<16 | video | 19
	vidiocSCtrl     = read | write | unsafe.Sizeof(control{})<<16 | video | 28
)
