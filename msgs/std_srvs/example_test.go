// SPDX-License-Identifier: Apache-2.0

package std_srvs_test

import (
	"fmt"

	"github.com/epuck-ros2/epuck-driver/msgs/std_srvs"
)

// serviceOf is what a typed service server asks of a descriptor.
type serviceOf[Req, Res any] interface {
	ROSType() string
	New() (*Req, *Res)
}

// serve calls a handler once; the types follow from the descriptor.
func serve[Req, Res any](service serviceOf[Req, Res], handle func(*Req, *Res)) *Res {
	request, response := service.New()
	handle(request, response)
	return response
}

// The descriptor of a service carries its types to generic code.
func ExampleTrigger() {
	response := serve(std_srvs.Trigger{}, func(_ *std_srvs.TriggerRequest, res *std_srvs.TriggerResponse) {
		res.Success, res.Message = true, "pose is zero"
	})
	fmt.Println(response.Success, response.Message)
	// Output: true pose is zero
}
