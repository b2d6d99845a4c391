// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
	"github.com/epuck-ros2/epuck-driver/msgs/internal/rihs"
)

// service appends the descriptor, the request and the response of a service.
func (u *unit) service(s *idl.Service) error {
	hash, _, err := rihs.OfService(s, u.find)
	if err != nil {
		return err
	}
	u.printf("// %s is the ROS service %s.\n//\n", s.Name, s.FullName())
	if s.Doc != "" {
		u.comment(s.Doc + "\n")
	}
	u.printf("// It has no data: as a type argument it selects the types of the service.\n")
	u.printf("type %s struct{}\n\n", s.Name)
	u.printf("// ROSType returns %q.\n", s.FullName())
	u.printf("func (%s) ROSType() string { return %q }\n\n", s.Name, s.FullName())
	u.printf("// TypeHash returns the RIHS01 hash of the service as a whole.\n")
	u.printf("func (%s) TypeHash() string {\nreturn %q\n}\n\n", s.Name, hash)
	u.printf("// New returns an empty request and an empty response.\n")
	u.printf("func (%s) New() (*%sRequest, *%sResponse) {\nreturn new(%sRequest), new(%sResponse)\n}\n\n",
		s.Name, s.Name, s.Name, s.Name, s.Name)
	if err := u.message(&s.Request, s.Name+"Request is the request of ["+s.Name+"]."); err != nil {
		return err
	}
	return u.message(&s.Response, s.Name+"Response is the response of ["+s.Name+"].")
}
