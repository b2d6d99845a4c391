// SPDX-License-Identifier: Apache-2.0

// Package policy holds the project's own rules as tests: which folder may import which, that every file carries its
// licence, every package its documentation, every exported name a sentence, and that no function outgrows a screen.
//
// It has no code of its own: reading the tests is reading the rules.
package policy
