// SPDX-License-Identifier: Apache-2.0

package proto

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/epuck-ros2/epuck-driver/sim/robots/description"
)

// leftover gives all remarks, those of the file's nodes and fields that no reader asked for too, in the order of the
// file and each once.
func (b *builder) leftover(doc *document, found []description.Remark) []description.Remark {
	for _, r := range doc.roots {
		b.unread(r)
	}
	for _, f := range doc.params {
		if !f.read {
			b.remarkf(f.line, "field %s of PROTO %s: nothing IS it", f.name, doc.proto)
			continue
		}
		for _, r := range f.val.nodes {
			b.unread(r)
		}
	}
	all := slices.Concat(found, b.remarks)
	slices.SortStableFunc(all, func(x, y description.Remark) int { return cmp.Compare(x.Line, y.Line) })
	once := map[description.Remark]bool{}
	all = slices.DeleteFunc(all, func(r description.Remark) bool {
		again := once[r]
		once[r] = true
		return again
	})
	if more := len(all) - maxRemarks; more > 0 {
		last := description.Remark{Line: all[maxRemarks].Line, Text: fmt.Sprintf("%d more, from here on", more)}
		all = append(all[:maxRemarks], last)
	}
	return all
}

// unread lists what is not read of a node, where it was written.
func (b *builder) unread(r ref) {
	switch {
	case r.again || r.dropped:
		return
	case !r.seen:
		b.remarkf(r.line, "%s: it has no meaning here", r.kind)
		return
	}
	for _, f := range r.fields {
		if !f.read {
			b.remarkf(f.line, "%s.%s: it has no meaning here", r.kind, f.name)
			continue
		}
		if f.val.again {
			continue
		}
		for _, c := range f.val.nodes {
			b.unread(c)
		}
	}
}
