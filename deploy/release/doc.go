// SPDX-License-Identifier: Apache-2.0

// Package release has the tests of the release: the programs for the robot (static, ARMv6, within their size,
// reproducible), the Debian packages and what they do to a system, the scripts that build and install them, and the
// container recipe.
//
// It has no code of its own. Its tests build with the scripts that users run; they need the
// Debian packages that scripts/setup.sh installs.
package release
