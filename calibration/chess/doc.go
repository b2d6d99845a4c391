// SPDX-License-Identifier: Apache-2.0

// Package chess finds the inner corners of a chessboard in a picture, to a few hundredths of a pixel.
//
// Corners are where the ChESS response (Bennett and Lasenby, 2014) is greatest; they grow into a grid along the edges
// of the squares, each at the place that its neighbours predict, and are moved to where all gradients around point past
// them (Förstner and Gülch, 1987). A corner is believed if the four squares around it have the colours they must have,
// if a small and a large window agree on its place, and if it is where the smooth picture of a plane has it: one that
// does not is left out, with its reason. Of a plain board all corners must be seen. A marked board ([Board.Marked]) has
// discs in three squares around its central corner, so that any part that shows them counts.
package chess
