// SPDX-License-Identifier: Apache-2.0

package table

// LEDType is the message type of the red LEDs' topics (parameter led_type).
type LEDType string

// The values of the parameter led_type.
const (
	// ledInt32 is std_msgs/Int32, as on the Webots robot: 0 is off, anything else on.
	ledInt32 LEDType = "int32"
	// ledBool is std_msgs/Bool, as in the old driver.
	ledBool LEDType = "bool"
)
