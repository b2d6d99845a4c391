// SPDX-License-Identifier: Apache-2.0

package order

import (
	"fmt"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/executor/order/wire"
)

// wireTag and tagOf convert tags to those of the protocol and back.
func wireTag(t Tag) wire.Tag { return wire.Tag{int64(t.Time), int64(t.Micro)} }

func tagOf(t wire.Tag) Tag { return Tag{time.Duration(t[0]), int(t[1])} }

func tagOrNil(t *wire.Tag) *Tag {
	if t == nil {
		return nil
	}
	tag := tagOf(*t)
	return &tag
}

// wireRuns and runOf convert lines of the record.
func wireRuns(runs []Run) (all []wire.Run) {
	for i := range runs {
		r := &runs[i]
		w := wire.Run{At: wireTag(r.Tag), Node: r.Source.Node.FullName(), Source: r.Source.Kind.String(), Name: r.Source.Name, Outside: r.Outside, Got: wire.Sum(r.Got)}
		for _, s := range r.Sent {
			w.Sent = append(w.Sent, wire.Sent{Topic: s.Topic, Sum: wire.Sum(s.Sum)})
		}
		all = append(all, w)
	}
	return all
}

func runOf(w *wire.Run, process string) Run {
	r := Run{Tag: tagOf(w.At), Process: process, Outside: w.Outside, Got: uint64(w.Got), Source: ros2.CallbackSource{Node: nodeOf(w.Node), Name: w.Name}}
	for kind := ros2.TimerCallback; kind <= ros2.ReplyCallback; kind++ {
		if kind.String() == w.Source {
			r.Source.Kind = kind
		}
	}
	for _, s := range w.Sent {
		r.Sent = append(r.Sent, Sent{s.Topic, uint64(s.Sum)})
	}
	return r
}

// nodeOf splits the full name of a node.
func nodeOf(full string) ros2.NodeName {
	slash := strings.LastIndexByte(full, '/')
	return ros2.NodeName{Namespace: full[:max(1, slash)], Name: full[slash+1:]}
}

// secondsOf returns the seconds and nanoseconds since 1970.
func secondsOf(t time.Time) [2]int64 { return [2]int64{t.Unix(), int64(t.Nanosecond())} }

// topicOf returns a topic of the protocol.
func topicOf(application, which string) string { return fmt.Sprintf("/%s/%s", application, which) }
