// SPDX-License-Identifier: Apache-2.0

// Package visualization_msgs has the shapes that viewers such as RViz draw.
package visualization_msgs
