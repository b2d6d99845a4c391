// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simulate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// simulationWait is how long the commands for a running simulation wait for it.
const simulationWait = 10 * time.Second

// errNoSimulation: nothing on the network has the services of a simulation.
var errNoSimulation = errors.New("no simulation answers on this network (and domain): start one with \"epuck-driver sim\"")

// errSimulation: a simulation that does not do what it was asked for.
var errSimulation = errors.New("the simulation refuses")

// newSimSpawn puts a robot into a running simulation.
func newSimSpawn(p *frame.Program) *cobra.Command {
	place, level := "0,0", world.LevelFirmware
	cmd := &cobra.Command{
		Use:   "spawn NAME",
		Short: "Put one more robot into a running simulation",
		Long: "Puts one more robot, like the world's first, into a simulation that runs on this network (one of several\n" +
			"robots, or with --speed). Its node is NAME/epuck_driver; of a robot of another\n" +
			"kind that name instead, as in NAME/khepera4. The service is that of simulation_interfaces.",
		Example: "  epuck-driver sim spawn late --place 0.2,0.3,1.57 --level functional\n" +
			"  epuck-driver sim spawn other --place 0.5,0 --robot khepera4",
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&place, "place", place, "where: `X,Y,YAW` in m and rad")
	cmd.Flags().StringVar(&level, "level", level, "`LEVEL`: firmware or functional")
	var kind spawnModel
	kind.flags(cmd.Flags())
	var standard network.Interfaces
	standard.Flags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		pose, err := parsePlace(place)
		if err != nil {
			return err
		}
		q := &si.SpawnEntityRequest{Name: args[0], Uri: level, InitialPose: pose}
		if err := kind.into(q); err != nil {
			return err
		}
		name, result, err := askSpawn(cmd.Context(), p, *on, standard, q)
		if err != nil {
			return err
		}
		if result.Result != si.ResultOK {
			return fmt.Errorf("%w: %s", errSimulation, result.ErrorMessage)
		}
		_, err = fmt.Fprintf(p.Out, "Robot %q is %s.\n", name, kind.whereabouts(name, func() (*si.GetEntityInfoResponse, error) {
			return askSimulation(cmd.Context(), p, *on, si.GetEntityInfo{}, "get_entity_info", &si.GetEntityInfoRequest{Entity: name})
		}))
		return err
	}
	return cmd
}

// askSpawn asks for a robot in the standard's version that the simulation has.
func askSpawn(ctx context.Context, p *frame.Program, on network.Choice, standard network.Interfaces, q *si.SpawnEntityRequest) (string, si.Result, error) {
	const service = "spawn_entity"
	if standard == 2 {
		r, err := askSimulation(ctx, p, on, rolling.SpawnEntity{}, service, &rolling.SpawnEntityRequest{
			Name: q.Name, EntityResource: si.Resource{Uri: q.Uri, ResourceString: q.ResourceString}, InitialPose: q.InitialPose,
		})
		if err != nil {
			return "", si.Result{}, err
		}
		return r.EntityName, r.Result, nil
	}
	r, err := askSimulation(ctx, p, on, si.SpawnEntity{}, service, q)
	if err != nil {
		return "", si.Result{}, err
	}
	return r.EntityName, r.Result, nil
}

// newSimDelete takes a robot out of a running simulation.
func newSimDelete(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "delete NAME",
		Short:   "Take a robot out of a running simulation",
		Long:    "Takes a robot out of a simulation that runs on this network; its node goes with it.",
		Example: "  epuck-driver sim delete epuck2",
		Args:    cobra.ExactArgs(1),
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := askSimulation(cmd.Context(), p, *on, si.DeleteEntity{}, "delete_entity", &si.DeleteEntityRequest{Entity: args[0]})
		if err == nil && r.Result.Result != si.ResultOK {
			err = fmt.Errorf("%w: %s", errSimulation, r.Result.ErrorMessage)
		}
		return err
	}
	return cmd
}

// newSimList names the robots of a running simulation.
func newSimList(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Name the robots of a running simulation",
		Long:    "Names the robots of a simulation that runs on this network, a line each.",
		Example: "  epuck-driver sim list",
		Args:    frame.NoArguments,
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := askSimulation(cmd.Context(), p, *on, si.GetEntities{}, "get_entities", &si.GetEntitiesRequest{
			Filters: si.EntityFilters{Categories: []si.EntityCategory{{Category: si.EntityCategoryCategoryRobot}}},
		})
		if err != nil {
			return err
		}
		for _, name := range r.Entities {
			if _, err := fmt.Fprintln(p.Out, name); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// askSimulation calls a service of the simulation's node.
func askSimulation[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](ctx context.Context, p *frame.Program, on network.Choice,
	t ros2.ServiceType[Req, Res], name string, q *Req) (r *Res, err error) {
	session, err := network.Join("epuck_simulation_client", false, on, p.ROS, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var clients []*ros2.Client[Req, Res]
	for _, node := range []string{simulationNode, "/" + aloneNode} {
		c, err := ros2.NewClient[Req, Res, PReq, PRes](session.Node, t, node+"/"+name)
		if err != nil {
			return nil, err
		}
		clients = append(clients, c)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, simulationWait, errNoSimulation)
	defer cancel()
	client, err := firstAvailable(ctx, clients)
	if err == nil {
		r, err = client.Call(ctx, q)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// firstAvailable waits until one of several clients has a server, and returns it.
func firstAvailable[Req, Res any](ctx context.Context, clients []*ros2.Client[Req, Res]) (first *ros2.Client[Req, Res], err error) {
	ctx, cancel := context.WithCancel(ctx)
	var group task.Group
	defer group.Wait()
	defer cancel()
	type found struct {
		client *ros2.Client[Req, Res]
		err    error
	}
	available := make(chan found, len(clients))
	for _, c := range clients {
		group.Go("wait for a simulation", func() { available <- found{c, c.WaitAvailable(ctx)} })
	}
	f := <-available // the others wait as long as ctx, too
	return f.client, f.err
}

// parsePlace reads X,Y or X,Y,YAW.
func parsePlace(text string) (m geometry_msgs.PoseStamped, err error) {
	var v [3]float64
	words := strings.Split(text, ",")
	if len(words) != 2 && len(words) != 3 {
		return m, frame.Usagef("--place %q: want X,Y or X,Y,YAW", text)
	}
	for i, w := range words {
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(w), 64); err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return m, frame.Usagef("--place %q: %q is no number", text, w)
		}
	}
	m.Header.FrameID = "world"
	m.Pose.Position.X, m.Pose.Position.Y = v[0], v[1]
	m.Pose.Orientation.Z, m.Pose.Orientation.W = math.Sin(v[2]/2), math.Cos(v[2]/2)
	return m, nil
}
