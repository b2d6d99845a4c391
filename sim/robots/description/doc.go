// SPDX-License-Identifier: Apache-2.0

// Package description describes robots: links, the joints between them, and the devices on them. A description is read
// from a file (packages urdf, sdf and proto), checked, and asked for what a simulator or a ROS 2 node needs of
// it: where each frame is, what drives it, which devices it has.
//
//	file ──► xmltree ──► urdf, sdf ──► Robot ──► Check, Transforms, Squash ──► urdf.Write
//
// Lengths are metres, angles radians, masses kilograms, times seconds, frequencies hertz. Frames are right-handed
// with x ahead and z up (REP 103).
package description
