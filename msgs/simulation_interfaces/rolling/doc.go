// SPDX-License-Identifier: Apache-2.0

// Package rolling has the simulation interfaces of version 2 of the standard whose layout on the wire differs from
// version 1 of Humble, Jazzy and Kilted: a resource is one field, and a request to set a state names the parts to set.
package rolling
