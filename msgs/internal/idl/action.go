// SPDX-License-Identifier: Apache-2.0

package idl

// Action is an .action file: goal, result and feedback.
type Action struct {
	Package  string // ROS package
	Name     string // "Fibonacci"
	Doc      string
	Goal     Message // Fibonacci_Goal
	Result   Message // Fibonacci_Result
	Feedback Message // Fibonacci_Feedback
}

// FullName returns the ROS name of the action, "example_interfaces/action/Fibonacci".
func (a *Action) FullName() string { return a.Package + "/action/" + a.Name }

// ParseAction parses the text of pkg/action/name.action. The file is named in errors only.
func ParseAction(file, pkg, name, text string) (*Action, error) {
	p := newParser(file, pkg)
	if err := p.check(name, text); err != nil {
		return nil, err
	}
	m, err := p.parts("action", text, "an action needs two lines ---, between goal, result and feedback",
		name+"_Goal", name+"_Result", name+"_Feedback")
	if err != nil {
		return nil, err
	}
	a := &Action{Package: pkg, Name: name, Doc: m[0].Doc, Goal: *m[0], Result: *m[1], Feedback: *m[2]}
	a.Goal.Doc = ""
	return a, nil
}

// The messages and services that ROS derives from an action's file (rosidl: action interfaces in IDL).

// SendGoal returns the service for sending a goal.
func (a *Action) SendGoal() *Service {
	return a.service("SendGoal",
		[]Field{goalID(), a.part("goal", &a.Goal)},
		[]Field{{Name: "accepted", Type: Type{Base: Bool}}, nested("stamp", "builtin_interfaces/msg/Time")})
}

// GetResult returns the service for requesting the result.
func (a *Action) GetResult() *Service {
	return a.service("GetResult",
		[]Field{goalID()},
		[]Field{{Name: "status", Type: Type{Base: Int8}}, a.part("result", &a.Result)})
}

// FeedbackMessage returns the message of the feedback topic.
func (a *Action) FeedbackMessage() *Message {
	return a.message("FeedbackMessage", []Field{goalID(), a.part("feedback", &a.Feedback)})
}

func (a *Action) service(name string, request, response []Field) *Service {
	return &Service{
		Package: a.Package, Kind: "action", Name: a.Name + "_" + name,
		Request: *a.message(name+"_Request", request), Response: *a.message(name+"_Response", response),
	}
}

func (a *Action) message(name string, fields []Field) *Message {
	return &Message{Package: a.Package, Kind: "action", Name: a.Name + "_" + name, Fields: fields}
}

func (a *Action) part(name string, m *Message) Field { return nested(name, m.FullName()) }

func goalID() Field { return nested("goal_id", "unique_identifier_msgs/msg/UUID") }

func nested(name, ref string) Field {
	return Field{Name: name, Type: Type{Base: Nested, Ref: ref}}
}
