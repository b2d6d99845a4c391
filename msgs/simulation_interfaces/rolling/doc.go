// SPDX-License-Identifier: Apache-2.0

// Package rolling holds the simulation interfaces of the standard's version 2 whose layout on the wire is another than
// that of version 1, which Humble, Jazzy and Kilted have: a resource is one field, and what of a state is to be set is
// said.
package rolling
