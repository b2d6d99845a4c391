// SPDX-License-Identifier: Apache-2.0

// Package interop holds the tests that let the project's RTPS stack talk to
// other people's: Eclipse Cyclone DDS and eProsima Fast DDS, in the versions
// Debian packages (cyclonedds-dev and cyclonedds-tools, libfastrtps-dev and
// libfastcdr-dev).
//
// The peers are small programs under testdata, built by the tests themselves and driven through their standard input
// (testdata/common/main.c describes the commands). Everything runs in a network namespace of its own, in which only the
// loopback interface exists, so nothing reaches the machine's networks and nothing there disturbs the tests. Creating
// the namespace requires root, or a kernel that allows user namespaces.
//
// What is missing on a machine (a peer's library, tshark, the right to make a namespace) skips the tests that need it,
// with the reason. With EPUCK_INTEROP=required in the environment it fails them: that is how the project's own test
// command runs. A peer that is present and receives nothing is a failure (TestSilentPeerFails).
package interop
