// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/suggest"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
)

// services returns the types of the services by name: of servers and of clients.
func services(g ros2.Graph, all bool) map[string][]string {
	types := namesAndTypes(g.Endpoints, ros2.ServiceEndpoint, "", "")
	for name, of := range namesAndTypes(g.Endpoints, ros2.ClientEndpoint, "", "") {
		for _, t := range of {
			if !slices.Contains(types[name], t) {
				types[name] = append(types[name], t)
			}
		}
	}
	maps.DeleteFunc(types, func(name string, _ []string) bool { return !all && hidden(name) })
	for _, of := range types {
		slices.Sort(of)
	}
	return types
}

func hasService(name string) func(ros2.Graph) bool {
	return func(g ros2.Graph) bool { return len(services(g, true)[name]) > 0 }
}

func serviceList(ctx context.Context, s *session) error {
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	found := services(g, s.args.flag("--include-hidden-services"))
	if s.args.flag("--count-services") {
		s.printf("%d\n", len(found))
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s.printName(name, found[name])
	}
	return nil
}

func serviceType(ctx context.Context, s *session) error {
	name, err := s.fullName(s.args.value("service_name", ""))
	if err != nil {
		return err
	}
	g, err := s.graph(ctx, hasService(name))
	if err != nil {
		return err
	}
	types := services(g, true)[name]
	for _, t := range types {
		s.printf("%s\n", t)
	}
	if len(types) == 0 {
		return failf("Unknown service '%s'%s", name, suggest.DidYouMean(name, slices.Sorted(maps.Keys(services(g, true)))))
	}
	return nil
}

func serviceFind(ctx context.Context, s *session) error {
	wanted := dynamic.FullName(s.args.value("service_type", ""), "srv")
	g, err := s.graph(ctx, anything)
	if err != nil {
		return err
	}
	var names []string
	found := services(g, s.args.flag("--include-hidden-services"))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		names = appendIfType(names, name, found[name], wanted)
	}
	s.suggestType(wanted, slices.Concat(slices.Collect(maps.Values(found))...))
	s.printFound(names, "--count-services")
	return nil
}

func serviceCall(ctx context.Context, s *session) (err error) {
	period := time.Duration(0)
	if s.args.flag("--rate") {
		rate := s.args.number("--rate", 0)
		if rate <= 0 {
			return failure("rate must be greater than zero")
		}
		period = time.Duration(float64(time.Second) / rate)
	}
	name, err := s.fullName(s.args.value("service_name", ""))
	if err != nil {
		return err
	}
	typ, err := s.passedService(ctx, s.args.value("service_type", ""))
	if err != nil {
		return err
	}
	request := dynamic.New(typ.request)
	text := s.args.value("values", "{}")
	if _, err := request.Fill(text); err != nil {
		if errors.Is(err, dynamic.ErrNotMapping) {
			return failf("Failed to populate field: Value '%s' is expected to be a dictionary but is a %s", text, yamlType(text))
		}
		return failf("Failed to populate field: %v", err)
	}
	c, err := s.newCaller(name, typ)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	stop := s.notice(c.peer())
	if err := s.awaitService(ctx, c); err != nil {
		stop()
		return err
	}
	defer stop()
	for {
		last := time.Now()
		s.printf("requester: making request: %s\n\n", request.Python())
		response, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		stop()
		s.printf("response:\n%s\n\n", response.Python())
		if period == 0 {
			return nil
		}
		if err := s.sleep(ctx, time.Until(last.Add(period))); err != nil {
			return err
		}
	}
}

// awaitService waits for a server without a time limit, and prints that it does.
func (s *session) awaitService(ctx context.Context, c *caller) error {
	if ready, err := c.ready(ctx, quietTime); ready || err != nil {
		return err
	}
	s.printf("waiting for service to become available...\n")
	return c.await(ctx)
}

// yamlType returns Python's name of the type of a YAML text.
func yamlType(text string) string {
	switch v, _ := dynamic.ReadYAML(text); v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64:
		return "int"
	case float64:
		return "float"
	case []any:
		return "list"
	}
	return "str"
}

// serviceTypes are the request and response types of a service.
type serviceTypes struct {
	name              string
	request, response *dynamic.Type
}

// passedService returns a service's type given on the command line.
func (s *session) passedService(ctx context.Context, name string) (*serviceTypes, error) {
	full := dynamic.FullName(name, "srv")
	t, err := s.serviceTypes(full)
	if err == nil {
		return t, nil
	}
	if _, ok := s.lookup(full); ok {
		return nil, failure("The passed type is not a service")
	}
	if ok, err := s.learnInterface(ctx, full, "srv"); err != nil || !ok {
		return nil, errors.Join(err, s.invalid("The passed service type is invalid", full))
	}
	return s.serviceTypes(full)
}

func (s *session) serviceTypes(full string) (*serviceTypes, error) {
	request, err := dynamic.Resolve(full+"_Request", s.lookup)
	if err != nil {
		return nil, err
	}
	response, err := dynamic.Resolve(full+"_Response", s.lookup)
	return &serviceTypes{full, request, response}, err
}
