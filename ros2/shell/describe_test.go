// SPDX-License-Identifier: Apache-2.0

package shell_test

import (
	"strings"
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/cdr"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// description is the description of an unknown type by a node of ROS 2 Iron or later.
const description = `
successful: true
type_description:
  type_description:
    type_name: x_msgs/msg/Thing
    fields:
    - {name: stamp, type: {type_id: 1, nested_type_name: builtin_interfaces/msg/Time}}
    - {name: values, type: {type_id: 155}}
  referenced_type_descriptions:
  - type_name: builtin_interfaces/msg/Time
    fields: [{name: sec, type: {type_id: 6}}, {name: nanosec, type: {type_id: 7}}]
`

// describer creates a node that publishes and describes the type, and returns its hash.
func (w *world) describer(text, hash string) {
	w.t.Helper()
	tr := w.net.NewTransport()
	node := ros2.NodeName{Namespace: "/", Name: "thinker"}
	response, err := dynamic.Resolve("type_description_interfaces/srv/GetTypeDescription_Response", msgs.Definition)
	if err != nil {
		w.t.Fatal(err)
	}
	answer := dynamic.New(response)
	if _, err := answer.Fill(text); err != nil {
		w.t.Fatal(err)
	}
	if err := tr.AddNode(node); err != nil {
		w.t.Fatal(err)
	}
	_, err = tr.NewServer(ros2.ServerConfig{
		ServiceConfig: ros2.ServiceConfig{Node: node, Name: "/thinker/get_type_description", Type: "type_description_interfaces/srv/GetTypeDescription"},
		OnRequest: func(r ros2.Request) {
			if err := r.Respond(cdr.Append(nil, answer)); err != nil {
				w.t.Error(err)
			}
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	writer, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
		Node: node, Topic: "/thing", Type: "x_msgs/msg/Thing", TypeHash: hash, QoS: ros2.LatchedQoS(),
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := writer.Write([]byte{0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 248, 63}); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			w.t.Error(err)
		}
	})
}

// thingHash returns the hash of the described type.
func thingHash(t *testing.T) string {
	t.Helper()
	typ, err := dynamic.Resolve("x_msgs/msg/Thing", func(name string) (string, bool) {
		if name == "x_msgs/msg/Thing" {
			return "builtin_interfaces/msg/Time stamp\nfloat64[] values\n", true
		}
		return msgs.Definition(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return typ.Hash()
}

// The description of an unknown type is requested from the node that publishes it.
func TestEchoOfDescribedType(t *testing.T) {
	hash := thingHash(t)
	inWorld(t, func(w *world) {
		w.describer(description, hash)
		w.want("topic echo --once /thing", "stamp:\n  sec: 1\n  nanosec: 2\nvalues:\n- 1.5\n---\n")
	})
}

// A description that does not match the hash, or a missing one, is rejected.
func TestEchoOfUnknownType(t *testing.T) {
	inWorld(t, func(w *world) {
		w.describer(description, "RIHS01_00")
		w.wantError("topic echo --once /thing", "The message type 'x_msgs/msg/Thing' is invalid\n", 1)
		w.want("topic echo --once --raw /thing", `b'\x00\x01\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf8?'`+"\n---\n")
	})
	inWorld(t, func(w *world) {
		w.describer("{successful: false, failure_reason: none}", "RIHS01_00")
		w.wantError("topic echo --once /thing", "The message type 'x_msgs/msg/Thing' is invalid\n", 1)
	})
}

// Messages of a publisher whose type has another definition are not decoded by that which is shown, and the publisher is
// named; --raw shows them.
func TestEchoOfTwoDefinitions(t *testing.T) {
	const shown = "stamp:\n  sec: 1\n  nanosec: 2\nvalues:\n- 1.5\n---\n"
	hash := thingHash(t)
	for line, messages := range map[string]int{
		"topic echo /thing": 1,
		"topic echo /thing --qos-reliability reliable --qos-durability transient_local": 1,
		"topic echo --raw /thing": 2,
	} {
		inWorld(t, func(w *world) {
			w.describer(description, hash)
			tr := w.net.NewTransport()
			defer tr.Close()
			node := ros2.NodeName{Namespace: "/", Name: "other"}
			if err := tr.AddNode(node); err != nil {
				t.Fatal(err)
			}
			writer, err := tr.NewWriter(ros2.WriterConfig{EndpointConfig: ros2.EndpointConfig{
				Node: node, Topic: "/thing", Type: "x_msgs/msg/Thing", TypeHash: "RIHS01_other", QoS: ros2.LatchedQoS(),
			}})
			if err != nil {
				t.Fatal(err)
			}
			if err := writer.Write([]byte{0, 1, 0, 0, 7, 0, 0, 0}); err != nil {
				t.Fatal(err)
			}
			out, errs := w.runHostile(line)
			if messages == 1 {
				want := "Not shown: the messages of /other on /thing: its x_msgs/msg/Thing has another definition (RIHS01_other) than that which is shown (" + hash + ")\n"
				if out != shown || errs != want {
					t.Errorf("%s: printed %q and %q, want %q and %q", line, out, errs, shown, want)
				}
			} else if n := strings.Count(out, "---\n"); n != messages || errs != "" {
				t.Errorf("%s: printed %q and %q, want %d messages", line, out, errs, messages)
			}
		})
	}
}
