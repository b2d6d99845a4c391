// SPDX-License-Identifier: Apache-2.0

// Package wire is what the processes of an application in a fixed order say to each other: JSON in std_msgs/String, on
// two topics. docs/time.md says who sends what when. The Python of deploy/ros has the same.
package wire
