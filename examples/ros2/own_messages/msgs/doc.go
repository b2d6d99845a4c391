// SPDX-License-Identifier: Apache-2.0

// Package msgs holds the interface definitions of the example; msggen writes Go files from them. In a module
// of its own the tool is "go tool msggen" (docs/tutorial/own-messages.md).
package msgs

//go:generate go run ../../../../msgs/cmd/msggen -licence Apache-2.0
