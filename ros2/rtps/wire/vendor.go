// SPDX-License-Identifier: Apache-2.0

package wire

import "fmt"

// VendorID identifies the implementation that sent a message (DDSI-RTPS 8.3.3.1.3), as one big-endian number.
type VendorID uint16

// Vendor ids that the code distinguishes, from the OMG's list.
const (
	VendorUnknown  VendorID = 0x0000
	VendorRTI      VendorID = 0x0101 // Connext
	vendorOpenDDS  VendorID = 0x0103
	VendorEProsima VendorID = 0x010f // Fast DDS
	VendorCyclone  VendorID = 0x0110 // Eclipse Cyclone DDS
	VendorRustDDS  VendorID = 0x0112
	vendorDust     VendorID = 0x0114 // Dust DDS

	// VendorOwn is the id of this implementation. It is not registered: 01.70 to 01.7f are far from those that the OMG
	// has assigned. It must not be 00.00, which Fast DDS 3 treats as its own in endpoint discovery, nor the id of
	// another vendor, whose extensions peers would then expect.
	VendorOwn VendorID = 0x017e
)

// String returns the octets in dotted hex.
func (v VendorID) String() string { return fmt.Sprintf("%02x.%02x", uint8(v>>8), uint8(v)) }

// Name returns the name of the implementation, or the octets if it is not one
// of the constants.
func (v VendorID) Name() string {
	switch v {
	case VendorRTI:
		return "RTI Connext"
	case vendorOpenDDS:
		return "OpenDDS"
	case VendorEProsima:
		return "Fast DDS"
	case VendorCyclone:
		return "Cyclone DDS"
	case VendorRustDDS:
		return "RustDDS"
	case vendorDust:
		return "Dust DDS"
	case VendorOwn:
		return "epuck-driver"
	}
	return v.String()
}

// ProtocolVersion is major version * 256 + minor version (8.3.3.1.2).
type ProtocolVersion uint16

// Version23 is RTPS 2.3, the version this package sends.
const Version23 ProtocolVersion = 0x0203

// major returns the major version.
func (v ProtocolVersion) major() uint8 { return uint8(v >> 8) }

// minor returns the minor version.
func (v ProtocolVersion) minor() uint8 { return uint8(v) }

// supported reports whether messages of version v can be read: 2.1 and later
// with the same major version.
func (v ProtocolVersion) supported() bool { return v.major() == 2 && v.minor() >= 1 }

// String returns the version in the form "2.3".
func (v ProtocolVersion) String() string { return fmt.Sprintf("%d.%d", v.major(), v.minor()) }
