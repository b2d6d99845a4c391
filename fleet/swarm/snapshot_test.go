// SPDX-License-Identifier: Apache-2.0

package swarm_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"github.com/epuck-ros2/epuck-driver/fleet/swarm"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// A swarm of both levels that is stored and restored continues as one that was not interrupted: the same poses, bytes
// on buses and messages, the same figures.
func TestSnapshot(t *testing.T) {
	w := field(t, 1.5, 16, world.LevelFunctional)
	for i := range w.Robots {
		if i%2 == 0 {
			w.Robots[i].Level = world.LevelFirmware
		}
	}
	cfg := swarm.Config{Seed: 5, Controller: named(t, "aggregate"), Trace: true}
	hash := func(r *swarm.Run) string {
		h := r.Simulation().TraceHash()
		return hex.EncodeToString(h[:])
	}
	whole := run(t, w, cfg, 20*time.Second)
	for _, cut := range []time.Duration{0, 700 * time.Millisecond, 11 * time.Second} {
		first := run(t, w, cfg, cut)
		var file bytes.Buffer
		if err := first.Snapshot(&file); err != nil {
			t.Fatal(err)
		}
		second, err := swarm.Restore(bytes.NewReader(file.Bytes()), swarm.Config{Controller: cfg.Controller, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*swarm.Run{first, second} {
			if err := r.Advance(context.Background(), 20*time.Second-cut); err != nil {
				t.Fatal(err)
			}
			if hash(r) != hash(whole) || r.Statistics() != whole.Statistics() {
				t.Errorf("cut at %v: %+v, without a cut %+v", cut, r.Statistics(), whole.Statistics())
			}
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	r := run(t, field(t, 1, 2, world.LevelFirmware), swarm.Config{Controller: named(t, "avoid"), Name: "avoid"}, time.Second)
	var file bytes.Buffer
	if err := r.Snapshot(&file); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	for n := 0; n < len(good); n += 97 {
		_, err := swarm.Restore(bytes.NewReader(good[:n]), swarm.Config{Controller: named(t, "avoid")})
		if !errors.Is(err, swarm.ErrSnapshot) && !errors.Is(err, sim.ErrSnapshot) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	other := swarm.Config{Controller: named(t, "aggregate"), Name: "aggregate"}
	if _, err := swarm.Restore(bytes.NewReader(good), other); !errors.Is(err, swarm.ErrSnapshot) {
		t.Errorf("with another controller: %v", err)
	}
	if _, err := swarm.Restore(bytes.NewReader(good), swarm.Config{}); !errors.Is(err, swarm.ErrConfig) {
		t.Error(err)
	}
}

// Damaged data gives an error, never a crash.
func FuzzRestore(f *testing.F) {
	r := run(f, field(f, 1, 2, world.LevelFirmware), swarm.Config{Controller: named(f, "avoid")}, time.Second)
	var file bytes.Buffer
	if err := r.Snapshot(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add(file.Bytes()[:file.Len()/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		maker, err := swarm.Named("avoid", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = swarm.Restore(bytes.NewReader(data), swarm.Config{Controller: maker})
		if err != nil && !errors.Is(err, swarm.ErrSnapshot) && !errors.Is(err, sim.ErrSnapshot) {
			t.Error(err)
		}
	})
}
