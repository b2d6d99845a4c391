// SPDX-License-Identifier: Apache-2.0

// Package checkpoint writes the state of a graph of Go values to a file and restores it into another graph of the
// same shape, made by the same constructors.
//
// It walks all fields, exported or not, through pointers, slices, maps and interfaces, so that state which is added
// tomorrow is in the file without a line about it. What can't be written keeps the value of the constructor: functions,
// channels, mutexes, and types of other modules unless they marshal themselves. A field with the tag
// `checkpoint:"-"` is left out: what is derived from other fields, or belongs to the process.
//
// State must not hide in variables that a function captures: nothing can see it there.
//
// The file knows the types it was made of. Loading it into a program whose types differ is an error
// (TestOtherTypesAreRefused), not a half-filled graph of another version.
package checkpoint

import "errors"

// errFormat is matched by data that is no checkpoint, is damaged, or is of another version of the types.
var errFormat = errors.New("checkpoint: format")
