// SPDX-License-Identifier: Apache-2.0

package idl_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

func TestAction(t *testing.T) {
	a, err := idl.ParseAction("f", "test_msgs", "Go", "# Goes.\n\nint32 order # how far\n---\n# the end\nint32[] path\n---\nint8 FAST=1\nint8 now\n")
	if err != nil {
		t.Fatal(err)
	}
	if a.FullName() != "test_msgs/action/Go" || a.Doc != "Goes." || a.Goal.Doc != "" {
		t.Errorf("%+v", a)
	}
	for _, m := range []struct {
		of     *idl.Message
		name   string
		fields string
		line   int
	}{
		{&a.Goal, "test_msgs/action/Go_Goal", "order", 3},
		{&a.Result, "test_msgs/action/Go_Result", "path", 6},
		{&a.Feedback, "test_msgs/action/Go_Feedback", "now", 9},
		{a.FeedbackMessage(), "test_msgs/action/Go_FeedbackMessage", "goal_id feedback", 0},
		{&a.SendGoal().Request, "test_msgs/action/Go_SendGoal_Request", "goal_id goal", 0},
		{&a.SendGoal().Response, "test_msgs/action/Go_SendGoal_Response", "accepted stamp", 0},
		{&a.GetResult().Request, "test_msgs/action/Go_GetResult_Request", "goal_id", 0},
		{&a.GetResult().Response, "test_msgs/action/Go_GetResult_Response", "status result", 0},
	} {
		var names []string
		for _, f := range m.of.Fields {
			names = append(names, f.Name)
		}
		if m.of.FullName() != m.name || strings.Join(names, " ") != m.fields || m.of.Fields[0].Line != m.line {
			t.Errorf("%s: %+v", m.name, m.of)
		}
	}
	if a.SendGoal().FullName() != "test_msgs/action/Go_SendGoal" || len(a.Feedback.Constants) != 1 {
		t.Errorf("%+v", a.SendGoal())
	}
}

func TestActionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"int8 a\n---\nint8 b\n":    "f:4:1: syntax error: an action needs two lines ---, between goal, result and feedback",
		"---\n---\n---\n":          "f:3:1: syntax error: a third --- (the last is on line 2)",
		"int8 a\n---\n---\nint b:": "f:4",
	} {
		_, err := idl.ParseAction("f", "test_msgs", "Go", text)
		var at *idl.Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := idl.ParseAction("f", "test_msgs", "go", "---\n---"); !errors.Is(err, idl.ErrName) {
		t.Error(err)
	}
}
