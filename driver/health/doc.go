// SPDX-License-Identifier: Apache-2.0

// Package health evaluates the state of a robot: it derives the diagnostics from two snapshots, a second apart.
//
// A [Snapshot] is its only input: it uses no chip, bus or network, and publishes nothing. [Conditions] is the table
// of faults; each row has the function that detects it.
package health
