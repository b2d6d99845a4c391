// SPDX-License-Identifier: Apache-2.0

//go:build nolive

package live

import (
	"context"
	"fmt"
)

// Server is a server without live video: the program was built with the tag nolive.
type Server struct{}

// New checks the configuration.
func New(cfg Config) (*Server, error) {
	if _, err := cfg.complete(); err != nil {
		return nil, err
	}
	return &Server{}, nil
}

// Answer returns an error: this program was built without live video.
func (s *Server) Answer(context.Context, string) (string, error) {
	return "", fmt.Errorf("%w: this program was built without live video (tag nolive)", errOffer)
}

// Close does nothing.
func (s *Server) Close() {}
