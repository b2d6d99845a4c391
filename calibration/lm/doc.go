// SPDX-License-Identifier: Apache-2.0

// Package lm finds the parameters that make a sum of squares least: the Levenberg-Marquardt method (Marquardt 1963; the
// damping is Nielsen's, IMM-REP-1999-05), for dense problems ([Solve]) and for those of bundle adjustment, in which
// some parameters are shared and others belong to one group of residuals each ([SolveBlocks], by the Schur complement).
//
// Residuals are to be divided by their standard deviations by the caller; then the inverse of JᵀJ is the covariance of
// the parameters. Parameters should be of like size: relative ones are best.
package lm
