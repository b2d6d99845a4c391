// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"io"
	"os"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/web"
	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// Announce prints the address of the page; if a token is required, also a QR code for phones. If the output is
// logged, it prints the path of the token file instead of the tokens.
func Announce(w io.Writer, s *web.Server) error {
	switch {
	case !s.NeedsToken():
		_, err := fmt.Fprintf(w, "Look and drive: %s\n", s.URL(guard.Drive))
		return err
	case tty.IsLogged(w, os.Getenv):
		_, err := fmt.Fprintf(w, "Look and drive: %s with a token of %s\n", s.URL(guard.None), s.TokenFile())
		return err
	}
	url := s.URL(guard.Drive)
	picture, err := guard.QR(url)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Look and drive: %s\nOnly look:      %s\n%s", url, s.URL(guard.View), picture)
	return err
}
