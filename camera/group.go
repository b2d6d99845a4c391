// SPDX-License-Identifier: Apache-2.0

package camera

import "slices"

// group holds the sinks that request the same picture, which is made once.
type group struct {
	p *Pipeline

	// Guarded by p.mu.
	want    Output  // with the pipeline's quality and size filled in
	members []*Sink // replaced, not changed
	free    []*picture
	err     error // error of the latest picture; nil if it was made

	maker maker // makes the pictures; the stream's
}

// picture is an image with its memory, shared by the sinks of a group.
type picture struct {
	g     *group
	image Image
	refs  int // references by sinks and its maker; guarded by p.mu
}

// blank returns an empty picture, in reused memory if possible. The caller has a reference.
func (g *group) blank() *picture {
	g.p.mu.Lock()
	defer g.p.mu.Unlock()
	n := len(g.free)
	if n == 0 {
		return &picture{g: g, refs: 1}
	}
	pic := g.free[n-1]
	g.free = g.free[:n-1]
	pic.refs = 1
	return pic
}

// post offers a finished picture to the sinks of the group and drops the caller's reference.
func (g *group) post(pic *picture) {
	p := g.p
	p.mu.Lock()
	back := p.notePicture(g)
	after := p.status.FirstImage
	for _, s := range g.members {
		s.offer(pic)
	}
	pic.unref()
	p.mu.Unlock()
	if back {
		p.cfg.Logger.Info("camera is back", "device", p.cfg.Device.Name(), "after", after)
	}
}

// discard releases a blank picture.
func (g *group) discard(pic *picture) {
	g.p.mu.Lock()
	defer g.p.mu.Unlock()
	pic.unref()
}

// unref drops one reference to the picture. p.mu is held.
func (pic *picture) unref() {
	if pic.refs--; pic.refs == 0 {
		pic.g.free = append(pic.g.free, pic)
	}
}

// output returns the group's current output.
func (g *group) output() Output {
	g.p.mu.Lock()
	defer g.p.mu.Unlock()
	return g.want
}

// regroup rebuilds the groups after sinks or settings changed. A group that still has the same picture, or only another
// quality, is kept with its encoder and memory. p.mu is held.
func (p *Pipeline) regroup() {
	var groups []*group
	find := func(in []*group, fits func(Output) bool) *group {
		if i := slices.IndexFunc(in, func(g *group) bool { return fits(g.want) }); i >= 0 {
			return in[i]
		}
		return nil
	}
	wants := make([]Output, len(p.sinks))
	for i, s := range p.sinks {
		wants[i] = p.resolve(s.want)
	}
	for i, s := range p.sinks {
		want := wants[i]
		g := find(groups, func(o Output) bool { return o == want })
		if g != nil {
			g.members = append(g.members, s)
			continue
		}
		if g = find(p.groups, func(o Output) bool { return o == want }); g == nil {
			g = find(p.groups, func(o Output) bool {
				same := o
				same.Quality = want.Quality
				return same == want && !slices.Contains(wants, o) // no other sink still uses it
			})
		}
		if g == nil || slices.Contains(groups, g) {
			g = &group{p: p}
		}
		g.want, g.members = want, []*Sink{s}
		groups = append(groups, g)
	}
	p.groups = groups
}

// resolve fills in the pipeline's settings where a sink has none. p.mu is held.
func (p *Pipeline) resolve(o Output) Output {
	if o.Width == 0 {
		o.Width, o.Height = p.settings.Width, p.settings.Height
	}
	if o.Quality == 0 {
		o.Quality = p.settings.Quality
	}
	if o.Encoding != Compressed {
		o.Quality = 0
	}
	return o
}
