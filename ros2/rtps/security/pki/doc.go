// SPDX-License-Identifier: Apache-2.0

// Package pki is authentication as DDS Security 1.1 (9.3) defines it, plugin DDS:Auth:PKI-DH: participants prove by a
// handshake that they hold the private key of a certificate, which an authority has signed, and agree on a secret.
package pki

import "errors"

// Errors of this package.
var (
	// ErrIdentity means that a participant's own certificate, key or authority cannot be used.
	ErrIdentity = errors.New("pki: identity")
	// ErrAuthentication means that a peer's message does not prove that it is who it says.
	ErrAuthentication = errors.New("pki: not authenticated")
)
