// SPDX-License-Identifier: Apache-2.0

// Package lm minimizes sums of squares by the Levenberg-Marquardt method (Marquardt 1963, with the damping of
// Nielsen, IMM-REP-1999-05): dense problems ([Solve]), and bundle adjustment, in which some parameters are shared and
// others belong to one group of residuals each ([SolveBlocks], by the Schur complement).
//
// The caller divides residuals by their standard deviations; then the inverse of JᵀJ is the covariance of the
// parameters. Parameters should be of similar magnitude: relative ones are best.
package lm
