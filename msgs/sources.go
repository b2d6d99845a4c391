// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"embed"
	"io/fs"
)

//go:embed */msg/*.msg */srv/*.srv */action/*.action
var sources embed.FS

// Sources returns the files of the definitions, with their comments: "std_msgs/msg/Header.msg". They are those of ROS 2
// Humble, without the layouts of other releases.
func Sources() fs.FS { return sources }
