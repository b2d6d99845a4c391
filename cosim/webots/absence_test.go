// SPDX-License-Identifier: Apache-2.0

package webots_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/cosim/webots"
)

// TestControllersThatAreKilledEndTheRun: with an error that says when, if none is left and none comes again.
func TestControllersThatAreKilledEndTheRun(t *testing.T) {
	for name, during := range map[string]func(p *peer){
		"before the first step": func(*peer) {},
		"after steps":           func(p *peer) { p.do(320) },
		"within a step":         func(p *peer) { p.send(32) },
	} {
		t.Run(name, func(t *testing.T) {
			g := serve(t, arena, func(c *webots.Config) { c.Absence = 1 })
			p := g.control("a")
			during(p)
			_ = p.conn.Close()
			if err := <-g.ended; !errors.Is(err, webots.ErrGone) || !strings.Contains(err.Error(), "webots.absence") {
				t.Errorf("the run ends with %v", err)
			}
			g.ended <- nil // for the end of the test
		})
	}
}

// TestOneOfTwoIsKilled: the run continues while another controller drives, and after it for the next one.
func TestOneOfTwoIsKilled(t *testing.T) {
	g := serve(t, arena, nil)
	a, b := g.control("a"), g.control("b")
	_ = a.conn.Close()
	g.await("one is left", func() bool { return !strings.Contains(g.server.Status().Waits, "of a") })
	b.do(320)
	_ = b.conn.Close()
	again := g.control("a")
	again.do(32)
	select {
	case err := <-g.ended:
		t.Errorf("it has ended: %v", err)
		g.ended <- err
	default:
	}
}

// TestWithoutALimitItWaits: a limit below 0 is none.
func TestWithoutALimitItWaits(t *testing.T) {
	g := serve(t, arena, func(c *webots.Config) { c.Absence = -1 })
	_ = g.control("a").conn.Close()
	again := g.control("b")
	again.do(32)
}
