// SPDX-License-Identifier: Apache-2.0

// Package wifi serves the e-puck2's Wi-Fi protocol for simulated robots: each robot listens on a port of its own
// and answers as the robot's radio module and main processor do.
//
//	client ◄── TCP ──► Radio: socket_e-puck2.c, uart_e-puck2.c ◄──► body: Asercom2.c ◄──► sim.Functional
//
// # What the real one does, and so does this
//
// (socket_e-puck2.c and uart_e-puck2.c are of e-puck2_esp32_wifi, the rest of e-puck2_main-processor.)
//
//   - There is one client; the next one waits until the first is gone (socket_e-puck2.c, states 2 and 3).
//   - Nothing is sent before a whole command with its first byte 0x80 has arrived in one piece. From then on the robot
//     answers every 20 ms on its own, as the last command says. Melody and calibration are done anew each time,
//     too, until a command without them has arrived.
//   - Sensors are measured right after the answer before was sent, and before the command of that time is carried out.
//     So the first answer to a new client is as old as the last one to the client before.
//   - Commands that come faster are carried out one each answer; of five or more that wait the latest counts.
//   - A command cut short is waited for without an end: the robot is silent, and its wheels keep their speed.
//   - Once a client has begun, the first byte of its commands is not looked at.
//   - A client that is gone is noticed when sending fails. Nothing stops the wheels then: neither processor has a
//     watchdog, and a robot out of reach drives on. This is the reason for the drivers' own rules.
//   - A calibration holds the main processor for a second, and the radio module, which hears nothing, waits one more.
//
// # What differs
//
// A client that closes before its first command, or after one that is not answered, keeps the real radio module busy
// without end; here the next one has its turn, and one that takes no answers for a minute is sent away. A melody is not
// cut off by another, and the body's and the front's LED can't be seen: the world has neither. Ambient light under the
// robot, button and memory card read 0.
package wifi
