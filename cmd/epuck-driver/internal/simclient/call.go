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
	si "github.com/epuck-ros2/epuck-driver/msgs/simulation_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/waiting"
)

// simulationWait is the time-out of the commands for a running simulation.
const simulationWait = 10 * time.Second

// errNoSimulation: no node of the network has the services of a simulation.
var errNoSimulation = errors.New("no simulation answers on this network (and domain): start one with \"epuck-driver sim\"")

// errSimulation: the simulation has rejected a request.
var errSimulation = errors.New("the simulation rejects the request")

// refused returns the error of a result, nil if it is OK.
func refused(r si.Result) error {
	if r.Result == si.ResultOK {
		return nil
	}
	return fmt.Errorf("%w: %s", errSimulation, r.ErrorMessage)
}

// call calls a service of the running simulation's node and returns its response.
func call[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](ctx context.Context, p *frame.Program, on network.Choice,
	t ros2.ServiceType[Req, Res], name string, q *Req) (r *Res, err error) {
	session, err := network.Join("epuck_simulation_client", false, on, p.ROS, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	client, err := ros2.NewClient[Req, Res, PReq, PRes](session.Node, t, SimulationNode+"/"+name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, simulationWait, errNoSimulation)
	defer cancel()
	stop := network.Notice(session.Transport, p.Err, waiting.Peer{
		Kind: ros2.ServiceEndpoint, Name: SimulationNode + "/" + name, Own: session.Node.Name(),
	})
	defer stop()
	err = client.WaitAvailable(ctx)
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
