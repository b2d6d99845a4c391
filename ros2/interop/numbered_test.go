// SPDX-License-Identifier: Apache-2.0

//go:build peers && linux

package interop

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
)

// Numbered samples, which both sides of a test can create and check. Those of the peers are in
// testdata/common/messages.h.

const (
	imageWidth  = 640
	imageHeight = 480
	imageStep   = 3 * imageWidth
	imageSize   = imageStep * imageHeight // 921,600 bytes
)

// marshal returns the payload of a message.
func marshal(m cdr.Marshaler) []byte { return cdr.Append(nil, m) }

func numberedString(n int) []byte {
	return marshal(&std_msgs.String{Data: fmt.Sprintf("sample %d", n)})
}

// stringNumber returns the number of a numbered string.
func stringNumber(payload []byte) (int, error) {
	var m std_msgs.String
	if err := cdr.Unmarshal(payload, &m); err != nil {
		return 0, err
	}
	n := 0
	_, err := fmt.Sscanf(m.Data, "sample %d", &n)
	return n, err
}

func patternByte(n, i int) byte { return byte(i*31 + (i>>8)*7 + (i>>16)*3 + n*13) }

func numberedImage(n int) []byte {
	m := sensor_msgs.Image{
		Header: std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: int32(n)}, FrameID: "camera"},
		Height: imageHeight, Width: imageWidth, Step: imageStep, Encoding: "rgb8",
		Data: make([]byte, imageSize),
	}
	for i := range m.Data {
		m.Data[i] = patternByte(n, i)
	}
	return marshal(&m)
}

// imageNumber returns the number of a numbered image, and an error unless every byte is correct.
func imageNumber(payload []byte) (int, error) {
	var m sensor_msgs.Image
	if err := cdr.Unmarshal(payload, &m); err != nil {
		return 0, err
	}
	n := int(m.Header.Stamp.Sec)
	if m.Header.FrameID != "camera" || m.Height != imageHeight || m.Width != imageWidth || m.Step != imageStep ||
		m.Encoding != "rgb8" || m.IsBigendian != 0 || len(m.Data) != imageSize {
		return n, fmt.Errorf("image %d: %+v %dx%d step %d %q, %d bytes", n, m.Header, m.Width, m.Height, m.Step, m.Encoding, len(m.Data))
	}
	for i, b := range m.Data {
		if b != patternByte(n, i) {
			return n, fmt.Errorf("image %d: byte %d is %#x, not %#x", n, i, b, patternByte(n, i))
		}
	}
	return n, nil
}

// blobOverhead is the size of an encoded blob without its data: number and length.
const blobOverhead = 8

// numberedBlob returns a blob of size bytes without the encapsulation header.
func numberedBlob(n, size int) []byte {
	b := make([]byte, 4, 4+size)
	b[1] = 1 // CDR_LE
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = binary.LittleEndian.AppendUint32(b, uint32(size-blobOverhead))
	for i := range size - blobOverhead {
		b = append(b, patternByte(n, i))
	}
	return b
}

// blobContent returns the number of a blob, the size of its data and how many bytes of it are wrong.
func blobContent(payload []byte) (n, size, wrong int, err error) {
	if len(payload) < 4+blobOverhead || payload[1] != 1 {
		return 0, 0, 0, fmt.Errorf("%d bytes are no blob: %.16x", len(payload), payload)
	}
	n = int(binary.LittleEndian.Uint32(payload[4:]))
	size = int(binary.LittleEndian.Uint32(payload[8:]))
	data := payload[4+blobOverhead:]
	if pad := len(data) - size; pad < 0 || pad > 3 { // a payload may be padded to a multiple of 4
		return n, size, 0, fmt.Errorf("blob %d of %d bytes holds %d", n, size, len(data))
	}
	for i, b := range data[:size] {
		if b != patternByte(n, i) {
			wrong++
		}
	}
	return n, size, wrong, nil
}

// checkImage compares an image that a peer reports with a numbered image.
func checkImage(t testing.TB, e event) {
	t.Helper()
	if e.FrameID != "camera" || e.Height != imageHeight || e.Width != imageWidth || e.Step != imageStep ||
		e.Encoding != "rgb8" || e.IsBigEndian != 0 || e.Size != imageSize || e.Wrong != 0 {
		t.Errorf("image: %s", e.line)
	}
}

func TestNumberedSamples(t *testing.T) {
	for _, n := range []int{1, 7, 1000} {
		if got, err := stringNumber(numberedString(n)); err != nil || got != n {
			t.Errorf("string %d: %d, %v", n, got, err)
		}
		payload := numberedImage(n)
		if got, err := imageNumber(payload); err != nil || got != n {
			t.Errorf("image %d: %d, %v", n, got, err)
		}
		payload[len(payload)-1]++
		if _, err := imageNumber(payload); err == nil {
			t.Error("no error for a wrong byte")
		}
		blob := numberedBlob(n, 1000)
		blob[len(blob)-1]++
		if got, size, wrong, err := blobContent(blob); err != nil || got != n || size != 1000-blobOverhead || wrong != 1 {
			t.Errorf("blob %d: %d, %d bytes, %d wrong, %v", n, got, size, wrong, err)
		}
		if _, _, _, err := blobContent(blob[:900]); err == nil {
			t.Error("no error for half a blob")
		}
	}
}
