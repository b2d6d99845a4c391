// SPDX-License-Identifier: Apache-2.0

//go:build system

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/web/guard"
	"github.com/epuck-ros2/epuck-driver/web/internal/foxglove"
)

// attack holds n connections from an address half-open. With again, a connection that the server closes is opened anew.
func attack(ctx context.Context, to, from, request string, n int, again bool) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var opened, ended sync.WaitGroup
	for range n {
		opened.Add(1)
		ended.Go(func() {
			first := sync.OnceFunc(opened.Done)
			defer first()
			for more := true; more && ctx.Err() == nil; more = again {
				halfOpen(ctx, to, from, request, first)
			}
		})
	}
	opened.Wait()
	return func() {
		cancel()
		ended.Wait()
	}
}

// halfOpen opens a connection, calls opened, and waits until the server closes it or ctx ends.
func halfOpen(ctx context.Context, to, from, request string, opened func()) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.DialContext(ctx, "tcp", to)
	if err != nil {
		return
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	_, _ = io.WriteString(c, request) // the server may have closed it
	opened()
	_, _ = io.Copy(io.Discard, c)
	_ = c.Close()
}

// TestHalfOpenClientsDoNotDisplaceOthers: while 80 or 500 clients hold connections half-open, silent or in the middle
// of a request, every request of others succeeds, with and without a token; so does a viewer that was there before.
// Clients that connect again and again have another address than the others.
func TestHalfOpenClientsDoNotDisplaceOthers(t *testing.T) {
	const slowHead = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
	for _, c := range []struct {
		name, attacker, request string
		clients                 int
		again                   bool
	}{
		{"80 silent, another address", "127.0.0.2", "", 80, true},
		{"500 in the middle of a request, another address", "127.0.0.2", slowHead, 500, true},
		{"80 with a wrong token, another address", "127.0.0.2", "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n", 80, true},
		{"80 silent, the same address", "127.0.0.1", "", 80, false},
		{"500 in the middle of a request, the same address", "127.0.0.1", slowHead, 500, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			honest := 97
			if !suite.Long && c.clients > 80 {
				honest = 20
			}
			r := newRig(t, true, func(cfg *Config) { cfg.Address = "127.0.0.1:0" })
			before := r.join(r.token(guard.View))
			defer attack(t.Context(), r.base, c.attacker, c.request, c.clients, c.again)()
			for i := range honest {
				if err := r.honest(i); err != nil {
					t.Fatalf("request %d of %d: %v", i, honest, err)
				}
			}
			before.settled()
			if n := r.server.limited.pool.size(); n > maxConnections {
				t.Errorf("%d connections are open", n)
			}
		})
	}
}

// honest makes one request on a connection of its own: for the page, the metrics or a viewer's WebSocket.
func (r *rig) honest(i int) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if i%3 == 2 {
		conn, _, err := websocket.Dial(r.Context(), "ws://"+r.base+"/ws", &websocket.DialOptions{ //nolint:bodyclose // says websocket.Dial
			HTTPClient: client, Subprotocols: []string{foxglove.PageProtocol, guard.TokenProtocol + r.token(guard.View)},
		})
		if err != nil {
			return err
		}
		_, _, err = conn.Read(r.Context())
		return errors.Join(err, conn.CloseNow())
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://"+r.base+[]string{"/", "/metrics"}[i%3], nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+r.token(guard.View))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || len(body) == 0) {
		err = fmt.Errorf("%s, %d bytes", response.Status, len(body))
	}
	return errors.Join(err, response.Body.Close())
}
