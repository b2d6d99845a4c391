// SPDX-License-Identifier: Apache-2.0

//go:build linux

// Package m2m encodes JPEG and scales pictures on the Raspberry Pi's GPU, through the kernel's memory-to-memory video
// devices.
//
// Such a device has two queues of buffers. Pictures are queued in OUTPUT (the program's output) and the results
// dequeued from CAPTURE:
//
//	           copy                                               copy
//	frame ──────────────► OUTPUT buffer ──► GPU ──► CAPTURE buffer ────────► picture
//	        S_FMT YUYV      QBUF … DQBUF              QBUF … DQBUF
//	                      (timestamp: a number      (the same number comes
//	                       the program chose)        back with the result)
//
// The devices use the multi-planar API, which no Go package supports; so the structures and requests are here, in a
// layout for arm, 386, amd64 and arm64 (abi.go). Their node numbers can change, so a device is found by its card name:
// cardJPEG, cardISP.
//
// [NewJPEGEncoder] and [NewISP] are intended for a camera.Pipeline, which falls back to the CPU on any error. Several
// pictures may be in the GPU at once. A timeout of the GPU is an error, too, and Close then releases what it can.
//
// Tested: everything against a model of the kernel (its order of requests, buffer states, plane counts, error numbers
// and rounding of sizes, as far as drivers/staging/vc04_services/bcm2835-codec and videobuf2 show them), with faults;
// and the interface itself in a virtual machine on vicodec, the kernel's virtual codec. Not tested: a Raspberry Pi's
// GPU. Whether its firmware applies the colour range, and its speed, are unknown.
package m2m
