// SPDX-License-Identifier: Apache-2.0

// Package battery reads the battery voltages of a Pi-puck and watches them.
//
//	device                 bus          address          tested                             on hardware
//	ADS1015 battery ADC    Pi-puck      0x48 (kernel)    made-up and virtual sysfs, faults  not tried
//
// The converter belongs to a kernel driver, so this package makes no I2C transactions: it reads the driver's files, in
// one of two forms (sources: GCtronic's battery/read-battery.py, York Robotics Laboratory's utilities/pi-puck-battery):
//
//	kernel 5.4 and later   <bus>-0048/iio:device0/in_voltage{0,1}_{raw,scale}
//	older                  <bus>-0048/in{4,5}_input, or hwmon/hwmonN/in{4,5}_input
//
// Channel 0 (4) is the robot's battery, channel 1 (5) an auxiliary one that may be missing. A divider halves the
// voltage, and the scale is in millivolts: V = raw·scale/500.
//
// [Dev] reads one file per call of [Dev.Poll], because each read makes the kernel access another bus; [Monitor]
// converts the readings to levels and reports a critical battery once.
package battery
