// SPDX-License-Identifier: Apache-2.0

package imu

import (
	"errors"
	"fmt"

	"github.com/epuck-ros2/epuck-driver/i2c/device"
)

// stage is where a bring-up has got to.
type stage uint8

const (
	stageMPUIdentity stage = iota
	stageICMIdentity
	stageSetUp
	stageMagnetometer
	stageMagnetometerOff
)

// magTries is how often a magnetometer that acknowledges is brought up.
const magTries = 3

// bringUp is the plan: identify the chip at each address, configure it, look for the magnetometer. All steps are
// compiled once.
type bringUp struct {
	opts      *Opts
	chip      *device.Chip
	addresses []uint16

	stage   stage
	at      int   // of addresses
	why     error // why no address before was right
	whoAmI  byte  // register 0x75
	model   Model
	hasMag  bool
	magTry  int // attempts to bring the magnetometer up
	adjust  [3]float64
	configs [numModels][mpuNumConfig]byte

	identifyMPU, identifyICM       []device.Step
	setUpMPU                       [numModels][]device.Step
	setUpICM, setUpAK, setUpAK9    []device.Step
	magnetometerOff, masterOffStep []device.Step
}

func newBringUp(o *Opts, addresses []uint16) *bringUp {
	b := &bringUp{opts: o, addresses: addresses}
	b.identifyMPU = []device.Step{{Write: []byte{mpuWhoAmI}, Read: 1, Tries: 1, Check: func(r []byte) error {
		b.whoAmI = r[0]
		return nil
	}}}
	b.identifyICM = []device.Step{
		device.Write(icmBank, bank0),
		{Write: []byte{icmWhoAmI}, Read: 1, Check: func(r []byte) error {
			if r[0] != icmIdentity {
				return fmt.Errorf("%w at %#02x: register 0x75 is %#02x, an MPU has 0x70, 0x71 or 0x73; register 0x00 is %#02x, "+
					"an ICM-20948 has 0xea", device.ErrIdentity, b.chip.Addr(), b.whoAmI, r[0])
			}
			return nil
		}},
	}
	for _, m := range []Model{MPU9250, MPU9255, MPU6500} {
		b.configs[m] = mpuConfig(o, m)
		b.setUpMPU[m] = mpuSetUp(o, b.configs[m])
	}
	b.setUpICM, b.setUpAK, b.setUpAK9 = icmSetUp(o), ak8963SetUp(o, &b.adjust), ak09916SetUp(o)
	b.magnetometerOff, b.masterOffStep = ak8963Off(), ak09916Off()
	return b
}

// Begin implements device.Plan.
func (b *bringUp) Begin() []device.Step {
	b.stage, b.at, b.why, b.hasMag, b.magTry = stageMPUIdentity, 0, nil, false, 0
	b.chip.SetAddr(b.addresses[0])
	return b.identifyMPU
}

// Next implements device.Plan.
func (b *bringUp) Next(err error) ([]device.Step, error) {
	if err != nil {
		return b.failed(err)
	}
	switch b.stage {
	case stageMPUIdentity:
		if m := mpuModel(b.whoAmI); m != ModelUnknown {
			b.found(m)
			return b.setUpMPU[m], nil
		}
		b.stage = stageICMIdentity
		return b.identifyICM, nil
	case stageICMIdentity:
		b.found(ICM20948)
		return b.setUpICM, nil
	case stageSetUp:
		return b.lookForMagnetometer(), nil
	case stageMagnetometer:
		b.hasMag = true
	}
	return nil, nil
}

// found continues with the set-up of a model.
func (b *bringUp) found(m Model) {
	b.model, b.stage = m, stageSetUp
	b.chip.SetName(m.String())
}

// failed tries the next address after the identification, continues without a magnetometer, or gives up.
func (b *bringUp) failed(err error) ([]device.Step, error) {
	switch b.stage {
	case stageMPUIdentity, stageICMIdentity:
		if b.why == nil || errors.Is(err, device.ErrIdentity) {
			b.why = err
		}
		if b.at++; b.at < len(b.addresses) {
			b.stage = stageMPUIdentity
			b.chip.SetAddr(b.addresses[b.at])
			return b.identifyMPU, nil
		}
		return nil, fmt.Errorf("imu: bring-up: %w", b.why)
	case stageMagnetometer:
		if b.magTry++; b.magTry < magTries && !errors.Is(err, errNoMagnetometer) {
			return b.lookForMagnetometer(), nil // a lost answer: "done" is cleared by reading it
		}
		b.stage = stageMagnetometerOff
		if b.model == ICM20948 {
			return b.masterOffStep, nil
		}
		return b.magnetometerOff, nil
	}
	return nil, fmt.Errorf("imu: bring-up of the %v: %w", b.model, err)
}

// lookForMagnetometer returns the steps that bring one up, none if the model has none.
func (b *bringUp) lookForMagnetometer() []device.Step {
	if b.opts.NoMagnetometer || b.model == MPU6500 {
		return nil
	}
	b.stage = stageMagnetometer
	if b.model == ICM20948 {
		return b.setUpAK9
	}
	return b.setUpAK
}
