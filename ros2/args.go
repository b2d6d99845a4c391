// SPDX-License-Identifier: Apache-2.0

package ros2

import (
	"fmt"
	"strings"
)

// Args are the ROS arguments of a command line, between --ros-args and --, as parsed by [ParseArgs]. The zero value has
// none. It may be shared by several nodes; after parsing only the levels of loggers may change, by services of nodes
// with [NodeConfig.LoggerServices].
//
// Parameter overrides are text; the declaration of a parameter determines the type. So "-p rate:=20" is accepted for a
// double and "-p i2c_bus:=12" for a string, unlike in other client libraries; text that is not a value of the declared
// type is an error that names the parameter.
type Args struct {
	remaps    []remapRule
	overrides []override
	levels    *logLevels // shared by all copies; nil for none
	// Enclave is the security enclave, "/" unless set by --enclave.
	enclave string
	rosout  *bool
	stdout  *bool
}

// override is one "-p" or one line of a parameter file.
type override struct {
	node   string // pattern of full node names, see matchNode
	name   string
	raw    rawValue
	origin string // the argument or file and line, for messages
}

// Enclave returns the security enclave, "/" by default. Transports without DDS Security should reject any other.
func (a Args) Enclave() string {
	if a.enclave == "" {
		return "/"
	}
	return a.enclave
}

// RosoutLogs reports whether log lines go to /rosout: true unless --disable-rosout-logs is given.
func (a Args) RosoutLogs() bool { return a.rosout == nil || *a.rosout }

// StdoutLogs reports whether log lines go to the terminal: true unless --disable-stdout-logs is given.
func (a Args) StdoutLogs() bool { return a.stdout == nil || *a.stdout }

// argParser reads one --ros-args section at a time.
type argParser struct {
	out  Args
	args []string
	pos  int // of the current argument
}

// ParseArgs parses the ROS arguments of a command line (without the program's name) and returns the other arguments in
// order. ROS arguments are between "--ros-args" and "--" or the end; there may be several such sections. An error wraps
// [ErrArguments] and names the argument; the other results are then zero.
func ParseArgs(args []string) (Args, []string, error) {
	p := argParser{args: args, out: Args{levels: newLogLevels()}}
	var rest []string
	inside := false
	for ; p.pos < len(args); p.pos++ {
		switch arg := args[p.pos]; {
		case !inside && arg == "--ros-args":
			inside = true
		case !inside:
			rest = append(rest, arg)
		case arg == "--ros-args":
		case arg == "--":
			inside = false
		default:
			if err := p.option(arg); err != nil {
				return Args{}, nil, err
			}
		}
	}
	return p.out, rest, nil
}

// option parses the option arg at p.pos and its value, if it has one.
func (p *argParser) option(arg string) error {
	for _, flag := range []struct {
		name string
		to   **bool
	}{{"rosout-logs", &p.out.rosout}, {"stdout-logs", &p.out.stdout}, {"external-lib-logs", new(*bool)}} {
		if on := arg == "--enable-"+flag.name; on || arg == "--disable-"+flag.name {
			*flag.to = &on
			return nil
		}
	}
	option, value, attached := strings.Cut(arg, "=")
	read, known := p.readers()[option]
	if !known || (attached && !strings.HasPrefix(option, "--")) || strings.HasSuffix(option, ":") {
		return fmt.Errorf("%w: unknown argument %q after --ros-args", ErrArguments, arg)
	}
	if !attached {
		p.pos++
		if p.pos >= len(p.args) || p.args[p.pos] == "--" {
			return fmt.Errorf("%w: %s has no value", ErrArguments, arg)
		}
		value = p.args[p.pos]
	}
	if err := read(value); err != nil {
		return fmt.Errorf("%w: %s %s: %w", ErrArguments, option, value, err)
	}
	return nil
}

// readers maps each option with a value to the function that parses the value.
func (p *argParser) readers() map[string]func(string) error {
	ignore := func(string) error { return nil }
	return map[string]func(string) error{
		"-r": p.remap, "--remap": p.remap,
		"-p": p.param, "--param": p.param,
		"--params-file": p.paramsFile,
		"--log-level":   p.logLevel,
		"-e":            p.enclave, "--enclave": p.enclave,
		// They configure a logging library that is not used here.
		"--log-config-file": ignore, "--log-file-name": ignore,
	}
}
