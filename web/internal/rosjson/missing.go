// SPDX-License-Identifier: Apache-2.0

package rosjson

import (
	"encoding/json"

	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// maxMissing bounds the fields that [Missing] lists.
const maxMissing = 20

// Missing lists the fields of a type that a JSON object does not have, as in "linear.x", except headers and their
// stamps, which a publisher may omit; at most 20. The object must be one that [Decode] reads.
func Missing(t *dynamic.Type, data []byte) []string {
	var object map[string]any
	if json.Unmarshal(Strict(data), &object) != nil {
		return nil
	}
	return missing(t, object, "", nil)
}

func missing(t *dynamic.Type, object map[string]any, path string, found []string) []string {
	given := map[string]any{}
	for name, v := range object {
		given[alias(t, name)] = v
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		v, ok := given[f.Name]
		omitted := f.Type != nil && f.Type.Name == "std_msgs/msg/Header" || t.Name == "std_msgs/msg/Header" && f.Name == "stamp"
		switch {
		case len(found) >= maxMissing || !ok && omitted:
		case !ok:
			found = append(found, path+f.Name)
		case f.Kind == dynamic.Nested && f.Container == dynamic.Single:
			if sub, isObject := v.(map[string]any); isObject {
				found = missing(f.Type, sub, path+f.Name+".", found)
			}
		}
	}
	return found
}
