// SPDX-License-Identifier: Apache-2.0

// Package waiting finds and reports why an endpoint that a program waits for does not match: no other node in the
// domain, a name that no node uses, another type, incompatible quality of service, or a publisher that is silent.
package waiting
