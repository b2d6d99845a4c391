// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"strings"
)

// Release is a release of Webots: what a controller's libController is of. Controllers don't report theirs.
type Release struct {
	name    string
	pose    bool // nodes.h has WB_NODE_POSE, which moved all devices by one
	uploads bool // the speaker sends its sounds
}

// Releases lists the releases that are known, the latest last. A library of a release between two is like the earlier.
func Releases() []Release {
	return []Release{{name: "R2023a"}, {name: "R2023b", pose: true}, {name: "R2025a", pose: true, uploads: true}}
}

// ParseRelease finds a release by its name. It fails if there is none; the error lists the known ones.
func ParseRelease(name string) (Release, error) {
	names := make([]string, 0, len(Releases()))
	for _, r := range Releases() {
		if r.name == name {
			return r, nil
		}
		names = append(names, r.name)
	}
	return Release{}, fmt.Errorf("%w: %q, there are %s", errRelease, name, strings.Join(names, ", "))
}

// Latest is the latest release that is known.
func Latest() Release { return Releases()[len(Releases())-1] }

// String returns the release's name.
func (r Release) String() string { return r.name }

// Names reports whether the first message begins with the robot's name and the release, as it does from R2023b on;
// before, the name was further behind and the release was not sent.
func (r Release) Names() bool { return r.pose }

// Pathed reports whether controllers of this machine look for sockets in a folder of their user, as they do from
// R2023b on; before, the folder was the machine's.
func (r Release) Pathed() bool { return r.pose }

// Kind is a kind of device, by its number in nodes.h of R2023a. The releases behind it have them one higher.
type Kind uint16

// The kinds.
const (
	Robot          Kind = 33
	Accelerometer  Kind = 34
	Camera         Kind = 37
	Compass        Kind = 38
	DistanceSensor Kind = 41
	Emitter        Kind = 42
	GPS            Kind = 43
	Gyro           Kind = 44
	InertialUnit   Kind = 45
	LED            Kind = 46
	Lidar          Kind = 47
	LightSensor    Kind = 48
	LinearMotor    Kind = 49 // it pushes: as Motor, with m, m/s and N
	PositionSensor Kind = 51
	Receiver       Kind = 55
	Motor          Kind = 56
	Speaker        Kind = 58
	TouchSensor    Kind = 59
)

// Number is what a release calls a kind.
func (r Release) Number(k Kind) uint16 {
	if r.pose {
		return uint16(k) + 1
	}
	return uint16(k)
}
