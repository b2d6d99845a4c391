// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

import "syscall"

// pecOf continues SMBus's packet error code, a CRC-8 with the polynomial
// x⁸ + x² + x + 1 over all bytes from the address on (SMBus 3.2, 6.4).
func pecOf(crc byte, bytes ...byte) byte {
	for _, b := range bytes {
		crc ^= b
		for range 8 {
			high := crc&0x80 != 0
			crc <<= 1
			if high {
				crc ^= 0x07
			}
		}
	}
	return crc
}

// checkPEC takes the error code off what was read after w was written, or fails with EBADMSG as the kernel does.
func checkPEC(addr uint16, w, r []byte) ([]byte, error) {
	crc := byte(0)
	if w != nil {
		crc = pecOf(pecOf(crc, byte(addr<<1)), w...)
	}
	data, code := r[:len(r)-1], r[len(r)-1]
	if pecOf(pecOf(crc, byte(addr<<1)|1), data...) != code {
		return nil, syscall.EBADMSG
	}
	return data, nil
}
