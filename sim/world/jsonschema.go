// SPDX-License-Identifier: Apache-2.0

package world

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
)

//go:generate go test . -run ^TestSchemaFileIsCurrent$ -count=1 -update

// Schema returns the JSON schema (draft 7) of world files, by which editors check and complete them. It accepts what
// Parse reads, except for values of another form, such as a number for a name or nothing for a mapping. Names that
// come twice, totals and files are checked by Parse alone.
func Schema() ([]byte, error) {
	s := schemaOf(reflect.TypeFor[World]())
	maps.Copy(s, schema{
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title":   "World of the simulator of epuck-driver",
	})
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// schema is a part of a JSON schema.
type schema = map[string]any

// schemaOf returns the schema of a type of world files.
func schemaOf(t reflect.Type) schema {
	switch t {
	case reflect.TypeFor[Cost]():
		return schema{"anyOf": []any{schema{"enum": []any{None, CostTable}}, between(0, MaxCallback)}}
	case reflect.TypeFor[Color]():
		return schema{"anyOf": []any{schema{"enum": Colors()}, schema{"type": "string", "pattern": "^(#[0-9a-fA-F]{6})?$"}}}
	case reflect.TypeFor[Part]():
		return schema{"enum": Parts()}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return schema{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Array:
		item := schemaOf(t.Elem())
		if t.Elem().Kind() == reflect.Float64 {
			item = between(-MaxCoordinate, MaxCoordinate)
		}
		return schema{"type": "array", "items": item, "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Float64:
		return schema{"type": "number"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.String:
		return schema{"type": "string"}
	default:
		return schema{"type": "integer"}
	}
}

// structSchema returns the schema of a mapping of fields.
func structSchema(t reflect.Type) schema {
	fields := schema{}
	var required []string
	for _, name := range fieldNames(t) {
		if name == "" {
			continue
		}
		field, _ := fieldType(t, name)
		f := schemaOf(field)
		limits := fieldLimits(t.Name() + "." + name)
		if items, ok := limits["each"].(schema); ok {
			f["items"] = items
			delete(limits, "each")
		}
		if limits["required"] == true {
			required = append(required, name)
			delete(limits, "required")
		}
		maps.Copy(f, limits)
		if about := fieldMeanings[t.Name()+"."+name]; about != "" {
			f["description"] = about
		}
		fields[name] = f
	}
	s := schema{"type": "object", "additionalProperties": false, "properties": fields}
	if len(required) > 0 {
		s["required"] = required
	}
	if _, load := t.FieldByName("Load"); load {
		movable := schema{"properties": schema{"movable": schema{"const": true}}, "required": []string{"movable"}}
		s["dependencies"] = schema{"mass": movable, "friction": movable}
	}
	return s
}

// between is the schema of a number with limits.
func between(low, high float64) schema {
	return schema{"type": "number", "minimum": low, "maximum": high}
}

// length is the schema of a length, m.
func length() schema {
	return schema{"type": "number", "exclusiveMinimum": 0, "maximum": MaxCoordinate}
}

// need makes a field required.
func need(s schema) schema {
	s["required"] = true
	return s
}

// fieldLimits returns what the values of a field must be, as check does; "each" is for the items of a list.
func fieldLimits(field string) schema {
	name := schema{"pattern": "^[A-Za-z0-9_-]*$", "maxLength": maxName}
	angle, share := between(-MaxCoordinate, MaxCoordinate), between(0, 1)
	choice := func(names ...any) schema { return schema{"enum": names} }
	switch field {
	case "World.name", "Wall.name", "Box.name", "Cylinder.name", "Board.name", "Light.name", "Sound.name", "Station.name":
		return name
	case "Robot.name":
		name["minLength"] = 1
		return need(name)
	case "World.ambient_irradiance":
		return between(0, 100)
	case "World.contact_friction":
		return between(0, maxFriction)
	case "World.magnetic_field":
		return schema{"each": between(-0.001, 0.001)}
	case "Box.mass", "Cylinder.mass":
		return between(minMass, maxMass)
	case "Box.friction", "Cylinder.friction":
		return between(0, maxFriction)
	case "Sound.pressure", "Sound.frequency", "RangeAndBearing.range", "RangeAndBearing.bearing_noise":
		return between(0, map[string]float64{
			"Sound.pressure": 200, "Sound.frequency": 20e3, "RangeAndBearing.range": 10, "RangeAndBearing.bearing_noise": math.Pi,
		}[field])
	case "RangeAndBearing.loss", "RangeAndBearing.range_noise", "Battery.charge", "Floor.reflectance", "Checker.reflectance",
		"Circle.reflectance", "Line.reflectance":
		return share
	case "Arena.size", "Box.size", "Checker.size":
		return need(schema{"each": length()})
	case "Arena.height", "Wall.height", "Wall.thickness", "Box.height", "Cylinder.height", "Floor.resolution", "Station.radius":
		return length()
	case "Cylinder.radius", "Circle.radius", "Line.width":
		return need(length())
	case "Box.yaw", "Board.yaw", "Board.tilt", "Board.roll", "Robot.yaw":
		return angle
	case "Board.corners":
		return schema{"each": schema{"type": "integer", "minimum": 3, "maximum": 40}}
	case "Board.square":
		return between(1e-4, 1)
	case "Light.intensity":
		return between(0, 1e6)
	case "Checker.cell":
		return need(between(0.001, MaxCoordinate))
	case "Circle.width":
		return between(0, MaxCoordinate)
	case "Line.points":
		return need(schema{"minItems": 2, "maxItems": maxPaint})
	case "Robot.level":
		return schema{"enum": Levels()}
	case "Robot.wheel_distance":
		return between(0.01, 0.2)
	case "Robot.selector":
		return schema{"minimum": 0, "maximum": 15}
	case "Robot.firmware":
		return choice(FirmwareExtension, FirmwareStandard, FirmwareYork)
	case "Robot.imu":
		return choice(IMUMPU9250, IMUICM20948, None)
	case "Robot.magnetometer":
		return choice(MagnetometerBMM150, None)
	case "Robot.ground":
		return choice(GroundStandard, GroundCliff, None)
	case "Robot.camera":
		return choice(CameraOV7670, CameraPO8030, CameraPO6030, CameraPO3030, None)
	case "Robot.model":
		return schema{"maxLength": 4 * maxName}
	case "Battery.capacity":
		return between(1, 1e6)
	case "Variation.wheel_radii":
		return schema{"each": between(0.01, 0.05)}
	case "Variation.slip", "Variation.inertial":
		return between(0, 0.1)
	case "Variation.slip_length":
		return between(minSlipLength, maxSlipLength)
	case "Variation.infrared":
		return between(0, 0.5)
	}
	return listLimits(field)
}

// listLimits returns how many items a list may have.
func listLimits(field string) schema {
	switch field {
	case "World.robots":
		return need(schema{"minItems": 1, "maxItems": MaxRobots})
	case "World.walls", "World.boxes", "World.cylinders":
		return schema{"maxItems": maxShapes}
	case "World.boards":
		return schema{"maxItems": maxBoards}
	case "World.lights", "World.sounds":
		return schema{"maxItems": maxLights}
	case "World.stations":
		return schema{"maxItems": maxStations}
	case "Floor.checkers", "Floor.circles", "Floor.lines":
		return schema{"maxItems": maxPaint}
	}
	if limits := feederLimits(field); limits != nil {
		return limits
	}
	return cameraLimits(field)
}

// fieldMeanings are what editors show for a field.
var fieldMeanings = map[string]string{
	"World.name":                    "name of the world: letters, digits, _ and -",
	"World.description":             "one line of text",
	"World.ambient_irradiance":      "light everywhere, W/m²; default 1",
	"World.contact_friction":        "coefficient of friction between robots, and of robots and things; default 0.3",
	"World.magnetic_field":          "T, to the east, north and up; default [0, 22e-6, -43e-6]",
	"World.arena":                   "walls around a rectangle; without it, open floor",
	"World.floor":                   "what is painted on the floor; default white",
	"World.walls":                   "straight walls with square ends",
	"World.boxes":                   "upright blocks",
	"World.cylinders":               "upright cylinders",
	"World.boards":                  "chessboards to calibrate cameras with; no other sensor sees them",
	"World.lights":                  "point sources of light",
	"World.sounds":                  "tones that the microphones hear",
	"World.feeders":                 "put movable things into the running world",
	"World.stations":                "places where robots are charged",
	"World.robots":                  "the robots, at least one",
	"World.range_and_bearing":       "messages between robots by infrared",
	"RangeAndBearing.range":         "m, between the robots' middles; default 0.25",
	"RangeAndBearing.loss":          "share of messages that do not arrive; default 0.05",
	"RangeAndBearing.range_noise":   "standard deviation of the range, as a share of it; default 0.05",
	"RangeAndBearing.bearing_noise": "standard deviation of the bearing, rad; default 0.1",
	"Arena.center":                  "m; default [0, 0]",
	"Arena.size":                    "inner side lengths, m",
	"Arena.height":                  "m; default 0.1",
	"Arena.grow":                    "enlarged when sim --robots asks for more robots than fit; default false",
	"Arena.color":                   "for the camera",
	"Wall.from":                     "m",
	"Wall.to":                       "m",
	"Wall.thickness":                "m; default 0.01",
	"Wall.height":                   "m; default 0.1",
	"Wall.color":                    "for the camera",
	"Box.position":                  "of the middle, m",
	"Box.size":                      "side lengths, m",
	"Box.yaw":                       "rad",
	"Box.height":                    "m; default 0.1",
	"Box.color":                     "for the camera",
	"Box.movable":                   "robots push it; default false",
	"Box.mass":                      "kg; default 0.1",
	"Box.friction":                  "coefficient, with the floor; default 0.3",
	"Cylinder.movable":              "robots push it; default false",
	"Cylinder.mass":                 "kg; default 0.1",
	"Cylinder.friction":             "coefficient, with the floor; default 0.3",
	"Feeder.position":               "of the middle of what it puts there, m",
	"Feeder.yaw":                    "of boxes, rad",
	"Feeder.radius":                 "of cylinders, m",
	"Feeder.size":                   "of boxes, side lengths, m",
	"Feeder.height":                 "m; default 0.1",
	"Feeder.color":                  "for the camera",
	"Feeder.mass":                   "kg; default 0.1",
	"Feeder.friction":               "coefficient, with the floor; default 0.3",
	"Feeder.number":                 "how many things in all; default 1",
	"Feeder.period":                 "s between two things; default 0: each as soon as the one before was taken away",
	"Station.position":              "of the middle, m",
	"Station.radius":                "m; default 0.05",
	"Cylinder.position":             "of the axis, m",
	"Cylinder.radius":               "m",
	"Cylinder.height":               "m; default 0.1",
	"Cylinder.color":                "for the camera",
	"Board.position":                "of the middle, m",
	"Board.yaw":                     "direction of its face, rad",
	"Board.tilt":                    "of the face upwards, rad",
	"Board.roll":                    "clockwise in its plane, rad",
	"Board.corners":                 "inner corners in a row and in a column; default [13, 9]",
	"Board.square":                  "side of a square, m; default 0.004",
	"Board.plain":                   "without the three discs in the middle",
	"Light.position":                "m",
	"Light.intensity":               "W/sr",
	"Sound.position":                "m",
	"Sound.pressure":                "at 1 m, Pa (root mean square); 0.02 are 60 dB",
	"Sound.frequency":               "Hz; default 1000",
	"Floor.reflectance":             "where nothing is painted, 0 black to 1 white; default 1",
	"Floor.image":                   "a PNG picture in the world file's folder; grey is reflectance",
	"Floor.resolution":              "side of a pixel, m",
	"Floor.origin":                  "lower left corner of the picture, m; default [0, 0]",
	"Floor.checkers":                "squares of which every second is painted",
	"Floor.circles":                 "circles; filled without a width",
	"Floor.lines":                   "lines through points",
	"Checker.position":              "of the middle, m",
	"Checker.size":                  "side lengths, m",
	"Checker.cell":                  "side of a square, m",
	"Checker.reflectance":           "0 black to 1 white",
	"Circle.position":               "of the middle, m",
	"Circle.radius":                 "to the middle of the line, m",
	"Circle.width":                  "of the line, m; 0 fills the circle",
	"Circle.reflectance":            "0 black to 1 white",
	"Line.points":                   "m",
	"Line.closed":                   "from the last point to the first as well",
	"Line.width":                    "m",
	"Line.reflectance":              "0 black to 1 white",
	"Robot.name":                    "letters, digits, _ and -; unique",
	"Robot.position":                "m",
	"Robot.yaw":                     "rad",
	"Robot.level":                   "firmware (default), functional, or target",
	"Robot.cost":                    "what its work costs its processor: none (default), table, or s for each callback",
	"Robot.processor":               "at the level target: arm1176 (default), cortex-a53-zero2w, cortex-a53-pi3, cortex-a72-pi4",
	"Robot.wheel_distance":          "m; default 0.05685",
	"Robot.selector":                "position of the selector; default 10",
	"Robot.firmware":                "extension (default), standard or york",
	"Robot.imu":                     "mpu9250 (default), icm20948 or none",
	"Robot.magnetometer":            "bmm150, on the Pi-puck board, or none (default)",
	"Robot.ground":                  "standard (default), cliff (with cliff sensors) or none",
	"Robot.camera":                  "ov7670 (default), po8030, po6030, po3030 or none",
	"Robot.without":                 "parts taken off",
	"Robot.battery":                 "the battery at the start",
	"Robot.variation":               "how this robot differs from the drawing",
	"Robot.camera_model":            "how the camera differs from an ideal one; default not at all",
	"CameraModel.distortion":        "of the lens, as in sensor_msgs/CameraInfo (plumb_bob); default none",
	"CameraModel.vignetting":        "the light falls with this power of the cosine of the angle to the axis; 4 is natural; default 0",
	"CameraModel.noise":             "as a multiple of that in the sensor's data sheet; default 0",
	"Distortion.k1":                 "radial, of the square of the radius",
	"Distortion.k2":                 "radial, of its fourth power",
	"Distortion.k3":                 "radial, of its sixth power",
	"Distortion.p1":                 "tangential",
	"Distortion.p2":                 "tangential",
	"Robot.model":                   "a robot of another kind: a name of the library, or a URDF, SDF or PROTO file in the world file's folder",
	"Battery.capacity":              "C; default 6480, of a robot with a model that of its description",
	"Battery.charge":                "share of the capacity, 0 to 1; default 1, of a robot with a model what its description has, unless it has a battery here",
	"Variation.wheel_radii":         "left and right, m",
	"Variation.slip":                "standard deviation of a wheel's way after 1 m, m; it grows with the square root of the way",
	"Variation.slip_length":         "the way on which the error of a wheel stays the same, m; default 0.01",
	"Variation.infrared":            "spread of the infrared sensors' gain, as a share",
	"Variation.inertial":            "spread of scales and axes of the inertial and magnetic sensors, as a share",
}
