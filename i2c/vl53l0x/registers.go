// SPDX-License-Identifier: Apache-2.0

package vl53l0x

// Addr is the 7-bit address after power-on.
const Addr = 0x29

// modelID is the value of register 0xC0.
const modelID = 0xEE

// Registers of page 0 (of another page if the comment has one), from ST's API.
const (
	regRangeStart           = 0x00
	regSequence             = 0x01
	regPeriod               = 0x04 // 32 bits
	regInterruptConfig      = 0x0A
	regInterruptClear       = 0x0B
	regInterruptStatus      = 0x13
	regResult               = 0x14 // 12 bytes
	regPhaseCalTimeout      = 0x30 // page 1: the limit of the phase calibration
	regVCSELWidth           = 0x32
	regMinRate              = 0x44 // 16 bits, 9.7 MCPS
	regMSRCTimeout          = 0x46
	regFinalPhaseLow        = 0x47
	regFinalPhaseHigh       = 0x48
	regPreVCSEL             = 0x50
	regPreTimeout           = 0x51 // 16 bits
	regPrePhaseLow          = 0x56
	regPrePhaseHigh         = 0x57
	regMSRC                 = 0x60
	regFinalVCSEL           = 0x70
	regFinalTimeout         = 0x71 // 16 bits
	regPower                = 0x80
	regNVMStrobe            = 0x83
	regGPIOLevel            = 0x84
	regVHV                  = 0x89
	regStop                 = 0x91 // page 1
	regNVMAnswer            = 0x92 // page 7
	regNVMAddress           = 0x94 // page 7
	regSPADMap              = 0xB0 // 6 bytes
	regSPADStart            = 0xB6
	regSPADCount            = 0x4E // page 1
	regSPADOffset           = 0x4F // page 1
	regSoftReset            = 0xBF
	regModel                = 0xC0
	regOscillator           = 0xF8 // 16 bits
	regPage                 = 0xFF
	startBackToBack         = 0x02
	startTimed              = 0x04
	sequenceRanging         = 0xE8 // DSS, pre-range, final range
	readyMask               = 0x07
	internalPage       byte = 0x06
)
