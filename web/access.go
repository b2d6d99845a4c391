// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/epuck-ros2/epuck-driver/web/guard"
)

// access is the response to GET /access: what the token of a request permits. Browsers do not report to a page why a
// WebSocket was refused; the page asks here. The status is 200 also for a wrong token: 401 opens the browser's own
// dialog.
type access struct {
	// Role is "none", "view" or "drive".
	Role string `json:"role"`
	// Token is "unneeded", "valid", "missing" or "wrong".
	Token string `json:"token"`
}

func (s *Server) serveAccess(w http.ResponseWriter, r *http.Request) {
	role, err := s.guard.Check(r)
	if err != nil && !errors.Is(err, guard.ErrToken) {
		s.refuse(w, r, err)
		return
	}
	if err != nil {
		s.noteRefusal(r, err)
	}
	answer := access{Role: role.String(), Token: "unneeded"}
	if s.tokens != nil {
		answer.Token = tokenState(r, err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(answer) // the viewer has disconnected
}
