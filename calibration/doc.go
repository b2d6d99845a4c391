// SPDX-License-Identifier: Apache-2.0

// Package calibration keeps what a calibration says of itself: when it was made, of which robot, and how sure its
// values are. Its sub-packages are the estimators: numbers in, numbers with their uncertainty out, no robot and no
// network.
package calibration
