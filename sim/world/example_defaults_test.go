// SPDX-License-Identifier: Apache-2.0

package world_test

import (
	"fmt"
	"testing/fstest"

	"github.com/epuck-ros2/epuck-driver/sim/world"
)

// Fields that a world file omits have defaults. LoadFS reads files that are embedded in a program.
func ExampleLoadFS() {
	files := fstest.MapFS{"worlds/arena.yaml": {Data: []byte(`
arena: {size: [1, 1]}
walls: [{from: [0, 0], to: [0.2, 0]}]
floor: {lines: [{points: [[0, 0], [0, 1]], width: 0.01, reflectance: 0.1}]}
boards: [{position: [0.4, 0, 0.1]}]
stations: [{position: [0.3, 0.3]}]
robots: [{name: epuck, position: [-0.3, 0], magnetometer: bmm150, variation: {slip: 0.01}}]
`)}}
	w, err := world.LoadFS(files, "worlds/arena.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	robot, board := w.Robots[0], w.Boards[0]
	fmt.Println("light and field:", w.AmbientIrradiance == world.DefaultAmbientIrradiance, w.MagneticField == world.DefaultMagneticField())
	fmt.Println("friction:", w.ContactFriction == world.DefaultContactFriction)
	fmt.Println("messages by infrared:", w.RangeAndBearing == world.DefaultRangeAndBearing())
	fmt.Println("walls:", w.Walls[0].Height == world.DefaultHeight, w.Walls[0].Thickness == world.DefaultThickness)
	fmt.Println("floor:", w.Floor.Reflectance == world.DefaultReflectance)
	fmt.Println("boards:", board.Corners == world.DefaultCorners(), board.Square == world.DefaultSquare)
	fmt.Println("stations:", w.Stations[0].Radius == world.DefaultStationRadius)
	fmt.Println("wheels:", robot.WheelDistance == world.DefaultWheelDistance, robot.Variation.SlipLength == world.DefaultSlipLength)
	fmt.Println("parts:", robot.IMU == world.IMUMPU9250, robot.Ground == world.GroundStandard, robot.Camera == world.CameraOV7670,
		robot.Magnetometer == world.MagnetometerBMM150)
	fmt.Println("colours:", world.Colors())
	// Output:
	// light and field: true true
	// friction: true
	// messages by infrared: true
	// walls: true true
	// floor: true
	// boards: true true
	// stations: true
	// wheels: true true
	// parts: true true true true
	// colours: [black blue brown green grey orange purple red white yellow]
}
