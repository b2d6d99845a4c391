// SPDX-License-Identifier: Apache-2.0

// Package groundtruth publishes a simulated world for ROS 2 tools: its objects as markers, and the true poses of
// its robots. It connects the simulator, which does not depend on ROS, with viewers, which do not depend on the
// simulator.
//
//	/world               visualization_msgs/MarkerArray   walls, objects, boards, lights, markings
//	                                                      on the floor, people; at the start and after each change,
//	                                                      transient local, frame "world"
//	ROBOT/ground_truth   nav_msgs/Odometry                a robot's true pose, frame "world"; at Config.Rate of
//	                                                      simulated time while there is a subscriber
//	ROBOT/outline        visualization_msgs/MarkerArray   of a robot other than an e-puck2: its solids, seen from
//	                                                      above, transient local, in the frame of its drive
//
// True poses have exactly their rate in simulated time at every real-time factor, all robots at the same times. The
// machine's clock limits only what serves viewers: /world is checked for changes five times a second, and so are the
// poses while the clock is paused (Config.Paused).
//
// No transform leads from "world" to a robot's "odom": that link is what localization is for.
package groundtruth
