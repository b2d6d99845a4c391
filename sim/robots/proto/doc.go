// SPDX-License-Identifier: Apache-2.0

// Package proto reads robots that are described for Webots: a PROTO file, or the Robot node of a world (.wbt).
//
//	text ──► scanner ──► parser ──► nodes with their lines ──► builder ──► description.Robot
//
// A Solid becomes a link, the Robot itself the link "base_link"; a Pose or Transform has no name, so it has no frame:
// what is in it hangs on the link above. A HingeJoint is a joint that turns, a SliderJoint one that slides, a
// Hinge2Joint two joints that turn with a link between. A joint has its motor's name, else its position sensor's.
// Fields IS what the PROTO's header gives as default; USE is what its DEF is. Nothing else is opened: an EXTERNPROTO is
// listed, a node of it too. Of template code, constants, if and else that the defaults of the header's fields decide
// are followed, and what they leave out is listed; where other code decides what the robot is, the file is an error.
//
// What the file says and this package has no meaning for is in the robot's Ignored, each with its line. Files are those
// of R2022a and later: before, y was up.
package proto
