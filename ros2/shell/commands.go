// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"slices"
	"strconv"
)

// commands returns the table of tools, by group. Names and meanings of arguments are
// those of the ros2 command.
func commands() []command {
	return slices.Concat(actionCommands(), componentCommands(), interfaceCommands(), lifecycleCommands(),
		nodeCommands(), paramCommands(), serviceCommands(), topicCommands())
}

// spinTime and noDaemon are options of all tools that use the graph.
func graphOptions() []option {
	return []option{
		{names: "--spin-time", metavar: "SPIN_TIME", help: "Time in seconds to wait for discovery (default: until nothing new is discovered)", check: isFloat},
		{names: "--no-daemon", help: "Accepted as in the ros2 command; there is no daemon"},
	}
}

// with returns the options of the graph and others.
func with(more ...option) []option { return append(graphOptions(), more...) }

func actionCommands() []command {
	name := positional{name: "action_name", help: "Name of the ROS action (e.g. '/fibonacci')", complete: completeActions}
	typ := positional{name: "action_type", help: "Type of the ROS action (e.g. 'example_interfaces/action/Fibonacci')", complete: completeActionTypes}
	goal := positional{name: "goal", complete: completeGoal,
		help: "Goal request values in YAML format (e.g. '{order: 10}')"}
	types := option{names: "--show-types -t", help: "Additionally show the action type"}
	return []command{
		{"action", "info", "Print information about an action", []positional{name},
			with(types, option{names: "--count -c", help: "Only display the number of action clients and action servers"}), actionInfo},
		{"action", "list", "Output a list of action names", nil,
			with(types, option{names: "--count-actions -c", help: "Only display the number of actions discovered"}), actionList},
		{"action", "send_goal", "Send an action goal", []positional{name, typ, goal},
			with(interfacesOption(), option{names: "--feedback -f", help: "Echo feedback messages for the goal"}), actionSendGoal},
	}
}

func interfaceCommands() []command {
	typ := positional{name: "type", help: "Interface (e.g. 'std_msgs/msg/String')", complete: completeInterfaces}
	pkg := positional{name: "package_name", help: "Package (e.g. 'std_msgs')", complete: completeInterfacePackages}
	only := []option{
		{names: "--only-msgs -m", help: "Only messages"}, {names: "--only-srvs -s", help: "Only services"},
		{names: "--only-actions -a", help: "Only actions"},
		interfacesOption(),
	}
	return []command{
		{"interface", "list", "List all interfaces available to this program", nil, only, interfaceList},
		{"interface", "package", "Output a list of available interfaces of a package", []positional{pkg}, only, interfacePackage},
		{"interface", "packages", "Output a list of packages that provide interfaces", nil, only, interfacePackages},
		{"interface", "proto", "Output an interface prototype", []positional{typ},
			[]option{{names: "--no-quotes", help: "Without quotes around it"}, interfacesOption()}, interfaceProto},
		{"interface", "show", "Output the interface definition", []positional{typ},
			[]option{{names: "--all-comments", help: "Show all comments, including of nested interface definitions"},
				{names: "--no-comments", help: "Show no comments or whitespace", excludes: "--all-comments"}, interfacesOption()}, interfaceShow},
	}
}

func lifecycleCommands() []command {
	node := positional{name: "node_name", help: "Name of the ROS node", complete: completeManaged}
	one := node
	one.optional = true
	hidden := option{names: "--include-hidden-nodes", help: "Consider hidden nodes as well"}
	transition := positional{name: "transition", help: "The lifecycle transition: its name or its number", complete: completeTransitions}
	return []command{
		{"lifecycle", "get", "Get lifecycle state for one or more nodes", []positional{one}, with(hidden), lifecycleGet},
		{"lifecycle", "list", "Output a list of available transitions", []positional{node},
			with(hidden, option{names: "--all -a", help: "Output all existing transitions"}), lifecycleList},
		{"lifecycle", "nodes", "Output a list of nodes with lifecycle", nil,
			with(option{names: "--all -a", help: "Display all nodes even hidden ones"},
				option{names: "--count-nodes -c", help: "Only display the number of nodes discovered"}), lifecycleNodes},
		{"lifecycle", "set", "Trigger lifecycle state transition", []positional{node, transition}, with(hidden), lifecycleSet},
	}
}

func componentCommands() []command {
	return []command{
		{"component", "list", "Output a list of running containers", nil, with(), componentList},
	}
}

func nodeCommands() []command {
	node := positional{name: "node_name", help: "Node name to request information", complete: completeNodes}
	return []command{
		{"node", "info", "Output information about a node", []positional{node},
			with(option{names: "--include-hidden", help: "Display hidden topics, services, and actions as well"}), nodeInfo},
		{"node", "list", "Output a list of available nodes", nil,
			with(option{names: "--all -a", help: "Display all nodes even hidden ones"},
				option{names: "--count-nodes -c", help: "Only display the number of nodes discovered"}), nodeList},
	}
}

func paramCommands() []command {
	node := positional{name: "node_name", help: "Name of the ROS node", complete: completeNodes}
	anyNode := node
	anyNode.optional = true
	name := positional{name: "parameter_name", help: "Name of the parameter", complete: completeParameters}
	names := positional{name: "parameter_names", help: "Names of the parameters", repeated: true, complete: completeParameters}
	value := positional{name: "value", help: "Value of the parameter, in YAML"}
	file := positional{name: "parameter_file", help: "Parameter file", file: true}
	hidden := option{names: "--include-hidden-nodes", help: "Consider hidden nodes as well"}
	return []command{
		{"param", "delete", "Delete parameter", []positional{node, name}, with(hidden), paramDelete},
		{"param", "describe", "Show descriptive information about declared parameters", []positional{node, names}, with(hidden), paramDescribe},
		{"param", "dump", "Show all of the parameters of a node in a YAML file format", []positional{node}, with(hidden), paramDump},
		{"param", "get", "Get parameter", []positional{node, name},
			with(hidden, option{names: "--hide-type", help: "Hide the type information"}), paramGet},
		{"param", "list", "Output a list of available parameters", []positional{anyNode},
			with(hidden, option{names: "--filter", metavar: "FILTER", help: "Only parameters matching the regular expression"},
				option{names: "--param-prefixes", metavar: "PREFIX", help: "Only list parameters with the provided prefixes", repeated: true},
				option{names: "--param-type", help: "Print parameter types with parameter names"}), paramList},
		{"param", "load", "Load parameter file for a node", []positional{node, file},
			with(hidden, option{names: "--no-use-wildcard", help: "Do not load parameters in the '/**' namespace into the node"}), paramLoad},
		{"param", "set", "Set parameter", []positional{node, name, value}, with(hidden), paramSet},
	}
}

func serviceCommands() []command {
	name := positional{name: "service_name", help: "Name of the ROS service (e.g. '/add_two_ints')", complete: completeServices}
	typ := positional{name: "service_type", help: "Type of the ROS service (e.g. 'std_srvs/srv/Empty')", complete: completeServiceTypes}
	values := positional{name: "values", optional: true, complete: completeRequest,
		help: "Values to fill the service request with in YAML format (e.g. '{a: 1, b: 2}')"}
	count := option{names: "--count-services -c", help: "Only display the number of services discovered"}
	hidden := option{names: "--include-hidden-services", help: "Consider hidden services as well"}
	return []command{
		{"service", "call", "Call a service", []positional{name, typ, values},
			with(interfacesOption(), option{names: "--rate -r", metavar: "N", help: "Repeat the call at a specific rate in Hz", check: isFloat}), serviceCall},
		{"service", "find", "Output a list of available services of a given type", []positional{typ}, with(count, hidden), serviceFind},
		{"service", "list", "Output a list of available services", nil,
			with(option{names: "--show-types -t", help: "Additionally show the service type"}, count, hidden), serviceList},
		{"service", "type", "Output a service's type", []positional{name}, with(), serviceType},
	}
}

func topicCommands() []command {
	name := positional{name: "topic_name", help: "Name of the ROS topic (e.g. '/chatter')", complete: completeTopics}
	topic := name
	topic.name = "topic"
	typ := positional{name: "topic_type", help: "Name of the ROS topic type (e.g. 'std_msgs/msg/String')", complete: completeTypes}
	count := option{names: "--count-topics -c", help: "Only display the number of topics discovered"}
	hidden := option{names: "--include-hidden-topics", help: "Consider hidden topics as well"}
	window := func(def int) option {
		return option{names: "--window -w", metavar: "WINDOW", help: "maximum window size, in # of messages",
			def: strconv.Itoa(def), check: isPositive}
	}
	return []command{
		{"topic", "bw", "Display bandwidth used by topic", []positional{topic}, with(window(bwWindow)), topicBw},
		{"topic", "delay", "Display delay of topic from timestamp in header", []positional{topic}, with(window(hzWindow), interfacesOption()), topicDelay},
		{"topic", "echo", "Output messages from a topic", []positional{name, messageType(true)}, echoOptions(), topicEcho},
		{"topic", "find", "Output a list of available topics of a given type", []positional{typ}, with(count, hidden), topicFind},
		{"topic", "hz", "Print the average publishing rate to screen", []positional{name},
			with(window(hzWindow), option{names: "--wall-time", help: "Accepted as in the ros2 command; rates are in wall time"}), topicHz},
		{"topic", "info", "Print information about a topic", []positional{name},
			with(option{names: "--verbose -v", help: "Prints node names, types, GIDs and QoS profiles of publishers and subscriptions"}), topicInfo},
		{"topic", "list", "Output a list of available topics", nil,
			with(option{names: "--show-types -t", help: "Additionally show the topic type"}, count, hidden,
				option{names: "--verbose -v", help: "List full details about each topic"}), topicList},
		{"topic", "pub", "Publish a message to a topic", []positional{name, messageType(false),
			{name: "values", optional: true, complete: completeMessage,
				help: "Values to fill the message with in YAML format (e.g. 'data: Hello World')"}}, pubOptions(), topicPub},
		{"topic", "type", "Print a topic's type", []positional{name}, with(), topicTypes},
	}
}

func messageType(optional bool) positional {
	return positional{name: "message_type", optional: optional, complete: completeTypes,
		help: "Type of the ROS message (e.g. 'std_msgs/msg/String')"}
}

func echoOptions() []option {
	return append(with(append(qosOptions(), interfacesOption())...),
		option{names: "--csv", help: "Output all recursive fields separated by commas (e.g. for plotting)"},
		option{names: "--field", metavar: "FIELD", help: "Echo a selected field of a message, as in pose.pose.position"},
		option{names: "--full-length -f", help: "Output all elements for arrays, bytes, and string"},
		option{names: "--truncate-length -l", metavar: "N", help: "The length to truncate arrays, bytes, and string to", def: strconv.Itoa(defaultTruncate), check: isUnsigned},
		option{names: "--no-arr", help: "Don't print array fields of messages"},
		option{names: "--no-str", help: "Don't print string fields of messages"},
		option{names: "--flow-style", help: "Print lists in one line (not available with csv format)"},
		option{names: "--no-lost-messages", help: "Don't report when a message is lost"},
		option{names: "--raw", help: "Echo the raw binary representation"},
		option{names: "--once", help: "Print the first message received and then exit"},
	)
}

func pubOptions() []option {
	return append(with(
		interfacesOption(),
		option{names: "--rate -r", metavar: "N", help: "Publishing rate in Hz", def: "1", check: isPositiveFloat},
		option{names: "--print -p", metavar: "N", help: "Only print every N-th published message", def: "1", check: isInteger},
		option{names: "--once -1", help: "Publish one message and exit", excludes: "--times"},
		option{names: "--times -t", metavar: "TIMES", help: "Publish this number of times and then exit", check: isNonnegative, excludes: "--once"},
		option{names: "--wait-matching-subscriptions -w", metavar: "N", check: isNonnegative,
			help: "Wait until finding the specified number of matching subscriptions (default: 1 with --once and --times, else 0)"},
		option{names: "--keep-alive", metavar: "N", help: "Keep publishing node alive for N seconds after the last msg", def: "0.1", check: isPositiveFloat},
		option{names: "--node-name -n", metavar: "NODE_NAME", help: "Name of the created publishing node"},
	), qosOptions()...)
}
