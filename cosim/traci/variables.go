// SPDX-License-Identifier: Apache-2.0

package traci

// Commands. Those on a domain are its base and its number.
const (
	cmdVersion  byte = 0x00
	cmdLoad     byte = 0x01
	cmdStep     byte = 0x02
	cmdOrder    byte = 0x03
	cmdFilter   byte = 0x7E
	cmdClose    byte = 0x7F
	baseContext byte = 0x80
	baseGet     byte = 0xA0
	baseSet     byte = 0xC0
	baseAsk     byte = 0xD0 // subscribe
	answerOff   byte = 0x10
	domainMask  byte = 0x0F
	baseMask    byte = 0xF0
)

// Domains.
const (
	domLoop byte = iota
	domMulti
	domLights
	domLane
	domVehicle
	domType
	domRoute
	domPOI
	domPolygon
	domJunction
	domEdge
	domSimulation
	domGUI
	domArea
	domPerson
	domBusStop
)

// Variables. Some numbers mean one thing when they are asked for and another when they are set.
const (
	varIDs          byte = 0x00
	varCount        byte = 0x01
	varEdgeVehicles byte = 0x10
	varEdgeSpeed    byte = 0x11
	varStop         byte = 0x12 // set; ids of vehicles on an edge when asked
	varLane         byte = 0x13
	varSlowDown     byte = 0x14
	varResume       byte = 0x19
	varEdgePersons  byte = 0x1A
	varCollisions   byte = 0x23
	varEdgeName     byte = 0x1B
	varOccupancy    byte = 0x13
	varHalting      byte = 0x14
	varMeanLength   byte = 0x15
	varLinkNumber   byte = 0x30
	varTarget       byte = 0x31
	varLinks        byte = 0x33
	varAllowed      byte = 0x34
	varDisallowed   byte = 0x35
	varAdaptedTime  byte = 0x58
	varEffort       byte = 0x59
	varTravelTime   byte = 0x5A
	varMoveTo       byte = 0x5C
	varRouteIndex   byte = 0x69
	varNextLights   byte = 0x70
	varAllowedSpeed byte = 0xB7
	varFindRoute    byte = 0x86
	varLateral      byte = 0x32 // an option of the simulation
	varSlope        byte = 0x36
	varPosition3    byte = 0x39
	varParameterKey byte = 0x3E
	varSpeed        byte = 0x40
	varMaxSpeed     byte = 0x41
	varPosition     byte = 0x42
	varAngle        byte = 0x43
	varLength       byte = 0x44
	varColour       byte = 0x45
	varAccel        byte = 0x46
	varDecel        byte = 0x47
	varClass        byte = 0x49
	varGap          byte = 0x4C
	varWidth        byte = 0x4D
	varShape        byte = 0x4E
	varType         byte = 0x4F
	varRoad         byte = 0x50
	varLaneID       byte = 0x51
	varLaneIndex    byte = 0x52
	varRouteID      byte = 0x53
	varEdges        byte = 0x54
	varFill         byte = 0x55
	varLanePos      byte = 0x56
	varRoute        byte = 0x57
	varSignals      byte = 0x5B
	varTime         byte = 0x66
	varLeader       byte = 0x68
	varMillis       byte = 0x70
	varAcceleration byte = 0x72
	varNextStops    byte = 0x73
	varWaiting      byte = 0x7A
	varDelta        byte = 0x7B
	varBounds       byte = 0x7C
	varExpected     byte = 0x7D
	varParameter    byte = 0x7E
	varAdd          byte = 0x80
	varRemove       byte = 0x81
	varConvert      byte = 0x82
	varGeodesic     byte = 0x83 // distance between two places
	varDistance     byte = 0x84
	varAddFull      byte = 0x85
	varImage        byte = 0x93
	varPendings     byte = 0x94
	varMoveToXY     byte = 0xB4
	varStopState    byte = 0xB5
	varHeight       byte = 0xBC
	varStage        byte = 0xC0
	varStagesLeft   byte = 0xC2
	varRides        byte = 0xC3
	varAppendStage  byte = 0xC4
)

// Variables of traffic lights.
const (
	varLights        byte = 0x20
	varSetPhase      byte = 0x22
	varSetProgram    byte = 0x23
	varLightDuration byte = 0x24
	varLightLanes    byte = 0x26
	varLightLinks    byte = 0x27
	varLightPhase    byte = 0x28
	varLightProgram  byte = 0x29
	varLightPrograms byte = 0x2B
	varSetPrograms   byte = 0x2C
	varLightSwitch   byte = 0x2D
)
