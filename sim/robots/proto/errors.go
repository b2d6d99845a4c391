// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"errors"
	"fmt"
)

// The bounds of a file. Webots' own e-puck has 70 kB and some hundred nodes.
const (
	maxSize   = 8 << 20  // bytes
	maxDepth  = 64       // nodes in each other, those that USE puts there too
	maxNodes  = 200_000  // in the file, and as often as USE and IS repeat them; rows of tables count too
	maxFields = 500_000  // in the file
	maxString = 64 << 10 // bytes of one string
	// maxNodeFields bounds the fields of a node. Webots' largest have 40.
	maxNodeFields = 128
	// maxName bounds the bytes of a name.
	maxName = 256
	// maxNumber bounds a number's size, in whatever unit.
	maxNumber = 1e15
	// maxRemarks is how many places without a meaning are listed; one more says how many there are.
	maxRemarks = 10_000
	// maxErrors is how many faults of a file are listed.
	maxErrors = 20
)

var (
	// errSyntax is matched by the error of a text that is not written as a PROTO or a world is.
	errSyntax = errors.New("no PROTO that can be read")
	// errBound is matched by the error of a file beyond a bound of this package.
	errBound = errors.New("beyond a bound")
	// errTemplate is matched by the error of template code that decides what the robot is.
	errTemplate = errors.New("template code, which is not run")
	// errRelease is matched by the error of a file of a release in which y was up.
	errRelease = errors.New("older than R2022a: let Webots convert it")
	// errContent is matched by the error of nodes and fields that can't be.
	errContent = errors.New("impossible content")
)

// fault is an error at a line of a file.
func fault(kind error, file string, line int, format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: "+format, append([]any{kind, file, line}, args...)...)
}
