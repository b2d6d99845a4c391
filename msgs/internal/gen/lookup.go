// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"path"
	"slices"
	"strings"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

// addLookup adds the file of package msgs for looking up types by name. It does not have variants: their ROS names are
// those of the original types.
func addLookup(files map[string][]byte, module, licence string, packages []*Package) error {
	u := newUnit(module, &Package{Dir: path.Base(module)}, packages)
	u.licence = licence
	var messages []*idl.Message
	var services []*idl.Service
	for _, p := range packages {
		if p.Variant {
			continue
		}
		messages = append(messages, p.generated()...)
		services = append(services, p.Services...)
	}
	slices.SortFunc(messages, func(a, b *idl.Message) int { return strings.Compare(a.FullName(), b.FullName()) })
	slices.SortFunc(services, func(a, b *idl.Service) int { return strings.Compare(a.FullName(), b.FullName()) })
	u.lookupMessages(messages)
	u.lookupServices(services)
	text, err := u.file("all definitions")
	files["lookup"+Suffix] = text
	return err
}

// lookupMessages appends Lookup and Names.
func (u *unit) lookupMessages(messages []*idl.Message) {
	u.printf("// Lookup returns a function that creates empty messages of a ROS type,\n")
	u.printf("// \"sensor_msgs/msg/Range\" or \"std_srvs/srv/Trigger_Request\", or false if\n// the type is not known.\n")
	u.printf("func Lookup(rosType string) (newMessage func() Message, ok bool) {\nswitch rosType {\n")
	for _, m := range messages {
		u.printf("case %q:\nnewMessage = func() Message { return new(%s) }\n", m.FullName(), u.halfRef(m))
	}
	u.printf("}\nreturn newMessage, newMessage != nil\n}\n\n")
	u.printf("// Names returns the ROS types that Lookup supports, sorted.\n")
	u.printf("func Names() []string {\nreturn []string{\n")
	for _, m := range messages {
		u.printf("%q,\n", m.FullName())
	}
	u.printf("}\n}\n\n")
}

// lookupServices appends LookupService and ServiceNames.
func (u *unit) lookupServices(services []*idl.Service) {
	u.printf("// LookupService returns the descriptor of a ROS service, \"std_srvs/srv/Trigger\",\n// or false if it is not known.\n")
	u.printf("func LookupService(rosType string) (service Service, ok bool) {\nswitch rosType {\n")
	for _, s := range services {
		u.imports[u.module+"/"+s.Package] = true
		u.printf("case %q:\nservice = %s.%s{}\n", s.FullName(), s.Package, s.Name)
	}
	u.printf("}\nreturn service, service != nil\n}\n\n")
	u.printf("// ServiceNames returns the ROS services that LookupService supports, sorted.\n")
	u.printf("func ServiceNames() []string {\nreturn []string{\n")
	for _, s := range services {
		u.printf("%q,\n", s.FullName())
	}
	u.printf("}\n}\n")
}

// halfRef is goRef for a message, request or response.
func (u *unit) halfRef(m *idl.Message) string {
	u.imports[u.module+"/"+m.Package] = true
	return m.Package + "." + goTypeName(m.Name)
}
