// SPDX-License-Identifier: Apache-2.0

package traci_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/cosim/traci"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/sim"
)

// TestAClientThatIsGoneEndsTheRun: with an error that says when, if it has not closed and none comes again.
func TestAClientThatIsGoneEndsTheRun(t *testing.T) {
	for name, during := range map[string]func(p *peer){
		"before the first step": func(*peer) {},
		"after steps":           func(p *peer) { p.ok(step(0.3)) },
		"within a step":         func(p *peer) { p.send(step(2)) },
	} {
		t.Run(name, func(t *testing.T) {
			w, err := sim.ParseWorld([]byte(town))
			if err != nil {
				t.Fatal(err)
			}
			clock := sim.NewClock()
			s, err := sim.New(w, sim.Options{Seed: 1, Now: clock.Now, MaxCatchUp: -1, Settled: true})
			if err != nil {
				t.Fatal(err)
			}
			server, err := traci.New(traci.Config{Simulation: s, World: w, Address: "127.0.0.1:0", Absence: 1})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			begun := clock.Now()
			task.Go("server", func() {
				ended <- server.Run(t.Context(), func(age time.Duration) error {
					clock.Sleep(begun.Add(age).Sub(clock.Now()))
					return nil
				})
			})
			p := (&rig{t: t, server: server}).connect()
			p.ok([]byte{2, 0})
			during(p)
			_ = p.conn.Close()
			if err := <-ended; !errors.Is(err, traci.ErrGone) || !strings.Contains(err.Error(), "closing") {
				t.Errorf("the run ends with %v", err)
			}
		})
	}
}
