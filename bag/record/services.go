// SPDX-License-Identifier: Apache-2.0

package record

import (
	"context"
	"errors"

	"github.com/epuck-ros2/epuck-driver/msgs/rosbag2_interfaces"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// OfferServices offers the services of rosbag2's recorder on its node: ~/snapshot, ~/split_bagfile, ~/pause,
// ~/resume, ~/toggle_paused and ~/is_paused, and the topic events/write_split, which announces each new file. They
// are closed with the node. dir returns the folder of a snapshot for which no bag is open.
func (r *Recorder) OfferServices(n *ros2.Node, dir func() string) error {
	snapshot := offer(n, rosbag2_interfaces.Snapshot{}, "~/snapshot", func(ctx context.Context, _ *rosbag2_interfaces.SnapshotRequest) (*rosbag2_interfaces.SnapshotResponse, error) {
		err := r.Snapshot(ctx, dir())
		if err != nil {
			r.cfg.Logger.Warn("snapshot failed", "error", err)
		}
		return &rosbag2_interfaces.SnapshotResponse{Success: err == nil}, nil
	})
	split := offer(n, rosbag2_interfaces.SplitBagfile{}, "~/split_bagfile", func(ctx context.Context, _ *rosbag2_interfaces.SplitBagfileRequest) (*rosbag2_interfaces.SplitBagfileResponse, error) {
		return &rosbag2_interfaces.SplitBagfileResponse{}, r.Split(ctx)
	})
	pause := offer(n, rosbag2_interfaces.Pause{}, "~/pause", func(context.Context, *rosbag2_interfaces.PauseRequest) (*rosbag2_interfaces.PauseResponse, error) {
		r.Pause()
		return &rosbag2_interfaces.PauseResponse{}, nil
	})
	resume := offer(n, rosbag2_interfaces.Resume{}, "~/resume", func(context.Context, *rosbag2_interfaces.ResumeRequest) (*rosbag2_interfaces.ResumeResponse, error) {
		r.resume()
		return &rosbag2_interfaces.ResumeResponse{}, nil
	})
	toggle := offer(n, rosbag2_interfaces.TogglePaused{}, "~/toggle_paused", func(context.Context, *rosbag2_interfaces.TogglePausedRequest) (*rosbag2_interfaces.TogglePausedResponse, error) {
		r.TogglePaused()
		return &rosbag2_interfaces.TogglePausedResponse{}, nil
	})
	paused := offer(n, rosbag2_interfaces.IsPaused{}, "~/is_paused", func(context.Context, *rosbag2_interfaces.IsPausedRequest) (*rosbag2_interfaces.IsPausedResponse, error) {
		return &rosbag2_interfaces.IsPausedResponse{Paused: r.Paused()}, nil
	})
	return errors.Join(snapshot, split, pause, resume, toggle, paused, r.offerEvents(n))
}

// offerEvents offers events/write_split.
func (r *Recorder) offerEvents(n *ros2.Node) error {
	splits, err := ros2.NewPublisher[rosbag2_interfaces.WriteSplitEvent](n, "events/write_split", ros2.QoS{Depth: 1})
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.onSplit = func(closed, opened string) {
		m := rosbag2_interfaces.WriteSplitEvent{ClosedFile: closed, OpenedFile: opened, NodeName: n.FullName()}
		if err := splits.Publish(&m); err != nil {
			r.cfg.Logger.Warn("can't publish the event of a new file", "file", opened, "error", err)
		}
	}
	return nil
}

// split announces that a file is complete and another begun.
func (r *Recorder) split(closed, opened string) {
	r.mu.Lock()
	onSplit := r.onSplit
	r.mu.Unlock()
	if onSplit != nil {
		onSplit(closed, opened)
	}
}

// offer is ros2.NewService; the node owns the service.
func offer[Req, Res any, PReq ros2.MessageOf[Req], PRes ros2.MessageOf[Res]](n *ros2.Node, t ros2.ServiceType[Req, Res], name string,
	h ros2.Handler[Req, Res]) error {
	_, err := ros2.NewService[Req, Res, PReq, PRes](n, t, name, h)
	return err
}

// TogglePaused pauses or resumes.
func (r *Recorder) TogglePaused() {
	if r.Paused() {
		r.resume()
		return
	}
	r.Pause()
}
