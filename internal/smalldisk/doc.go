// SPDX-License-Identifier: Apache-2.0

// Package smalldisk runs tests on a file system of a few megabytes, so that they can fill it.
package smalldisk
