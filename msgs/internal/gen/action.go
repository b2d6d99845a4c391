// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// action appends the descriptor and the three messages that the file of an action defines. The two services and the
// feedback message that ROS derives from them have no Go types: package ros2/action composes them from the three.
func (u *unit) action(a *idl.Action) error {
	hash, err := rihs.OfAction(a, u.find)
	if err != nil {
		return err
	}
	u.printf("// %s is the ROS action %s.\n//\n", a.Name, a.FullName())
	if a.Doc != "" {
		u.comment(a.Doc + "\n")
	}
	u.printf("// It has no data: as a type argument it selects the types of the action.\n")
	u.printf("type %s struct{}\n\n", a.Name)
	u.printf("// ROSType returns %q.\n", a.FullName())
	u.printf("func (%s) ROSType() string { return %q }\n\n", a.Name, a.FullName())
	u.printf("// TypeHash returns the RIHS01 hash of the action as a whole.\n")
	u.printf("func (%s) TypeHash() string {\nreturn %q\n}\n\n", a.Name, hash)
	u.printf("// New returns an empty goal, result and feedback.\n")
	u.printf("func (%s) New() (*%sGoal, *%sResult, *%sFeedback) {\nreturn new(%sGoal), new(%sResult), new(%sFeedback)\n}\n\n",
		a.Name, a.Name, a.Name, a.Name, a.Name, a.Name, a.Name)
	if err := u.message(&a.Goal, a.Name+"Goal is the goal of ["+a.Name+"]."); err != nil {
		return err
	}
	if err := u.message(&a.Result, a.Name+"Result is the result of ["+a.Name+"]."); err != nil {
		return err
	}
	return u.message(&a.Feedback, a.Name+"Feedback is the feedback of ["+a.Name+"] during a goal.")
}
