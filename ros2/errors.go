// SPDX-License-Identifier: Apache-2.0

package ros2

import "errors"

// Errors for [errors.Is]. They are wrapped with the name or the argument that caused them.
var (
	// ErrInvalidName: a node, namespace, topic or parameter name breaks ROS's rules; see [NameError] for the position.
	ErrInvalidName = errors.New("invalid name")
	// ErrArguments: the arguments after --ros-args cannot be parsed.
	ErrArguments = errors.New("bad ROS argument")
	// ErrParamsFile: a parameter file cannot be read.
	ErrParamsFile = errors.New("bad parameter file")
	// ErrNoType: the transport cannot carry messages of the type, for example because the ROS 2 installation that it
	// uses does not have it.
	ErrNoType = errors.New("the transport does not have this type")
	// ErrConfig: a configuration struct lacks a field or has an invalid one.
	ErrConfig = errors.New("bad configuration")
	// ErrQoS: a quality of service that cannot be offered or requested.
	ErrQoS = errors.New("bad quality of service")
	// ErrClosed: the node, publisher, subscription or transport is closed.
	ErrClosed = errors.New("closed")
	// ErrReturned: a loan was returned or published before.
	ErrReturned = errors.New("loan was returned")
	// ErrStuck: a callback, a handler or an observer had not returned some time after Close.
	ErrStuck = errors.New("still running")
	// ErrDecode: a received message is not a valid one of its type.
	ErrDecode = errors.New("cannot decode message")
	// ErrNoServer: no node offers the service, or no longer does.
	ErrNoServer = errors.New("service not available")
	// ErrServiceType: the service is offered, but all servers have another type than the client.
	ErrServiceType = errors.New("service of another type")
	// ErrTransition: a managed node has no such transition in its state.
	ErrTransition = errors.New("no such transition")
	// ErrLifecycle: a callback of a managed node returns an error that wraps it to
	// send the node into error processing.
	ErrLifecycle = errors.New("lifecycle error")

	// ErrNotDeclared: no parameter of that name was declared.
	ErrNotDeclared = errors.New("parameter not declared")
	// ErrAlreadyDeclared: the parameter was declared before.
	ErrAlreadyDeclared = errors.New("parameter already declared")
	// ErrParameterType: a value does not have the parameter's type.
	ErrParameterType = errors.New("wrong parameter type")
	// ErrParameterRange: a value is outside the parameter's range.
	ErrParameterRange = errors.New("parameter out of range")
	// ErrReadOnly: the parameter cannot change after its declaration.
	ErrReadOnly = errors.New("parameter is read-only")
	// ErrRefused: a validation callback rejected the new value.
	ErrRefused = errors.New("parameter change rejected")
)
