// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces/rolling"
	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// newSpawn returns the command that adds a robot to a running simulation.
func newSpawn(p *frame.Program) *cobra.Command {
	place, level := "0,0", world.LevelFirmware
	cmd := &cobra.Command{
		Use:   "spawn NAME",
		Short: "Put one more robot into a running simulation",
		Long: "Puts one more robot, like the world's first, into a simulation that runs on this network (one of several\n" +
			"robots, or with --real-time-factor). Its node is NAME/epuck_driver; of a robot of another\n" +
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
		name, err := askSpawn(cmd.Context(), p, *on, standard, q)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Out, "Robot %q is %s.\n", name, kind.nodeOf(name, func() (*si.GetEntityInfoResponse, error) {
			return call(cmd.Context(), p, *on, si.GetEntityInfo{}, "get_entity_info", &si.GetEntityInfoRequest{Entity: name})
		}))
		return err
	}
	return cmd
}

// askSpawn requests a robot, with the types of the simulation's version of simulation_interfaces.
func askSpawn(ctx context.Context, p *frame.Program, on network.Choice, standard network.Interfaces, q *si.SpawnEntityRequest) (name string, err error) {
	const service = "spawn_entity"
	if standard == 2 {
		r, err := request(ctx, p, on, rolling.SpawnEntity{}, service, &rolling.SpawnEntityRequest{
			Name: q.Name, EntityResource: si.Resource{Uri: q.Uri, ResourceString: q.ResourceString}, InitialPose: q.InitialPose,
		}, func(r *rolling.SpawnEntityResponse) si.Result { return r.Result })
		if err != nil {
			return "", err
		}
		return r.EntityName, nil
	}
	r, err := request(ctx, p, on, si.SpawnEntity{}, service, q, func(r *si.SpawnEntityResponse) si.Result { return r.Result })
	if err != nil {
		return "", err
	}
	return r.EntityName, nil
}

// newDelete returns the command that removes a robot from a running simulation.
func newDelete(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "delete NAME",
		Short:   "Take a robot out of a running simulation",
		Long:    "Takes a robot out of a simulation that runs on this network; its node goes with it.",
		Example: "  epuck-driver sim delete epuck2",
		Args:    cobra.ExactArgs(1),
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, err := request(cmd.Context(), p, *on, si.DeleteEntity{}, "delete_entity", &si.DeleteEntityRequest{Entity: args[0]},
			func(r *si.DeleteEntityResponse) si.Result { return r.Result })
		return err
	}
	return cmd
}

// newList returns the command that lists the robots of a running simulation.
func newList(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "Name the robots of a running simulation",
		Long:    "Names the robots of a simulation that runs on this network, a line each.",
		Example: "  epuck-driver sim list",
		Args:    frame.NoArguments,
	}
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		r, err := call(cmd.Context(), p, *on, si.GetEntities{}, "get_entities", &si.GetEntitiesRequest{
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

// parsePlace parses X,Y or X,Y,YAW, in m and rad, as a pose in the frame world.
func parsePlace(text string) (m geometry_msgs.PoseStamped, err error) {
	var v [3]float64
	words := strings.Split(text, ",")
	if len(words) != 2 && len(words) != 3 {
		return m, frame.Usagef("--place %q: want X,Y or X,Y,YAW", text)
	}
	for i, w := range words {
		if v[i], err = frame.Number("number", w); err != nil {
			return m, frame.Usagef("--place %q: %v", text, err)
		}
	}
	m.Header.FrameID = "world"
	m.Pose.Position.X, m.Pose.Position.Y = v[0], v[1]
	m.Pose.Orientation.Z, m.Pose.Orientation.W = math.Sin(v[2]/2), math.Cos(v[2]/2)
	return m, nil
}
