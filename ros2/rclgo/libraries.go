// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include <dlfcn.h>

typedef const void *(*support_function)(void);

static const void *call_support(void *f) { return ((support_function)f)(); }
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// packageLibraries are the handles (dlopen) of the two shared libraries of a ROS package: with its type supports and
// with its C structures.
type packageLibraries struct{ typesupport, generator unsafe.Pointer }

func (l *packageLibraries) open(pkg string) (err error) {
	if l.typesupport, err = open("lib" + pkg + "__rosidl_typesupport_c.so"); err != nil {
		return err
	}
	l.generator, err = open("lib" + pkg + "__rosidl_generator_c.so")
	return err
}

func (l *packageLibraries) close() {
	for _, library := range []unsafe.Pointer{l.typesupport, l.generator} {
		if library != nil {
			C.dlclose(library)
		}
	}
}

// support returns the type support of a "message" or a "service".
func (l *packageLibraries) support(class string, of interfaceName) (unsafe.Pointer, error) {
	f, err := symbol(l.typesupport, fmt.Sprintf("rosidl_typesupport_c__get_%s_type_support_handle__%s", class, of.symbol()))
	if err != nil {
		return nil, err
	}
	return C.call_support(f), nil
}

// message returns the type support of a message with the functions of its C structure.
func (l *packageLibraries) message(of interfaceName) (m messageStruct, err error) {
	var errs [3]error
	m.support, errs[0] = l.support("message", of)
	m.create, errs[1] = symbol(l.generator, of.symbol()+"__create")
	m.destroy, errs[2] = symbol(l.generator, of.symbol()+"__destroy")
	return m, errors.Join(errs[:]...)
}

// messageSupport is the type support of the messages of a topic, loaded at run time. It replaces
// rclgo.LoadDynamicMessageTypeSupport, which has two faults: it does not support the feedback of actions; and for a
// message that a package does not have it returns a nil type support and closes the package's library twice, which
// unloads it while others use it.
type messageSupport struct {
	messageStruct

	libraries packageLibraries
}

func loadMessageSupport(of interfaceName) (*messageSupport, error) {
	m := new(messageSupport)
	runtime.SetFinalizer(m, func(m *messageSupport) { m.libraries.close() })
	err := m.libraries.open(of.pkg)
	if err != nil {
		return nil, err
	}
	m.messageStruct, err = m.libraries.message(of)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func open(library string) (unsafe.Pointer, error) {
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	l := C.dlopen(name, C.RTLD_LAZY)
	if l == nil {
		return nil, errors.New(C.GoString(C.dlerror()))
	}
	return l, nil
}

func symbol(library unsafe.Pointer, name string) (unsafe.Pointer, error) {
	n := C.CString(name)
	defer C.free(unsafe.Pointer(n))
	p := C.dlsym(library, n)
	if p == nil {
		return nil, errors.New(C.GoString(C.dlerror()))
	}
	return p, nil
}
