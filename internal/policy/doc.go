// SPDX-License-Identifier: Apache-2.0

// Package policy holds the project's own rules as tests, those whose breach is a fault: packages import lower layers,
// the program neither panics nor starts goroutines that nothing guards, simulated runs do not depend on the machine's
// clock, decoders are fuzzed, files carry their licence, documents name what exists, and tests of the gate fail only
// for faults of the code.
//
// Measures that are a matter of taste, or of the trend, are in scripts/report, which reads the project's files by this
// package, too. Which imports a folder may have within its layer is in .golangci.yml.
package policy
