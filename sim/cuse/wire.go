// SPDX-License-Identifier: Apache-2.0

//go:build linux

package cuse

// The kernel's side of the protocol, from include/uapi/linux/fuse.h. All numbers
// have the byte order of the machine; all structures are the same on 32 and 64 bits.
const (
	opOpen    = 14
	opRead    = 15
	opWrite   = 16
	opRelease = 18
	opIoctl   = 39
	opInit    = 4096 // CUSE_INIT

	protocolMajor = 7
	minMinor      = 16 // since then an ioctl's memory is described by structures of one size
	ourMinor      = 31 // a reply with more has more in it

	unrestrictedIoctl = 1 << 0 // CUSE_UNRESTRICTED_IOCTL: the server says which memory an ioctl is about

	ioctlRetry = 1 << 2 // FUSE_IOCTL_RETRY
	ioctl32Bit = 1 << 3 // FUSE_IOCTL_32BIT: the program's pointers and longs have 32 bits

	maxIovs  = 256       // FUSE_IOCTL_MAX_IOV
	maxBytes = 128 << 10 // 32 pages: of one ioctl, each way
	maxErrno = 512       // the kernel refuses greater ones
)

// The sizes of structures.
const (
	sizeInHeader  = 40 // fuse_in_header: len, opcode, unique, nodeid, uid, gid, pid, padding
	sizeOutHeader = 16 // fuse_out_header: len, error, unique
	sizeInitIn    = 16 // cuse_init_in: major, minor, unused, flags
	// cuse_init_out: major, minor, unused, flags, max_read, max_write, dev_major, dev_minor, spare[10]
	sizeInitOut  = 72
	sizeOpenOut  = 16 // fuse_open_out: fh, open_flags, padding
	sizeRelease  = 24 // fuse_release_in: fh, flags, release_flags, lock_owner
	sizeReadIn   = 40 // fuse_read_in: fh, offset, size, read_flags, lock_owner, flags, padding
	sizeWriteIn  = 40 // fuse_write_in: fh, offset, size, write_flags, lock_owner, flags, padding
	sizeWriteOut = 8  // fuse_write_out: size, padding
	sizeIoctlIn  = 32 // fuse_ioctl_in: fh, flags, cmd, arg, in_size, out_size
	sizeIoctlOut = 16 // fuse_ioctl_out: result, flags, in_iovs, out_iovs
	sizeIovec    = 16 // fuse_ioctl_iovec: base, len

	// requestSize holds the greatest request.
	requestSize = sizeInHeader + sizeWriteIn + maxBytes
)

// Requests of include/uapi/linux/i2c-dev.h.
const (
	i2cRetries    = 0x0701
	i2cTimeout    = 0x0702
	i2cSlave      = 0x0703
	i2cTenBit     = 0x0704
	i2cFuncs      = 0x0705
	i2cSlaveForce = 0x0706
	i2cRdwr       = 0x0707
	i2cPEC        = 0x0708
	i2cSMBus      = 0x0720
)

// Limits and flags of include/uapi/linux/i2c.h and drivers/i2c/i2c-dev.c.
const (
	maxMessages = 42     // I2C_RDWR_IOCTL_MAX_MSGS
	maxMessage  = 8192   // bytes
	flagRead    = 0x0001 // I2C_M_RD
	flagDMASafe = 0x0200 // I2C_M_DMA_SAFE, which means nothing here
	maxAddress  = 0x7F
	maxTenBit   = 0x3FF

	// functions is I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL, what i2c-bcm2835 says.
	functions = 0x0EFF0009
)
