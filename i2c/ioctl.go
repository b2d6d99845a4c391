// SPDX-License-Identifier: Apache-2.0

package i2c

import "unsafe"

// Requests of the kernel's include/uapi/linux/i2c-dev.h.
const (
	ioctlTimeout = 0x0702 // I2C_TIMEOUT: the time-out of the adapter, in units of 10 ms
	ioctlFuncs   = 0x0705 // I2C_FUNCS: what the adapter can do, an unsigned long
	ioctlRdwr    = 0x0707 // I2C_RDWR: one transaction of several messages with repeated starts

	funcI2C  = 0x0001 // I2C_FUNC_I2C: plain I2C messages
	flagRead = 0x0001 // I2C_M_RD

	maxLen = 8192 // of one message: the kernel's limit in i2c-dev.c
)

// message is struct i2c_msg of include/uapi/linux/i2c.h:
//
//	     0      2       4      6 (32 bit: 8)      (64 bit: 8)
//	+-------+-------+-------+-------+-----------------------+
//	| addr  | flags | len   | pad   | pointer to the bytes  |
//	+-------+-------+-------+-------+-----------------------+
//
// The pointer keeps its bytes alive while the kernel uses them.
type message struct {
	addr  uint16
	flags uint16
	len   uint16
	buf   unsafe.Pointer
}

// transaction is struct i2c_rdwr_ioctl_data of include/uapi/linux/i2c-dev.h.
type transaction struct {
	msgs unsafe.Pointer
	n    uint32
}

// port is an open device file.
type port interface {
	// transfer is I2C_RDWR.
	transfer(t *transaction) error
	// functions is I2C_FUNCS.
	functions() (uint, error)
	// setTimeout is I2C_TIMEOUT, in units of 10 ms.
	setTimeout(units int) error
	close() error
}
