// SPDX-License-Identifier: Apache-2.0

// Package suite reports which suite of tests runs. The gate, make test, runs what has no build tag; the suites peers,
// system and long are chosen by the build tag of their name (CONTRIBUTING.md has the table).
package suite
