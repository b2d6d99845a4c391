// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package simclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// simulationWait is how long the commands for a running simulation wait for it.
const simulationWait = 10 * time.Second

// errNoSimulation: nothing on the network has the services of a simulation.
var errNoSimulation = errors.New("no simulation answers on this network (and domain): start one with \"epuck-driver sim\"")

// errSimulation: a simulation that does not do what it was asked for.
var errSimulation = errors.New("the simulation refuses")

// refused returns the error of a result that is not OK.
func refused(r si.Result) error {
	if r.Result == si.ResultOK {
		return nil
	}
	return fmt.Errorf("%w: %s", errSimulation, r.ErrorMessage)
}

// call calls a service of the running simulation's node.
func call[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](ctx context.Context, p *frame.Program, on network.Choice,
	t ros2.ServiceType[Req, Res], name string, q *Req) (r *Res, err error) {
	session, err := network.Join("epuck_simulation_client", false, on, p.ROS, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var clients []*ros2.Client[Req, Res]
	for _, node := range []string{SimulationNode, "/" + SingleNode} {
		c, err := ros2.NewClient[Req, Res, PReq, PRes](session.Node, t, node+"/"+name)
		if err != nil {
			return nil, err
		}
		clients = append(clients, c)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, simulationWait, errNoSimulation)
	defer cancel()
	stop := network.Notice(session.Transport, p.Err, waiting.Peer{
		Kind: ros2.ServiceEndpoint, Name: SimulationNode + "/" + name, Own: session.Node.Name(),
	})
	defer stop()
	client, err := firstAvailable(ctx, clients)
	stop()
	if err == nil {
		r, err = client.Call(ctx, q)
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

// request calls a service as call does; a result that is not OK is an error.
func request[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](ctx context.Context, p *frame.Program, on network.Choice,
	t ros2.ServiceType[Req, Res], name string, q *Req, result func(r *Res) si.Result) (*Res, error) {
	r, err := call[Req, Res, PReq, PRes](ctx, p, on, t, name, q)
	if err != nil {
		return nil, err
	}
	return r, refused(result(r))
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
