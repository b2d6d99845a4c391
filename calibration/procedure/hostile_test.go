// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
)

func TestPicturesAndTruthAreReadFromRegularFilesAlone(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("/dev/null", filepath.Join(folder, "a.png")); err != nil {
		t.Fatal(err)
	}
	pictures, err := fromFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, name, err := pictures(t.Context()); !errors.Is(err, regular.ErrKind) || name != "a.png" {
		t.Error(name, err)
	}
	synctest.Test(t, func(t *testing.T) {
		if err := FromTruth("/dev/null").End(t.Context(), new(wheels.Run)); !errors.Is(err, regular.ErrKind) || !errors.Is(err, errEnd) {
			t.Error(err)
		}
	})
}

// TestGiantPictureIsNotDecoded: a file of some bytes that states 50000×50000 pixels.
func TestGiantPictureIsNotDecoded(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	head := b.Bytes()[12:] // the kind and the content of IHDR, which has 13 bytes, then their checksum
	binary.BigEndian.PutUint32(head[4:], 50000)
	binary.BigEndian.PutUint32(head[8:], 50000)
	binary.BigEndian.PutUint32(head[17:], crc32.ChecksumIEEE(head[:17]))
	if _, err := decode(b.Bytes()); !errors.Is(err, errPicture) || !strings.Contains(err.Error(), "50000×50000 pixels, the limit is 67108864") {
		t.Error(err)
	}
}
