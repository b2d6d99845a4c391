/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's video structures as Go has them on a 32-bit processor: with 32-bit seconds. The structs timeval and
 * timespec of musl have 64-bit seconds, which would make struct v4l2_buffer, and with it the numbers of its ioctls,
 * those of 64-bit times, while go4vl reads the time of a buffer as syscall.Timeval. scripts/cross.sh includes this file
 * before any other. */
#ifndef __ASSEMBLER__
#include <sys/time.h>
#include <linux/time_types.h>
#define timeval __kernel_old_timeval
#define timespec __kernel_old_timespec
#include <linux/videodev2.h>
#undef timeval
#undef timespec
_Static_assert(sizeof(struct v4l2_buffer) == 68, "struct v4l2_buffer has 64-bit times");
#endif
