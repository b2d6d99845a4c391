// SPDX-License-Identifier: Apache-2.0

package play

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/msgs/rosbag2_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// OfferServices offers the services of rosbag2's player on its node: ~/pause, ~/resume, ~/toggle_paused, ~/is_paused,
// ~/get_rate, ~/set_rate, ~/play, ~/play_next, ~/burst, ~/seek and ~/stop. They are closed with the node.
func (p *Player) OfferServices(n *ros2.Node) error {
	return errors.Join(p.offerPausing(n), p.offerMoving(n))
}

func (p *Player) offerPausing(n *ros2.Node) error {
	return errors.Join(
		offer(n, rosbag2_interfaces.Pause{}, "~/pause", func(ctx context.Context, _ *rosbag2_interfaces.PauseRequest) (*rosbag2_interfaces.PauseResponse, error) {
			return &rosbag2_interfaces.PauseResponse{}, p.Pause(ctx)
		}),
		offer(n, rosbag2_interfaces.Resume{}, "~/resume", func(ctx context.Context, _ *rosbag2_interfaces.ResumeRequest) (*rosbag2_interfaces.ResumeResponse, error) {
			return &rosbag2_interfaces.ResumeResponse{}, p.Resume(ctx)
		}),
		offer(n, rosbag2_interfaces.TogglePaused{}, "~/toggle_paused", func(ctx context.Context, _ *rosbag2_interfaces.TogglePausedRequest) (*rosbag2_interfaces.TogglePausedResponse, error) {
			return &rosbag2_interfaces.TogglePausedResponse{}, p.TogglePaused(ctx)
		}),
		offer(n, rosbag2_interfaces.IsPaused{}, "~/is_paused", func(context.Context, *rosbag2_interfaces.IsPausedRequest) (*rosbag2_interfaces.IsPausedResponse, error) {
			return &rosbag2_interfaces.IsPausedResponse{Paused: p.Status().Paused}, nil
		}),
		offer(n, rosbag2_interfaces.GetRate{}, "~/get_rate", func(context.Context, *rosbag2_interfaces.GetRateRequest) (*rosbag2_interfaces.GetRateResponse, error) {
			return &rosbag2_interfaces.GetRateResponse{Rate: p.Status().Rate}, nil
		}),
		offer(n, rosbag2_interfaces.SetRate{}, "~/set_rate", func(ctx context.Context, r *rosbag2_interfaces.SetRateRequest) (*rosbag2_interfaces.SetRateResponse, error) {
			return &rosbag2_interfaces.SetRateResponse{Success: p.succeeded(p.SetRate(ctx, r.Rate))}, nil
		}),
		offer(n, rosbag2_interfaces.Stop{}, "~/stop", func(ctx context.Context, _ *rosbag2_interfaces.StopRequest) (*rosbag2_interfaces.StopResponse, error) {
			return &rosbag2_interfaces.StopResponse{}, p.Stop(ctx)
		}),
	)
}

func (p *Player) offerMoving(n *ros2.Node) error {
	return errors.Join(
		offer(n, rosbag2_interfaces.Play{}, "~/play", func(context.Context, *rosbag2_interfaces.PlayRequest) (*rosbag2_interfaces.PlayResponse, error) {
			return &rosbag2_interfaces.PlayResponse{}, nil // already playing
		}),
		offer(n, rosbag2_interfaces.PlayNext{}, "~/play_next", func(ctx context.Context, _ *rosbag2_interfaces.PlayNextRequest) (*rosbag2_interfaces.PlayNextResponse, error) {
			return &rosbag2_interfaces.PlayNextResponse{Success: p.succeeded(p.PlayNext(ctx))}, nil
		}),
		offer(n, rosbag2_interfaces.Burst{}, "~/burst", func(ctx context.Context, r *rosbag2_interfaces.BurstRequest) (*rosbag2_interfaces.BurstResponse, error) {
			sent, err := p.Burst(ctx, r.NumMessages)
			return &rosbag2_interfaces.BurstResponse{ActuallyBurst: sent}, err
		}),
		offer(n, rosbag2_interfaces.Seek{}, "~/seek", func(ctx context.Context, r *rosbag2_interfaces.SeekRequest) (*rosbag2_interfaces.SeekResponse, error) {
			return &rosbag2_interfaces.SeekResponse{Success: p.succeeded(p.Seek(ctx, r.Time.Time()))}, nil
		}),
	)
}

// succeeded reports whether err is nil, and logs it otherwise.
func (p *Player) succeeded(err error) bool {
	if err != nil {
		p.cfg.Logger.Warn("request failed", "error", err)
	}
	return err == nil
}

// offer is ros2.NewService; the node owns the service.
func offer[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](n *ros2.Node, t ros2.ServiceType[Req, Res], name string,
	h ros2.Handler[Req, Res]) error {
	_, err := ros2.NewService[Req, Res, PReq, PRes](n, t, name, h)
	return err
}
