// SPDX-License-Identifier: Apache-2.0

package msgs_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/testdefs/test_msgs"
)

// byteOrder is the byte order of the reference encoder.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// reference is a second encoder, written from the rules of CDR alone: it walks
// Go values by reflection, in either byte order. It shares no code with
// package cdr and none with the generator.
type reference struct {
	order byteOrder
	body  []byte
}

// encodeReference returns m with its encapsulation header.
func encodeReference(m any, order byteOrder) []byte {
	r := reference{order: order}
	r.value(reflect.ValueOf(m).Elem())
	header := []byte{0, 1, 0, 0}
	if order.String() == binary.BigEndian.String() {
		header[1] = 0
	}
	return append(header, r.body...)
}

func (r *reference) align(n int) {
	for len(r.body)%n != 0 {
		r.body = append(r.body, 0)
	}
}

func (r *reference) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.value(v.Field(i))
		}
		if v.NumField() == 0 {
			r.body = append(r.body, 0)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.value(v.Index(i))
		}
	case reflect.Slice:
		r.bits(4, uint64(v.Len()))
		for i := range v.Len() {
			r.value(v.Index(i))
		}
	case reflect.String:
		r.bits(4, uint64(v.Len()+1))
		r.body = append(append(r.body, v.String()...), 0)
	default:
		r.primitive(v)
	}
}

func (r *reference) primitive(v reflect.Value) {
	size := int(v.Type().Size())
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		r.bits(1, 1)
	case v.Kind() == reflect.Bool:
		r.bits(1, 0)
	case v.CanInt():
		r.bits(size, uint64(v.Int()))
	case v.CanUint():
		r.bits(size, v.Uint())
	case size == 4:
		r.bits(4, uint64(math.Float32bits(v.Interface().(float32))))
	default:
		r.bits(8, math.Float64bits(v.Interface().(float64)))
	}
}

// bits appends the low size bytes of v, aligned to size.
func (r *reference) bits(size int, v uint64) {
	r.align(size)
	switch size {
	case 1:
		r.body = append(r.body, byte(v))
	case 2:
		r.body = r.order.AppendUint16(r.body, uint16(v))
	case 4:
		r.body = r.order.AppendUint32(r.body, uint32(v))
	case 8:
		r.body = r.order.AppendUint64(r.body, v)
	}
}

// testMessages are the messages that have every type in every container.
func testMessages() []msgs.Message {
	return []msgs.Message{
		new(test_msgs.Arrays), new(test_msgs.BasicTypes), new(test_msgs.BoundedPlainSequences),
		new(test_msgs.BoundedSequences), new(test_msgs.Constants), new(test_msgs.Defaults),
		new(test_msgs.Empty), new(test_msgs.MultiNested), new(test_msgs.Nested),
		new(test_msgs.Strings), new(test_msgs.UnboundedSequences),
	}
}

// everyType returns an empty message of every type there is, variants and
// test messages included, in a fixed order: a fuzz corpus counts on it.
func everyType() []msgs.Message {
	list := testMessages()
	list = append(list, variantList()...)
	for _, name := range msgs.Names() {
		newMessage, ok := msgs.Lookup(name)
		if !ok {
			panic(fmt.Sprintf("%s is in Names and not in Lookup", name))
		}
		list = append(list, newMessage())
	}
	return list
}

// fresh returns an empty message of the type of m.
func fresh(m msgs.Message) msgs.Message {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(msgs.Message)
}
