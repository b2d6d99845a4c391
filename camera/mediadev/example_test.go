// SPDX-License-Identifier: Apache-2.0

package mediadev_test

import (
	"context"
	"fmt"

	"github.com/pion/mediadevices/pkg/driver"
	_ "github.com/pion/mediadevices/pkg/driver/videotest"

	"github.com/epuck-ros2/epuck-driver/camera"
	"github.com/epuck-ros2/epuck-driver/camera/mediadev"
)

func Example() {
	d := driver.GetManager().Query(driver.FilterVideoRecorder())[0].(mediadev.Driver)
	device := mediadev.New(d, "", 0)
	source, err := device.Open(context.Background(), camera.Mode{Width: 640, Height: 480, Format: camera.YUYV})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer source.Close()
	f, release, err := source.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()
	fmt.Println(device.Name(), f.Width, f.Height, f.Format)
	// Output: VideoTest 640 480 YUYV
}
