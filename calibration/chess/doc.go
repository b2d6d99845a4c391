// SPDX-License-Identifier: Apache-2.0

// Package chess detects the inner corners of a chessboard in a picture, to a few hundredths of a pixel.
//
// Candidates are the local maxima of the ChESS response (Bennett and Lasenby, 2014). They are joined to a grid along
// the edges of the squares, each near the position that its neighbours predict, and are refined to the point that the
// gradients around it determine (Förstner and Gülch, 1987). A corner is accepted if the four squares around it have
// the expected colours, if a small and a large window agree on its position, and if it fits a smooth model of a plane
// seen through a lens. A corner that fails is rejected with the reason. Of a plain board all corners must be visible.
// A marked board ([Board.Marked]) has discs in three of the squares around its central corner, so that any part that
// shows them suffices.
package chess
