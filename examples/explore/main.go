// SPDX-License-Identifier: Apache-2.0

// Command explore has several robots explore an unknown area: each drives to the nearest frontier that no other
// robot approaches, and all contribute to one map, saved as map.yaml at the end. The numbers are where odometry
// began, m and rad.
//
//	epuck-driver sim --world swarm
//	go run ./examples/explore epuck1=0.3,0,1.5708 epuck2=-0.3,0.2,-1.5708 epuck3=0,-0.35,0
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"
	"strings"
	"sync"

	"github.com/epuck-ros2/epuck-driver/mapping"
	mapnode "github.com/epuck-ros2/epuck-driver/mapping/node"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	navnode "github.com/epuck-ros2/epuck-driver/navigation/node"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
)

// place is what all robots know.
type place struct {
	mu   sync.Mutex
	grid *mapping.ConeGrid
	seen []mapping.Pose // where robots were, or are going to
}

// Map gives what is known by now.
func (p *place) Map() (*mapping.Map, error) { return p.grid.Map() }

// view is a robot's view of it: its odometry began at from.
type view struct {
	*place
	from mapping.Pose
}

// Add puts a reading into the common map.
func (v view) Add(b mapping.Beam) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	b.From = v.from.Plus(b.From)
	return v.grid.Add(b)
}

// next finds the nearest edge of what is known for a robot at a pose in the map.
func (v view) next(at mapping.Pose) (best mapping.Pose, found bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	m, err := v.Map()
	for i := 0; err == nil && i < len(m.Cells); i++ {
		x, y := m.Center(i%m.Width, i/m.Width)
		nearer := !found || math.Hypot(x-at.X, y-at.Y) < math.Hypot(best.X-at.X, best.Y-at.Y)
		if nearer && m.Cells[i] >= 0 && v.worthy(m, i%m.Width, i/m.Width) {
			best, found = mapping.Pose{X: x, Y: y}, true
		}
	}
	v.seen = append(v.seen, best)
	return best, found
}

// worthy reports whether much is unknown and nothing solid within 5 cells of a place, and no goal was within 20 cm.
func (v view) worthy(m *mapping.Map, column, row int) bool {
	x, y := m.Center(column, row)
	for _, g := range v.seen {
		if math.Hypot(x-g.X, y-g.Y) < 0.2 {
			return false
		}
	}
	unknown := 0
	for i := range 121 {
		if at := m.At(column-5+i%11, row-5+i/11); at < 0 {
			unknown++
		} else if at > 50 {
			return false
		}
	}
	return unknown > 30
}

// explore drives a robot until there is nothing more that it could look at.
func (v view) explore(ctx context.Context, node *ros2.Node, base string) error {
	eyes, err := mapnode.New(mapnode.Config{Node: node, Map: v, BaseFrame: base, Quiet: true})
	if err != nil {
		return err
	}
	wheels, err := navnode.New(navnode.Config{Node: node, BaseFrame: base})
	if err != nil {
		return errors.Join(err, eyes.Close())
	}
	here, goal, s, c := v.from, v.from, math.Sin(v.from.Theta), math.Cos(v.from.Theta)
	for found := true; found && ctx.Err() == nil && !errors.Is(err, navnode.ErrNoOdometry); goal, found = v.next(here) {
		dx, dy := goal.X-v.from.X, goal.Y-v.from.Y
		var around [4]geometry_msgs.PoseStamped // there, and once around; a goal that can't be reached counts as seen
		for i := range around {
			around[i].Pose.Position.X, around[i].Pose.Position.Y = c*dx+s*dy, c*dy-s*dx
			around[i].Pose.Orientation.Z, around[i].Pose.Orientation.W = math.Sincos(float64(i) * math.Pi / 3)
		}
		err = wheels.Drive(ctx, around[:], func(p navnode.Progress) { here = v.from.Plus(p.Pose) })
	}
	return errors.Join(wheels.Close(), eyes.Close())
}

// run has each robot explore, and saves the map.
func run(ctx context.Context, transport ros2.Transport, robots []string, file string) (err error) {
	p, ends := place{}, make(chan error, len(robots))
	if p.grid, err = mapping.NewConeGrid(0.01); err != nil {
		return err
	}
	for _, text := range robots {
		name, numbers, _ := strings.Cut(text, "=")
		v := view{place: &p}
		if _, err := fmt.Sscanf(numbers, "%g,%g,%g", &v.from.X, &v.from.Y, &v.from.Theta); err != nil {
			return fmt.Errorf("%s: want NAME=X,Y,YAW: %w", text, err)
		}
		node, err := ros2.NewNode(ros2.NodeConfig{Name: "explore", Namespace: "/" + name, Transport: transport})
		if err != nil {
			return err
		}
		go func() { ends <- errors.Join(v.explore(ctx, node, name+"/base_link"), node.Close()) }()
	}
	for range robots {
		err = errors.Join(err, <-ends)
	}
	m, none := p.Map()
	if none == nil {
		none = m.Save(file, mapping.FileOptions{FreeThreshold: 0.196})
	}
	return errors.Join(err, none)
}

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	transport, none := rmw.New(cfg)
	if err = errors.Join(err, none); err == nil {
		err = errors.Join(run(ctx, transport, os.Args[1:], "map"), transport.Close())
	}
	if err != nil {
		log.Fatal(err)
	}
}
