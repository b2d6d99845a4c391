// SPDX-License-Identifier: Apache-2.0

// Package calibration stores the metadata of a calibration: when it was made, of which robot, and the uncertainty
// of its values. Its sub-packages are the estimators: numbers in, numbers with their uncertainty out, no robot and
// no network.
package calibration
