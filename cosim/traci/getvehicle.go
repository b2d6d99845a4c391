// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"math"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
	"github.com/epuck-ros2/epuck-driver/sim"
	"github.com/epuck-ros2/epuck-driver/sim/geom"
	"github.com/epuck-ros2/epuck-driver/sim/physics"
)

// vehicleIDs are the robots that have departed, in the order in which they did.
func (w *state) vehicleIDs() []string { return w.departed }

func (w *state) vehicleAt(id string) (wire.Point, bool) {
	r := w.byName[id]
	if r == nil || !r.inserted() {
		return wire.Point{}, false
	}
	return r.at(), true
}

func (w *state) getVehicle(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	r := w.byName[id]
	if r == nil {
		return nil, refuse("Vehicle '%s' is not known.", id)
	}
	switch variable {
	case varPosition:
		return wire.TypePoint(b, r.at()), nil
	case varPosition3:
		return wire.TypePoint3(b, r.at(), 0), nil
	case varRoad:
		edge, _, _ := r.onLane(w)
		return wire.TypeString(b, edge), nil
	case varLaneID:
		_, lane, _ := r.onLane(w)
		return wire.TypeString(b, lane), nil
	case varRouteID:
		return wire.TypeString(b, r.route), nil
	case varEdges:
		return wire.TypeStrings(b, r.edges(w)), nil
	case varType:
		return wire.TypeString(b, r.kind), nil
	case varColour:
		return wire.TypeColour(b, r.shown()), nil
	case varLaneIndex, varStopState, varSignals:
		return wire.TypeInt(b, r.number(variable)), nil
	case varNextStops:
		return wire.TypeInt(wire.TypeCompound(b, 1), 0), nil
	case varParameter, varParameterKey:
		return r.parameter(b, variable, args)
	case varLeader:
		return w.leader(b, r, args)
	case varRouteIndex, varNextLights:
		if w.net == nil {
			return nil, errVariable
		}
		return w.net.ahead(b, r, variable), nil
	}
	v, ok := w.quantity(r, variable)
	if !ok {
		return nil, errVariable
	}
	return wire.TypeDouble(b, v), nil
}

// quantity returns a variable that is a double.
func (w *state) quantity(r *robot, variable byte) (float64, bool) {
	switch variable {
	case varSlope, varLateral:
		return 0, true
	case varMaxSpeed:
		if r.override.Limited {
			return r.override.Limit, true
		}
		return sim.MaxSpeed, true
	case varLength:
		return r.size.length, true
	case varWidth:
		return r.size.width, true
	case varHeight:
		return r.size.height, true
	case varAccel, varDecel:
		return acceleration, true
	case varAllowedSpeed:
		v, ok := w.net.allowed(r)
		return v, ok
	case varWaiting:
		return r.waitingTime.Seconds(), true
	case varDistance:
		return r.way, true
	}
	if !r.inserted() {
		_, known := map[byte]bool{varSpeed: true, varAngle: true, varLanePos: true, varAcceleration: true}[variable]
		return wire.NoDouble, known
	}
	switch variable {
	case varSpeed:
		return r.now().V, true
	case varAngle:
		return degrees(r.now().Pose.Theta), true
	case varLanePos:
		_, _, pos := r.onLane(w)
		return pos, true
	case varAcceleration:
		return r.speed, true
	}
	return 0, false
}

// acceleration is what the motors can do, m/s²: they take a new speed within an infrared cycle.
const acceleration = sim.MaxSpeed / 0.01

// number returns a variable that is an integer.
func (r *robot) number(variable byte) int {
	switch {
	case variable == varLaneIndex && r.car != nil:
		lane, _, _ := r.car.Place()
		return lane.Index
	case variable == varStopState && r.pausing:
		return 1
	case variable == varSignals && r.inserted():
		return signals(r.now().LEDs)
	}
	return 0
}

// shown returns the colour of a robot: what its LEDs show.
func (r *robot) shown() wire.Colour {
	if r.painted || !r.inserted() {
		return r.colour
	}
	return ledColour(r.now().LEDs)
}

// leader appends the robot ahead and how far it is from bumper to bumper, m.
func (w *state) leader(b []byte, r *robot, args *wire.Reader) ([]byte, error) {
	reach := args.TypedDouble()
	if err := require(args, "Leader retrieval requires a double."); err != nil {
		return nil, err
	}
	if reach <= 0 {
		reach = 100
	}
	name, gap := "", -1.0
	if r.car != nil {
		if o, d := w.net.cars.Leader(r.car, reach); o != nil && d <= reach {
			name, gap = o.Name, d
		}
	} else if r.inserted() {
		at, ahead := r.now().Pose.Position(), geom.Direction(r.now().Pose.Theta)
		for _, o := range w.robots {
			if o == r || !o.inserted() {
				continue
			}
			v := o.now().Pose.Position().Sub(at).Unrotate(ahead)
			d := v.X - 2*physics.BodyRadius
			if v.X > 0 && math.Abs(v.Y) < 2*physics.BodyRadius && d <= reach && (name == "" || d < gap) {
				name, gap = o.name, d
			}
		}
	}
	return wire.TypeDouble(wire.TypeString(wire.TypeCompound(b, 2), name), gap), nil
}
