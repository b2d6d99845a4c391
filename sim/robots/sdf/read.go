// SPDX-License-Identifier: Apache-2.0

package sdf

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
	"github.com/epuck-ros2/epuck-driver/sim/robots/xmltree"
)

// Parse reads a description, whose name is for errors only. Those name file, line and element, and match
// [xmltree.ErrSyntax], [xmltree.ErrContent], [description.ErrTree] or [description.ErrValue].
func Parse(name string, text []byte) (*description.Robot, error) {
	doc, err := xmltree.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return FromTree(doc)
}

// FromTree reads a description that is parsed already. A world is read if there is one model in it.
func FromTree(doc *xmltree.Document) (*description.Robot, error) {
	root := doc.Root
	if root.Name != "sdf" {
		root.Failf("a file of SDF begins with <sdf>")
		return nil, doc.Err()
	}
	root.Attribute("version")
	models := root.All("model")
	for _, w := range root.All("world") {
		models = append(models, w.All("model")...)
	}
	if len(models) != 1 {
		root.Failf("there are %d models in it, not one", len(models))
		return nil, doc.Err()
	}
	m := model{robot: &description.Robot{Name: models[0].Needed("name")}, frames: map[string]*frame{}}
	m.read(models[0])
	models[0].RefuseUnread(geometry())
	if err := errors.Join(doc.Err(), doc.In(m.robot.Check())); err != nil {
		return nil, err
	}
	m.robot.Ignored = doc.Unread()
	return m.robot, nil
}

// model makes a robot of a model.
type model struct {
	robot     *description.Robot
	frames    map[string]*frame
	canonical string // the link that the model's own frame is attached to
}

func (m *model) read(e *xmltree.Element) {
	m.place(e.Child("pose"))
	m.canonical, _ = e.Attribute("canonical_link")
	for _, c := range []string{"static", "self_collide", "allow_auto_disable"} {
		e.Child(c).Know()
	}
	links, joints := e.All("link"), e.All("joint")
	if len(links)+len(joints) > description.MaxParts {
		e.Failf("%d links and joints, more than %d", len(links)+len(joints), description.MaxParts)
		return
	}
	frames := e.All("frame")
	if len(frames) > description.MaxParts {
		e.Failf("%d frames, more than %d", len(frames), description.MaxParts)
		return
	}
	if m.canonical == "" && len(links) > 0 {
		m.canonical, _ = links[0].Attribute("name")
	}
	for _, l := range links {
		m.add(l, modelFrame)
	}
	for _, j := range joints {
		m.add(j, j.Content("child", modelFrame))
	}
	for _, f := range frames {
		attached, _ := f.Attribute("attached_to")
		if attached == "" {
			attached = modelFrame
		}
		m.add(f, attached)
	}
	for _, l := range links {
		m.link(l)
	}
	for _, j := range joints {
		m.joint(j)
	}
	for _, p := range e.All("plugin") {
		ReadPlugin(m.robot, p, m.canonical)
	}
}
