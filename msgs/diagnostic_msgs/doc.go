// SPDX-License-Identifier: Apache-2.0

// Package diagnostic_msgs has the messages of /diagnostics: the status of components (REP 107).
package diagnostic_msgs
