// SPDX-License-Identifier: Apache-2.0

// Package browser tests the page in a real browser, headless Chromium, which drives a simulated robot
// with the real driver. The program does not contain it.
package browser
