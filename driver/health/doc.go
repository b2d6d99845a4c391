// SPDX-License-Identifier: Apache-2.0

// Package health tells what is right and wrong with a robot: it makes the diagnostics of two snapshots, a second apart.
//
//	Snapshot, before ─┐
//	                  ├─► Conditions (what is wrong) ─┐
//	Snapshot, now ────┘─► entries (what is so) ───────┴─► diagnostic_msgs/DiagnosticArray
//
// A [Snapshot] is all it is given: it asks no chip, no bus and no network, and it publishes nothing. [Conditions] is
// the one table of what can be wrong; each row holds what it is judged by.
package health
