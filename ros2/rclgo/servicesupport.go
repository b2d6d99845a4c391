// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#include <stdio.h>
#include <stdlib.h>
#include <rcl/rcl.h>
#include <rmw/rmw.h>

typedef void *(*create_function)(void);
typedef void (*destroy_function)(void *);

static void *call_create(void *f) { return ((create_function)f)(); }
static void call_destroy(void *f, void *p) { ((destroy_function)f)(p); }
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// serviceSupport is the type support of a service, loaded at run time.
type serviceSupport struct {
	libraries         packageLibraries
	handle            unsafe.Pointer // rosidl_service_type_support_t *
	request, response messageStruct
}

var _ types.ServiceTypeSupport = (*serviceSupport)(nil)

func loadServiceSupport(of interfaceName) (*serviceSupport, error) {
	s := new(serviceSupport)
	runtime.SetFinalizer(s, func(s *serviceSupport) { s.libraries.close() })
	if err := s.libraries.open(of.pkg); err != nil {
		return nil, err
	}
	var errs [3]error
	s.handle, errs[0] = s.libraries.support("service", of)
	s.request, errs[1] = s.libraries.message(of.with("_Request"))
	s.response, errs[2] = s.libraries.message(of.with("_Response"))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return s, nil
}

// Request and Response return the two messages, in the form for rclgo.
func (s *serviceSupport) Request() types.MessageTypeSupport  { return &s.request }
func (s *serviceSupport) Response() types.MessageTypeSupport { return &s.response }

// TypeSupport returns a rosidl_service_type_support_t.
func (s *serviceSupport) TypeSupport() unsafe.Pointer { return s.handle }

// messageStruct creates the C structure of a message, and converts between it and the encoded form. It implements the
// part of types.MessageTypeSupport that rclgo calls.
type messageStruct struct {
	support, create, destroy unsafe.Pointer
}

// encapsulationSize is the size of the header of every encoded message (CDR), bytes.
const encapsulationSize = 4

// encoded is a message in its encoded form, with the error of the conversion.
type encoded struct {
	of      *messageStruct
	payload []byte
	err     error
}

// CloneMsg returns a message with the same bytes.
func (m *encoded) CloneMsg() types.Message { return &encoded{of: m.of, payload: m.payload} }

// SetDefaults empties the message.
func (m *encoded) SetDefaults() { m.payload = nil }

// GetTypeSupport returns the type of the message.
func (m *encoded) GetTypeSupport() types.MessageTypeSupport { return m.of }

// New returns an empty message.
func (s *messageStruct) New() types.Message { return &encoded{of: s} }

// PrepareMemory creates an empty structure.
func (s *messageStruct) PrepareMemory() unsafe.Pointer { return C.call_create(s.create) }

// ReleaseMemory frees a structure and its contents.
func (s *messageStruct) ReleaseMemory(p unsafe.Pointer) { C.call_destroy(s.destroy, p) }

// TypeSupport returns a rosidl_message_type_support_t.
func (s *messageStruct) TypeSupport() unsafe.Pointer { return s.support }

// AsGoStruct encodes a structure.
func (s *messageStruct) AsGoStruct(dst types.Message, src unsafe.Pointer) {
	if m, ok := dst.(*encoded); ok {
		m.payload, m.err = s.encode(src)
	}
}

// AsCStruct decodes into a structure.
func (s *messageStruct) AsCStruct(dst unsafe.Pointer, src types.Message) {
	if m, ok := src.(*encoded); ok {
		m.err = s.decode(dst, m.payload)
	}
}

func (s *messageStruct) encode(src unsafe.Pointer) ([]byte, error) {
	buffer := C.rmw_get_zero_initialized_serialized_message()
	allocator := C.rcl_get_default_allocator()
	err := check("encoding", func() C.rcl_ret_t { return C.rcutils_uint8_array_init(&buffer, 0, &allocator) })
	if err != nil {
		return nil, err
	}
	defer C.rcutils_uint8_array_fini(&buffer)
	err = check("encoding", func() C.rcl_ret_t {
		return C.rmw_serialize(src, (*C.rosidl_message_type_support_t)(s.support), &buffer)
	})
	if err != nil {
		return nil, err
	}
	return C.GoBytes(unsafe.Pointer(buffer.buffer), C.int(buffer.buffer_length)), nil
}

func (s *messageStruct) decode(dst unsafe.Pointer, payload []byte) error {
	if len(payload) < encapsulationSize { // middlewares do not check it
		return fmt.Errorf("%w: a message of %d bytes", ErrConfig, len(payload))
	}
	buffer := C.rmw_get_zero_initialized_serialized_message()
	buffer.allocator = C.rcl_get_default_allocator()
	buffer.buffer = (*C.uint8_t)(C.CBytes(payload))
	defer C.free(unsafe.Pointer(buffer.buffer))
	buffer.buffer_length, buffer.buffer_capacity = C.size_t(len(payload)), C.size_t(len(payload))
	return check("decoding", func() C.rcl_ret_t {
		return C.rmw_deserialize(&buffer, (*C.rosidl_message_type_support_t)(s.support), dst)
	})
}
