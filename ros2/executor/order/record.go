// SPDX-License-Identifier: Apache-2.0

package order

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// Run is the record of one executed callback.
type Run struct {
	// Tag is its logical time.
	Tag Tag
	// Source is the callback's source. Its Limit is not recorded.
	Source ros2.CallbackSource
	// Process is the callback's member; "" is the leader's process, or the only one.
	Process string
	// Outside means that it was caused from outside the application.
	Outside bool
	// Got identifies the message from outside that caused it, see wire.Sum; 0 if unknown or none.
	Got uint64
	// Sent are the messages that it published, in order.
	Sent []Sent
}

// Sent is a published message.
type Sent struct {
	// Topic is its full name.
	Topic string
	// Sum identifies the encoded message, see wire.Sum.
	Sum uint64
}

// who returns the beginning of the line, without the sent messages.
func (r *Run) who() string {
	who := fmt.Sprintf("%s %v %s", r.Source.Node.FullName(), r.Source.Kind, strconv.Quote(r.Source.Name))
	if r.Process != "" {
		who += " in " + r.Process
	}
	return who
}

// String returns the line of a record: tag, node, kind and name, "in" with the process, "outside" with "<" and the hash
// of the causing message, and for each sent message ">" with its topic and hash, as in 3.200000000+1 /b subscription
// "/scan" in brain outside < 0d06b62425b0a50a > /cmd_vel 00c3a1b2d4e5f607.
func (r Run) String() string {
	var b strings.Builder
	b.WriteString(r.Tag.String() + " " + r.who())
	if r.Outside {
		b.WriteString(" outside")
	}
	if r.Got != 0 {
		fmt.Fprintf(&b, " < %016x", r.Got)
	}
	for _, s := range r.Sent {
		fmt.Fprintf(&b, " > %s %016x", s.Topic, s.Sum)
	}
	return b.String()
}

// ParseRun parses a line of a record. Its errors wrap [ErrRecord].
func ParseRun(line string) (r Run, err error) {
	wrong := func() (Run, error) { return Run{}, fmt.Errorf("%w: line %q", ErrRecord, line) }
	head, rest, ok := strings.Cut(line, ` "`)
	if !ok {
		return wrong()
	}
	words := strings.Split(head, " ")
	if len(words) != 3 {
		return wrong()
	}
	if r.Tag, err = parseTag(words[0]); err != nil {
		return Run{}, err
	}
	slash := strings.LastIndexByte(words[1], '/')
	if slash < 0 {
		return wrong()
	}
	r.Source.Node.Namespace, r.Source.Node.Name = words[1][:slash], words[1][slash+1:]
	if slash == 0 {
		r.Source.Node.Namespace = "/"
	}
	kind := ros2.CallbackKind(0)
	for ; kind.String() != words[2]; kind++ {
		if kind > ros2.ReplyCallback {
			return wrong()
		}
	}
	r.Source.Kind = kind
	quoted, err := strconv.QuotedPrefix(`"` + rest)
	if err != nil {
		return wrong()
	}
	if r.Source.Name, err = strconv.Unquote(quoted); err != nil {
		return wrong()
	}
	rest = rest[len(quoted)-1:]
	if after, in := strings.CutPrefix(rest, " in "); in {
		end := strings.IndexByte(after+" ", ' ')
		r.Process, rest = after[:end], after[end:]
	}
	rest, r.Outside = strings.CutPrefix(rest, " outside")
	if after, got := strings.CutPrefix(rest, " < "); got {
		if len(after) < 16 {
			return wrong()
		}
		if r.Got, err = strconv.ParseUint(after[:16], 16, 64); err != nil {
			return wrong()
		}
		rest = after[16:]
	}
	for rest != "" {
		var s Sent
		var sum string
		if rest, ok = strings.CutPrefix(rest, " > "); !ok {
			return wrong()
		}
		if s.Topic, rest, ok = strings.Cut(rest, " "); !ok || len(rest) < 16 {
			return wrong()
		}
		sum, rest = rest[:16], rest[16:]
		if s.Sum, err = strconv.ParseUint(sum, 16, 64); err != nil {
			return wrong()
		}
		r.Sent = append(r.Sent, s)
	}
	if r.String() != line {
		return wrong()
	}
	return r, nil
}

// ReadRecord reads a record, one line per run.
func ReadRecord(from io.Reader) ([]Run, error) {
	var all []Run
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r, err := ParseRun(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: line %d: %w", ErrRecord, len(all)+1, err)
	}
	return all, nil
}

// same reports whether two runs are equal, including the sent messages.
func (r *Run) same(o *Run) bool {
	return r.Tag == o.Tag && r.Outside == o.Outside && r.gotLike(o) && r.who() == o.who() && slices.Equal(r.Sent, o.Sent)
}

// gotLike reports whether two runs may have been caused by the same message.
func (r *Run) gotLike(o *Run) bool { return r.Got == o.Got || r.Got == 0 || o.Got == 0 }

// Difference describes the first difference of two runs, as in "run 2 diverges from run 1 at t = 3.200 s: node /b ran
// before /a"; "" if there is none.
func Difference(run1, run2 []Run) string {
	for i := range max(len(run1), len(run2)) {
		switch {
		case i == len(run1):
			return diverges(&run2[i], fmt.Sprintf("it continues with %s where run 1 ends", run2[i].who()))
		case i == len(run2):
			return diverges(&run1[i], fmt.Sprintf("it ends before %s", run1[i].who()))
		case run1[i].same(&run2[i]):
			continue
		}
		a, b := &run1[i], &run2[i]
		switch {
		case a.who() != b.who() && (a.membership() || b.membership()):
			return diverges(earlier(a, b), fmt.Sprintf("%s where %s", b.deed(), a.deed()))
		case a.who() != b.who() && a.Source.Node != b.Source.Node:
			return diverges(earlier(a, b), fmt.Sprintf("node %s ran before %s (%s, not %s)", b.Source.Node.FullName(), a.Source.Node.FullName(), b.who(), a.who()))
		case a.who() != b.who():
			return diverges(earlier(a, b), fmt.Sprintf("%s ran before %s", b.who(), a.who()))
		case a.Tag != b.Tag:
			return diverges(earlier(a, b), fmt.Sprintf("%s ran at %v, not at %v", b.who(), b.Tag, a.Tag))
		case a.Outside != b.Outside:
			return diverges(a, fmt.Sprintf("the cause of %s has another origin", b.who()))
		case !a.gotLike(b):
			return diverges(a, fmt.Sprintf("%s ran for another message from outside", b.who()))
		}
		return diverges(a, fmt.Sprintf("%s sent something else: %s", b.who(), sentDifference(a.Sent, b.Sent)))
	}
	return ""
}

// deed describes the event of a line about a member.
func (r *Run) deed() string {
	switch {
	case !r.membership():
		return r.who() + " ran"
	case r.Source.Name == lineLost:
		return "member " + r.Process + " was lost"
	}
	return "member " + r.Process + " " + r.Source.Name
}

func earlier(a, b *Run) *Run {
	if b.Tag.compare(a.Tag) < 0 {
		return b
	}
	return a
}

func diverges(at *Run, what string) string {
	return fmt.Sprintf("run 2 diverges from run 1 at t = %.3f s: %s", at.Tag.Time.Seconds(), what)
}

func sentDifference(a, b []Sent) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i].Topic != b[i].Topic {
				return fmt.Sprintf("%s before %s", b[i].Topic, a[i].Topic)
			}
			return "another message on " + a[i].Topic
		}
	}
	return fmt.Sprintf("%d messages, not %d", len(b), len(a))
}
