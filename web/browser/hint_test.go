// SPDX-License-Identifier: Apache-2.0

//go:build system && linux

package browser

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// TestCalibrationHint: while `epuck-driver calibrate camera` collects, the page says under the picture which view is
// wanted next, also to those who come later; afterwards it does not.
func TestCalibrationHint(t *testing.T) {
	r := newServer(t, options{world: "camera"})
	pub, err := ros2.NewPublisher[std_msgs.String](r.node, "calibration/hint", ros2.LatchedQoS())
	r.must(err)
	say := func(text string) { r.must(pub.Publish(&std_msgs.String{Data: text})) }
	say(" 3 views  X 40 %  move the board to the left edge of the picture")
	r.browse()
	r.open(1280, 900, false)
	seen := func() string {
		text, _ := r.do(`return page.$eval("#calibration-hint", (e) => e.hidden ? "" : e.textContent)`).(string)
		return text
	}
	r.until("what was wanted before the page came", func() bool { return strings.Contains(seen(), "to the left edge") })
	say(" 4 views  X 60 %  tilt the board")
	r.until("the next", func() bool { return strings.Contains(seen(), "tilt the board") })
	r.must(pub.Close())
	r.until("nothing more is wanted", func() bool { return seen() == "" })
	r.clean()
}
