// SPDX-License-Identifier: Apache-2.0

package chess

import (
	"errors"
	"fmt"
)

// ErrBoard is matched by errors about an invalid board.
var ErrBoard = errors.New("chess: bad board")

// Board is a chessboard. Corner (0, 0) is the inner corner of the upper left square, which is black.
type Board struct {
	// Cols and Rows are the numbers of inner corners in a row and in a column, 3 to 40.
	Cols, Rows int
	// Square is the side of a square, m.
	Square float64
	// Marked boards have discs of the other colour in three of the four squares around the corner of [Board.center].
	Marked bool
}

// Check returns an error that matches [ErrBoard] if the board is invalid, with the reason.
func (b Board) Check() error {
	switch {
	case b.Cols < 3 || b.Rows < 3 || b.Cols > 40 || b.Rows > 40:
		return fmt.Errorf("%w: %d×%d inner corners, want 3 to 40 each way", ErrBoard, b.Cols, b.Rows)
	case !(b.Square > 1e-4 && b.Square < 10):
		return fmt.Errorf("%w: squares of %v m", ErrBoard, b.Square)
	case !b.Marked && b.Cols == b.Rows:
		return fmt.Errorf("%w: %d×%d inner corners look the same from all sides; make one side longer", ErrBoard, b.Cols, b.Rows)
	}
	return nil
}

// center returns the corner whose adjacent squares have the discs.
func (b Board) center() (col, row int) { return b.Cols / 2, b.Rows / 2 }

// Disc reports whether the square in a column and row of squares (−1 … Cols−1; corner (0, 0) is the lower right
// corner of square (−1, −1)) has a disc: the four squares around the centre do, except the lower left one.
func (b Board) Disc(col, row int) bool {
	c, r := b.center()
	if !b.Marked || col < c-1 || col > c || row < r-1 || row > r {
		return false
	}
	return col != c-1 || row != r
}

// Black reports whether a square is black, ignoring its disc. Square (−1, −1) is black.
func (b Board) Black(col, row int) bool { return (col+row)%2 == 0 }

// DiscRadius is the radius of a disc as a share of a square's side.
const DiscRadius = 0.24

// Shade returns the colour of the printed board at a position in squares from corner (0, 0), x to the right and y
// down: 0 black, 1 white. It is white outside the board.
func (b Board) Shade(x, y float64) float64 {
	if x < -1 || y < -1 || x >= float64(b.Cols) || y >= float64(b.Rows) {
		return 1
	}
	col, row := floor(x), floor(y)
	black := b.Black(col, row)
	if dx, dy := x-float64(col)-0.5, y-float64(row)-0.5; b.Disc(col, row) && dx*dx+dy*dy < DiscRadius*DiscRadius {
		black = !black
	}
	if black {
		return 0
	}
	return 1
}

func floor(v float64) int {
	i := int(v)
	if v < float64(i) {
		i--
	}
	return i
}
