// SPDX-License-Identifier: Apache-2.0

// Package diagnostic_msgs holds the messages of /diagnostics: the health of
// components (REP 107).
package diagnostic_msgs
