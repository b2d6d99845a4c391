// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/driver/epuck2"
	"github.com/epuck-ros2/epuck-driver/i2c/mcu"
	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
)

// The bytes of a scan, which are what a bag keeps of it (TestRecordsWhatIsPublished of package record): an infrared
// sensor that touches something (ps0), one that sees something (ps2, at 3 cm), six that see nothing, a time-of-flight
// sensor that measured that nothing is there, and twelve rays without a sensor. NaN is the one that compilers of C++
// make, 0x7fc00000.
func TestBytesOfAScan(t *testing.T) {
	dark := [8]uint16{4000, 4000, 4000, 4000, 4000, 4000, 4000, 4000}
	for _, invalid := range []epuck2.InvalidRay{epuck2.InvalidNaN, epuck2.InvalidInf, epuck2.InvalidZero} {
		t.Run(string(invalid), func(t *testing.T) {
			set := &Settings{Correct: *uncorrected(), InvalidRay: invalid}
			s := mcu.Sensors{Proximity: [8]uint16{0: 4095, 2: 235}, Ambient: dark}
			r := &Reading{
				Stamp: builtin_interfaces.Time{Sec: 1_700_000_000, Nanosec: 250_000_000}, Period: 0.05,
				Set: set, Sensors: s, Ahead: true, ToF: ToFReading{Distance: math.Inf(1)},
			}
			var m sensor_msgs.LaserScan
			if !newScan(epuck2.ScanFrame)(&m, r) {
				t.Fatal("no scan")
			}
			got, err := cdr.Marshal(nil, &m)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "scan", string(invalid)+".hex")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v; the bytes now:\n%s", err, hex.Dump(got))
			}
			want, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("it differs from %s:\n%s", file, hex.Dump(got))
			}
		})
	}
}
