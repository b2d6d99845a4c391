// SPDX-License-Identifier: Apache-2.0

package dynamic_test

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// Errors of Fill have the path of the field.
func ExampleMessage_Fill() {
	typ, err := dynamic.Resolve("geometry_msgs/msg/Twist", msgs.Definition)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{"{linear: {forward: 1}}", "{linear: {x: fast}}", "fast"} {
		_, err := dynamic.New(typ).Fill(text)
		var fill *dynamic.FillError
		fmt.Printf("%v: %q, field %v, value %v, mapping %v\n", errors.As(err, &fill), fill.Field,
			errors.Is(err, dynamic.ErrField), errors.Is(err, dynamic.ErrValue), !errors.Is(err, dynamic.ErrNotMapping))
	}
	_, err = dynamic.Resolve("my/msg/Wide", func(string) (string, bool) { return "wstring text\n", true })
	fmt.Println(errors.Is(err, dynamic.ErrUnsupported))
	// Output:
	// true: "linear.forward", field true, value false, mapping true
	// true: "linear.x", field false, value true, mapping true
	// true: "", field false, value false, mapping false
	// true
}
