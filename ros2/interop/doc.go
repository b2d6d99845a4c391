// SPDX-License-Identifier: Apache-2.0

// Package interop tests the interoperability of the project's RTPS stack with Eclipse Cyclone DDS and eProsima Fast
// DDS, in the versions that Debian packages (cyclonedds-dev and cyclonedds-tools, libfastrtps-dev and libfastcdr-dev).
//
// The peers are small programs under testdata, built by the tests themselves and driven through their standard input
// (testdata/common/main.c describes the commands). All run in a separate network namespace that has only a loopback
// interface, isolated from the machine's networks. Creating the namespace requires root, or a kernel that allows user
// namespaces.
//
// The program for Windows runs under Wine, on a host of its own (TestWindowsProgram), and so do the tests of packages
// that differ by system (TestUnitTestsOnWindows).
//
// The tests have the build tag peers; make test-peers runs them. They fail where a requirement is missing (a peer's
// library, tshark, the right to create a namespace) and name it; scripts/setup.sh installs all of them. A peer that
// receives nothing is a failure, too (TestSilentPeerFails).
package interop
