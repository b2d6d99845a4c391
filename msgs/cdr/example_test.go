// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// point is the structure { float64 x; float64 y; string frame; }.
type point struct {
	x, y  float64
	frame string
}

func (p *point) EncodeCDR(e *cdr.Encoder) {
	e.Float64(p.x)
	e.Float64(p.y)
	e.String(p.frame)
}

func (p *point) DecodeCDR(d *cdr.Decoder) {
	d.Field("point.x")
	p.x = d.Float64()
	d.Field("point.y")
	p.y = d.Float64()
	d.Field("point.frame")
	p.frame = d.String()
}

func Example() {
	data := cdr.Append(nil, &point{1, 2, "odom"})
	fmt.Printf("%x\n", data)

	var p point
	fmt.Println(cdr.Unmarshal(data, &p), p)
	fmt.Println(cdr.Unmarshal(data[:12], &p))
	// Output:
	// 00010000000000000000f03f0000000000000040050000006f646f6d00
	// <nil> {1 2 odom}
	// point.y: byte 12: cdr: data too short: 8 bytes needed, 0 left
}

// A frequent sender keeps an Encoder and its buffer, so that nothing is allocated.
func ExampleEncoder_Marshal() {
	var e cdr.Encoder
	var buf []byte
	for i := range 3 {
		var err error
		if buf, err = e.Marshal(buf[:0], &point{x: float64(i)}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(len(buf), "bytes")
	}
	// Output:
	// 25 bytes
	// 25 bytes
	// 25 bytes
}
