// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// A goal is canceled only if the server has it in its list: an rclpy server that refuses answers with no error and an
// empty list.
func TestRefusalToCancel(t *testing.T) {
	typ, err := dynamic.Resolve("action_msgs/srv/CancelGoal_Response", msgs.Definition)
	if err != nil {
		t.Fatal(err)
	}
	id := [16]byte{1, 2}
	const it, other = "[1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", "[7, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"
	info := func(uuid string) string { return "{goal_id: {uuid: " + uuid + "}}" }
	for _, c := range []struct {
		answer, want string
	}{
		{"{return_code: 0, goals_canceling: [" + info(it) + "]}", ""},
		{"{return_code: 0, goals_canceling: [" + info(other) + ", " + info(it) + "]}", ""},
		{"{return_code: 0}", "Failed to cancel goal: the server rejected the request"},
		{"{return_code: 0, goals_canceling: [" + info(other) + "]}", "Failed to cancel goal: the server rejected the request"},
		{"{return_code: 1}", "Failed to cancel goal: the server returned 1"},
		{"{return_code: 3}", "Failed to cancel goal: the server returned 3"},
	} {
		response := dynamic.New(typ)
		if _, err := response.Fill(c.answer); err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := refusal(response, id); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.answer, got, c.want)
		}
	}
}
