// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/ros2"
)

// newOutputs creates the topics of the rows, in order. On an error no topic remains.
func newOutputs(n *ros2.Node, set *Settings, rows []Topic) ([]Output, error) {
	var all []Output
	for _, row := range rows {
		for i, name := range row.Names() {
			out, err := newOutput(n, row, i, name, set.Prefix)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("driver: %w", err), CloseOutputs(all))
			}
			all = append(all, out)
		}
	}
	return all, nil
}

// newOutput creates the topic of member i of a row.
func newOutput(n *ros2.Node, row Topic, i int, name, prefix string) (Output, error) {
	if row.offer == nil {
		return nil, fmt.Errorf("%w: no publisher for topic %q", errRow, row.Name)
	}
	frame := prefix + row.Frame
	if len(row.Numbers) > 0 {
		frame = fmt.Sprintf("%s%s%d", prefix, row.Frame, row.Numbers[i])
	}
	return row.offer(n, row, i, name, frame)
}

// offerer creates the output of member i of a row of the table of topics.
type offerer func(n *ros2.Node, row Topic, i int, name, frame string) (Output, error)

// member creates outputs of messages that depend on the member of the family and on its frame.
func member[T any, P ros2.MessageOf[T]](build func(i int, frame string) func(m *T, r *Reading) bool) offerer {
	return func(n *ros2.Node, row Topic, i int, name, frame string) (Output, error) {
		t, err := NewFeed[T, P](n, row, name, build(i, frame))
		if err != nil {
			return nil, err
		}
		return t, nil
	}
}

// framed creates outputs of messages that depend on their frame.
func framed[T any, P ros2.MessageOf[T]](build func(frame string) func(m *T, r *Reading) bool) offerer {
	return member[T, P](func(_ int, frame string) func(*T, *Reading) bool { return build(frame) })
}

// kept creates outputs whose builder keeps state from one message to the next.
func kept[T any, P ros2.MessageOf[T]](build func() func(m *T, r *Reading) bool) offerer {
	return member[T, P](func(int, string) func(*T, *Reading) bool { return build() })
}

// built creates outputs of messages that depend on the reading alone.
func built[T any, P ros2.MessageOf[T]](build func(m *T, r *Reading) bool) offerer {
	return member[T, P](func(int, string) func(*T, *Reading) bool { return build })
}

// CloseOutputs closes the topics.
func CloseOutputs(outputs []Output) error {
	var errs []error
	for _, o := range outputs {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}
