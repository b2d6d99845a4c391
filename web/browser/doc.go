// SPDX-License-Identifier: Apache-2.0

// Package browser holds tests of the page in a real browser, headless Chromium: a person's hands on a simulated robot
// with the real driver. Nothing of it is in the program.
package browser
