// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

func benchmarkEncode(b *testing.B, name string) {
	m := robotMessages()[name]
	var e cdr.Encoder
	buf := cdr.Append(nil, m)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = e.Marshal(buf[:0], m)
	}
}

func benchmarkDecode(b *testing.B, name string) {
	m := robotMessages()[name]
	var d cdr.Decoder
	buf, into := cdr.Append(nil, m), fresh(m)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Unmarshal(buf, into); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeOdometry(b *testing.B)   { benchmarkEncode(b, "Odometry") }
func BenchmarkEncodeLaserScan(b *testing.B)  { benchmarkEncode(b, "LaserScan") }
func BenchmarkEncodeTFMessage(b *testing.B)  { benchmarkEncode(b, "TFMessage") }
func BenchmarkEncodeRange(b *testing.B)      { benchmarkEncode(b, "Range") }
func BenchmarkEncodeJointState(b *testing.B) { benchmarkEncode(b, "JointState") }
func BenchmarkEncodeImage(b *testing.B)      { benchmarkEncode(b, "Image") }

func BenchmarkDecodeOdometry(b *testing.B)   { benchmarkDecode(b, "Odometry") }
func BenchmarkDecodeLaserScan(b *testing.B)  { benchmarkDecode(b, "LaserScan") }
func BenchmarkDecodeTFMessage(b *testing.B)  { benchmarkDecode(b, "TFMessage") }
func BenchmarkDecodeRange(b *testing.B)      { benchmarkDecode(b, "Range") }
func BenchmarkDecodeJointState(b *testing.B) { benchmarkDecode(b, "JointState") }
func BenchmarkDecodeImage(b *testing.B)      { benchmarkDecode(b, "Image") }
