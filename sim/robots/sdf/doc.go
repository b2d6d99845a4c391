// SPDX-License-Identifier: Apache-2.0

// Package sdf reads robots that are described for Gazebo: a model of SDFormat 1.4 to 1.11 with links, joints,
// frames, sensors and the plug-in for a pair of wheels. What libsdformat has beyond that is listed as ignored:
// worlds around the model, included files, which are not opened, lights, physics, materials but their colors.
//
// Devices that SDF has no type for are its custom sensors, <sensor type="custom" gz:type="KIND">, with the kinds
// infrared, light, ground, led, battery and gripper, and for a table of answers rows of quantity, value and noise:
//
//	<sensor name="ps0" type="custom" gz:type="infrared">
//	  <update_rate>20</update_rate>
//	  <range><min>0.005</min><max>0.06</max></range> <aperture>0.3</aperture> <rays>3</rays>
//	  <table>0 4095 0.002  0.06 0 0.01</table>
//	</sensor>
//
// The noise of every sensor is <noise> with <mean>, <stddev>, <bias_mean>, <bias_stddev> and <precision>, as SDF has it
// for each axis of an IMU or a magnetometer, and <relative>, a deviation as a part of the value, <min> and <max>, the
// limits of the converter. Biases that change with time are not simulated.
//
// <saturation> of an infrared sensor is a table of the greatest reading by the light on the sensor, W/m².
//
// A gripper's <joint> closes it at its lower limit, <reach> is how far from the sensor's pose it holds something, m.
//
// A battery's <energy> is what is in it and the most that can be, J. It may have <load> and <charging>, W, <voltage> at
// rest when it is full, <voltage_rise> by which that of an empty one is greater, V, and <resistance>, Ω. Gazebo's
// LinearBatteryPlugin is a battery, too.
package sdf
