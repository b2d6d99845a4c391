// SPDX-License-Identifier: Apache-2.0

// Package permissions is access control as DDS Security 1.1 (9.4) defines it, plugin DDS:Access:Permissions: a domain's
// governance, and what each participant may publish and subscribe, both in documents that an authority has signed.
package permissions

import "errors"

// Errors of this package, in addition to those of package smime and security.ErrDenied.
var (
	// ErrGovernance means that a governance document is not as 9.4.1.2 describes it.
	ErrGovernance = errors.New("permissions: governance")
	// ErrPermissions means that a permissions document is not as 9.4.1.3 describes it.
	ErrPermissions = errors.New("permissions: permissions")
	// ErrSubject means that a permissions document has no grant for a subject.
	ErrSubject = errors.New("permissions: no grant for this subject")
)
