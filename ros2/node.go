// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2/dynamic"
	"github.com/epuck-ros2/epuck-driver/ros2/inproc"
	"github.com/epuck-ros2/epuck-driver/ros2/internal/logqueue"
)

// NodeConfig describes a [Node].
type NodeConfig struct {
	// Name is the node's name unless the arguments rename it. It is required.
	Name string
	// Namespace is the node's namespace unless the arguments change it. It defaults to "/"; a leading slash may be left
	// out.
	Namespace string
	// Transport carries the node's messages. It is required; several nodes may
	// share one, and the program that made it closes it after the nodes.
	Transport Transport
	// Clock defaults to [SystemClock].
	Clock Clock
	// Logger gets the node's log lines, filtered by the levels of the arguments. It defaults to discarding.
	Logger *slog.Logger
	// Args are the command line's remappings, parameters and log levels.
	Args Args
	// Standard adds the endpoints that tools expect of every ROS 2 node: the six parameter services, the topic
	// /parameter_events, ~/get_type_description unless the parameter start_type_description_service is false and,
	// unless Args have --disable-rosout-logs, /rosout. A program's main node should set it; a short-lived one for a
	// single request need not. By default a node has only the endpoints that the program creates.
	Standard bool
	// Declare, if set, declares the program's parameters before the parameter services of Standard are created, so that
	// a tool that discovers the node finds its parameters.
	Declare func(*Parameters) error
	// LoggerServices adds ~/get_logger_levels and ~/set_logger_levels to the standard ones: any node of the network may
	// then change the levels of all loggers created from Args. It defaults to false, as in rclcpp
	// (enable_logger_service).
	LoggerServices bool
	// Callbacks runs the callbacks of the endpoints that the program creates on the node, see package ros2/executor.
	// Those of Standard do not use it, so a node whose executor does not spin can be inspected. It defaults to none:
	// callbacks run as events arrive.
	Callbacks CallbackGroup
}

// Node is a participant in the ROS graph. It owns its publishers, subscriptions,
// services and clients: Close closes them. It is safe for concurrent use.
type Node struct {
	name      NodeName
	transport Transport
	clock     Clock
	logger    *slog.Logger
	lines     logqueue.Queue
	asyncLog  *slog.Logger // logger behind the queue lines, for the transport's goroutines, which must not block
	args      Args
	params    *Parameters
	buffers   *inproc.Buffers // to encode messages in
	group     CallbackGroup   // nil: callbacks run as events arrive

	loggerServices bool
	rosout         logqueue.Queue // lines for /rosout

	mu        sync.Mutex
	endpoints map[io.Closer]struct{}   // nil after Close
	described map[string]*dynamic.Type // added by DescribeType, by hash
}

// NewNode adds a node to the transport's graph. An error wraps [ErrConfig] or
// [ErrInvalidName], or is the transport's.
func NewNode(cfg NodeConfig) (*Node, error) {
	if cfg.Transport == nil {
		return nil, fmt.Errorf("%w: NodeConfig.Transport is nil", ErrConfig)
	}
	name, err := cfg.Args.NodeName(cfg.Name, cfg.Namespace)
	if err != nil {
		return nil, err
	}
	n := &Node{
		name:      name,
		transport: cfg.Transport,
		clock:     cfg.Clock,
		args:      cfg.Args,
		endpoints: make(map[io.Closer]struct{}),

		loggerServices: cfg.LoggerServices,
	}
	if x := n.exchange(); x != nil {
		n.buffers = &x.Buffers
	} else {
		n.buffers = new(inproc.Buffers)
	}
	if n.clock == nil {
		n.clock = SystemClock()
	}
	if n.args.levels == nil { // not of ParseArgs
		n.args.levels = newLogLevels()
	}
	n.setLogger(n.args.Logger(cfg.Logger, name.LoggerName()))
	n.params = NewParameters(cfg.Args, name)
	if _, err := n.params.Declare(useSimTime); err != nil {
		return nil, fmt.Errorf("node %s: %w", name.FullName(), err)
	}
	if cfg.Declare != nil {
		if err := cfg.Declare(n.params); err != nil {
			return nil, fmt.Errorf("node %s: %w", name.FullName(), err)
		}
	}
	if err := n.transport.AddNode(name); err != nil {
		return nil, fmt.Errorf("node %s: %w", name.FullName(), err)
	}
	if cfg.Standard {
		if err := n.offerStandard(); err != nil {
			return nil, errors.Join(fmt.Errorf("node %s: %w", name.FullName(), err), n.Close())
		}
	}
	n.group = cfg.Callbacks // set last: standard services do not wait for an executor
	return n, nil
}

// setLogger sets both loggers.
func (n *Node) setLogger(l *slog.Logger) { n.logger, n.asyncLog = l, n.lines.Logger(l.Handler()) }

// offerStandard creates the standard services and publishers.
func (n *Node) offerStandard() error {
	if n.args.RosoutLogs() {
		if err := n.openRosout(); err != nil {
			return err
		}
	}
	if err := n.publishParameterEvents(); err != nil {
		return err
	}
	if _, ok := n.transport.(ServiceTransport); !ok {
		return nil
	}
	if err := n.offerTypeDescription(); err != nil && !errors.Is(err, ErrNoType) { // Humble does not have it
		return err
	}
	if n.loggerServices {
		if err := n.offerLoggerLevels(); err != nil && !errors.Is(err, ErrNoType) {
			return err
		}
	}
	return n.offerParameters()
}

// useSimTime is declared by every node, as tools expect.
var useSimTime = ParameterDescriptor{
	Name:        "use_sim_time",
	Default:     BoolValue(false),
	Description: "Use the time of the topic /clock instead of the system's.",
}

// Name returns the node's name and namespace after remapping.
func (n *Node) Name() NodeName { return n.name }

// FullName returns the node's full name, as in "/robot1/driver".
func (n *Node) FullName() string { return n.name.FullName() }

// Clock returns the node's clock.
func (n *Node) Clock() Clock { return n.clock }

// Now returns the time of the node's clock.
func (n *Node) Now() time.Time { return n.clock.Now() }

// Logger returns the node's logger. Its lines carry the node's logger name as the attribute [LoggerKey] and are
// filtered by --log-level.
func (n *Node) Logger() *slog.Logger { return n.logger }

// Args returns the arguments of the node's configuration.
func (n *Node) Args() Args { return n.args }

// Transport returns the node's transport.
func (n *Node) Transport() Transport { return n.transport }

// Parameters returns the node's parameters.
func (n *Node) Parameters() *Parameters { return n.params }

// DeclareParameter declares a parameter and returns its value, which is the
// override of the command line if there is one. See [Parameters.Declare].
func (n *Node) DeclareParameter(d ParameterDescriptor) (ParameterValue, error) {
	return n.params.Declare(d)
}

// Parameter returns the value of a parameter, or [ErrNotDeclared].
func (n *Node) Parameter(name string) (ParameterValue, error) { return n.params.Get(name) }

// ResolveName expands the name of a topic and remaps it.
func (n *Node) ResolveName(name string) (string, error) { return n.args.ResolveName(name, n.name) }

// ResolveNames resolves the names of topics that a user has typed, as [Node.ResolveName] does: "odom" is "/odom" for a
// node without a namespace. Every program that takes names from a command line, a parameter or a file passes them
// through it or through [Node.ResolveServiceNames], so that a name means the same everywhere.
func (n *Node) ResolveNames(names []string) ([]string, error) { return eachName(names, n.ResolveName) }

// ResolveServiceNames is [Node.ResolveNames] for services.
func (n *Node) ResolveServiceNames(names []string) ([]string, error) {
	return eachName(names, n.ResolveServiceName)
}

// eachName resolves every name; nil stays nil.
func eachName(names []string, resolve func(string) (string, error)) (full []string, err error) {
	for _, name := range names {
		one, err := resolve(name)
		if err != nil {
			return nil, err
		}
		full = append(full, one)
	}
	return full, nil
}

// ResolveServiceName expands the name of a service and remaps it.
func (n *Node) ResolveServiceName(name string) (string, error) {
	return n.args.ResolveServiceName(name, n.name)
}

// Graph returns the known nodes and endpoints of the network.
func (n *Node) Graph() Graph { return n.transport.Graph() }

// Batch runs f and sends the messages published meanwhile in few datagrams.
func (n *Node) Batch(f func()) {
	n.transport.Cork()
	defer n.transport.Uncork()
	f()
}

// Done is closed when the transport can no longer carry messages, for example because the last network interface
// failed; Err then returns the reason.
func (n *Node) Done() <-chan struct{} { return n.transport.Done() }

// Err returns nil while the transport works.
func (n *Node) Err() error { return n.transport.Err() }

// closeTimeout is how long Close of an endpoint waits for a running callback or handler; that of a node waits twice as
// long for its endpoints.
const closeTimeout = time.Second

// Close closes the node's endpoints and removes the node from the graph. No callback runs after it has returned: it
// waits for running ones, and for service handlers, whose context has ended, up to one second; for an endpoint of a
// blocked transport up to two. If one has not returned by then, the error matches [ErrStuck] and names it. Close does
// not wait for a blocked logger. Closing twice is harmless.
func (n *Node) Close() error {
	n.mu.Lock()
	endpoints := n.endpoints
	n.endpoints = nil
	n.mu.Unlock()
	if endpoints == nil {
		return nil
	}
	n.lines.Flush(rosoutTimeout)
	n.rosout.Flush(rosoutTimeout)
	defer n.lines.Flush(rosoutTimeout)
	// The node first: otherwise it would be announced again without each endpoint.
	err := errors.Join(n.transport.RemoveNode(n.name), n.closeAll(endpoints))
	if changed, at := n.params.changes.observed(); at && errors.Is(err, ErrStuck) {
		err = errors.Join(err, fmt.Errorf("observer of the parameters %s: %w", changed, ErrStuck))
	}
	return err
}

// closeAll closes endpoints concurrently, so that a blocked one does not delay the others.
func (n *Node) closeAll(endpoints map[io.Closer]struct{}) error {
	var mu sync.Mutex
	var errs []error
	var closing task.Group
	left := maps.Clone(endpoints)
	for e := range endpoints {
		closing.Go("close", func() {
			err := e.Close()
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
			delete(left, e)
		})
	}
	if closing.WaitFor(2 * closeTimeout) {
		return errors.Join(errs...)
	}
	mu.Lock()
	defer mu.Unlock()
	for e := range left {
		errs = append(errs, fmt.Errorf("%s: %w after %v", nameOf(e), ErrStuck, 2*closeTimeout))
	}
	return errors.Join(errs...)
}

// nameOf names an endpoint.
func nameOf(e io.Closer) string {
	switch e := e.(type) {
	case interface{ Topic() string }:
		return "topic " + e.Topic()
	case interface{ Name() string }:
		return "service " + e.Name()
	}
	return fmt.Sprintf("%T", e)
}

// register adds e to the endpoints that Close closes. After Close it returns [ErrClosed].
func (n *Node) register(e io.Closer) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.endpoints == nil {
		return fmt.Errorf("node %s: %w", n.FullName(), ErrClosed)
	}
	n.endpoints[e] = struct{}{}
	return nil
}

func (n *Node) disown(e io.Closer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.endpoints, e)
}
