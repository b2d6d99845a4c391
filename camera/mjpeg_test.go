// SPDX-License-Identifier: Apache-2.0

package camera

import (
	"bytes"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// mjpegCamera delivers JPEG files of its frames' numbers, some without Huffman tables.
func mjpegCamera(t *testing.T, format PixelFormat) (cam *fakeCamera, files map[uint32][]byte) {
	cam, files = newFakeCamera(Mode{64, 48, format, 15}), map[uint32][]byte{}
	enc, err := newCPUEncoder(100)
	if err != nil {
		t.Fatal(err)
	}
	cam.every = func(n uint32, f *Frame) error {
		px := Frame{Data: make([]byte, 64*48*2), Format: YUYV, Width: 64, Height: 48, Stride: 128, Sequence: n}
		paint(&px)
		file, err := enc.Encode(nil, &px)
		files[n] = file
		f.Data = bytes.Clone(file)
		if n%2 == 0 {
			at := bytes.Index(file, []byte{0xFF, 0xC4})
			f.Data = append(f.Data[:at], file[at+2+int(file[at+2])<<8+int(file[at+3]):]...)
		}
		return err
	}
	return cam, files
}

// TestCameraCompresses: JPEG is forwarded byte for byte, with tables inserted where they are missing; raw images are
// decompressed, other sizes compressed again.
func TestCameraCompresses(t *testing.T) {
	for _, format := range []PixelFormat{MJPEG, JPEG} {
		synctest.Test(t, func(t *testing.T) {
			cam, files := mjpegCamera(t, format)
			p := newPipeline(t, Config{Device: cam})
			file, s := attach(t, p, Output{Encoding: Compressed})
			time.Sleep(time.Second)
			synctest.Wait()
			if st := p.Status(); st.Encoder != "camera" || len(file.all()) < 14 {
				t.Errorf("encoder %q because %q, %d pictures", st.Encoder, st.EncoderReason, len(file.all()))
			}
			_ = s.Close()
			raw, _ := attach(t, p, Output{Encoding: YUV422YUY2})
			half, _ := attach(t, p, Output{Encoding: Compressed, Width: 32, Height: 24})
			time.Sleep(time.Second)
			_ = p.Close()
			for _, im := range file.all() {
				if !bytes.Equal(im.Data, files[im.Sequence]) || im.Width != 64 || im.Height != 48 {
					t.Fatalf("picture %d is not the camera's", im.Sequence)
				}
			}
			if len(raw.all()) < 14 || len(half.all()) < 14 {
				t.Fatalf("%d raw, %d scaled", len(raw.all()), len(half.all()))
			}
			for _, im := range raw.all() {
				checkPixels(t, im)
			}
			checkPixels(t, half.last(t))
		})
	}
}

// TestDamagedFiles: what is no JPEG file is counted and passed over.
func TestDamagedFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cam, _ := mjpegCamera(t, MJPEG)
		good := cam.every
		cam.every = func(n uint32, f *Frame) error {
			err := good(n, f)
			switch n % 4 {
			case 0:
				f.Data = f.Data[:len(f.Data)-2] // no end
			case 1:
				f.Data = f.Data[1:] // no start
			case 2:
				f.Data = append(append([]byte{}, f.Data[:100]...), 0xFF, 0xD9) // nothing in it
			}
			return err
		}
		p := newPipeline(t, Config{Device: cam})
		defer p.Close()
		file, _ := attach(t, p, Output{Encoding: Compressed})
		raw, _ := attach(t, p, Output{Encoding: RGB8})
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if n := len(raw.all()); n < 14 || n > 16 || len(file.all()) != n {
			t.Errorf("%d raw and %d files of 15 good frames", n, len(file.all()))
		}
		if st := p.Status(); st.Damaged < 14 || st.Unmade < 50 || !errors.Is(st.LastError, ErrFrame) && st.LastError != nil {
			t.Errorf("%+v", st)
		}
	})
}
