// SPDX-License-Identifier: Apache-2.0

package cdr_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
)

// flag is the structure { boolean on; }.
type flag bool

func (f *flag) EncodeCDR(e *cdr.Encoder) { e.Bool(bool(*f)) }

func (f *flag) DecodeCDR(d *cdr.Decoder) {
	d.Field("flag.on")
	*f = flag(d.Bool())
}

// A decoding error wraps its kind and has the field and the byte.
func ExampleDecodeError() {
	for _, data := range []string{
		"\x00\x01\x00\x00\x02", // a boolean of 2
		"\x00\x03\x00\x00\x01", // a parameter list
		"\x00\x07\x00\x00\x01", // XCDR2
		"\x12\x34\x00\x00\x01",
		"\x00\x01\x00\x00",
	} {
		var f flag
		err := cdr.Unmarshal([]byte(data), &f)
		fmt.Println(err)
		fmt.Println(" ", errors.Is(err, cdr.ErrBool), errors.Is(err, cdr.ErrParameterList), errors.Is(err, cdr.ErrXCDR2),
			errors.Is(err, cdr.ErrEncapsulation), errors.Is(err, cdr.ErrShort))
	}
	// Output:
	// flag.on: byte 4: cdr: boolean is neither 0 nor 1: 0x02
	//   true false false false false
	// byte 0: cdr: unsupported encapsulation: parameter list (id 0x0003)
	//   false true false true false
	// byte 0: cdr: unsupported encapsulation: XCDR2 (id 0x0007)
	//   false false true true false
	// byte 0: cdr: unsupported encapsulation (id 0x1234)
	//   false false false true false
	// flag.on: byte 4: cdr: data too short: 1 bytes needed, 0 left
	//   false false false false true
}
