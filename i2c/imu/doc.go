// SPDX-License-Identifier: Apache-2.0

// Package imu drives the inertial measurement unit of an e-puck2: accelerometer, gyroscope and, where it can be
// reached, the magnetometer.
//
// Two kinds were built in. They have no register in common, so the chip is identified, at both possible addresses:
//
//	device              address     magnetometer       on bus           tested           on hardware
//	MPU-9250, MPU-9255  0x68, 0x69  AK8963 behind it   e-puck (i2c-12)  recorded, vimu   no
//	MPU-6500            0x68, 0x69  none               e-puck (i2c-12)  vimu             no
//	ICM-20948           0x68, 0x69  AK09916 behind it  e-puck (i2c-12)  recorded, vimu   no
//
// Recorded means recorded transactions; vimu is the virtual chip in sim/chip/vimu.
//
// Magnetometers are read by the IMU's own I2C master, which appends their data to the other measurements; the auxiliary
// lines are not connected to the robot's bus. On some robots the auxiliary bus is not usable: then there is no
// magnetometer, which is not an error.
//
// A measurement is one transaction, so its parts are consistent; all integers are big-endian, except those of the
// magnetometers:
//
//	MPU-9250    0x3B                 0x41        0x43                 0x49
//	            | accel x y z        | temp      | gyro x y z         | ST1, x y z, ST2 (little-endian) |
//	ICM-20948   0x2D                 0x33                 0x39        0x3B
//	            | accel x y z        | gyro x y z         | temp      | ST1, x y z, –, ST2 (little-endian) |
//
// At 100 kHz a sample takes 1.5 ms of the bus, the magnetometer 0.8 ms more when it is due, the check of the
// configuration 0.7 ms, and a Poll of the bring-up at most 3.1 ms (Opts.Budget).
//
// Values are in SI units and in the robot's axes (x forward, y left, z up: REP 103). Acceleration is the specific force
// and includes gravity (REP 145): a robot at rest measures +9.81 m/s² on z.
//
// Sources: register maps RM-MPU-9250A-00, DS-000189 (ICM-20948), AK8963 and AK09916 data sheets; firmware of the
// e-puck2's main processor for the scales and the axes.
package imu
