// SPDX-License-Identifier: Apache-2.0

package waiting

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/internal/suite"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

func TestMain(m *testing.M) { suite.VerifyNoLeaks(m) }

var (
	tool   = ros2.NodeName{Namespace: "/", Name: "tool"}
	driver = ros2.NodeName{Namespace: "/", Name: "epuck_driver"}
	second = ros2.NodeName{Namespace: "/r2", Name: "epuck_driver"}
)

const twist, stamped = "geometry_msgs/msg/Twist", "geometry_msgs/msg/TwistStamped"

// with returns a graph of the waiting node and of the nodes of the endpoints.
func with(endpoints ...ros2.EndpointInfo) ros2.Graph {
	g := ros2.Graph{Nodes: []ros2.NodeName{tool}, Endpoints: endpoints}
	for _, e := range endpoints {
		if e.Node != tool && e.Node.Name != "" {
			g.Nodes = append(g.Nodes, e.Node)
		}
	}
	return g
}

func endpoint(node ros2.NodeName, kind ros2.EndpointKind, topic, rosType string, qos ros2.QoS) ros2.EndpointInfo {
	return ros2.EndpointInfo{Node: node, Kind: kind, Topic: topic, Type: rosType, QoS: qos}
}

// TestText: the reason why a peer does not match names what differs.
func TestText(t *testing.T) {
	reliable, best := ros2.DefaultQoS(), ros2.SensorDataQoS()
	listener := Peer{Kind: ros2.SubscriptionEndpoint, Name: "/cmd_vel", Type: twist, QoS: reliable, Own: tool}
	talker := Peer{Kind: ros2.PublisherEndpoint, Name: "/odom", Type: "nav_msgs/msg/Odometry", QoS: reliable, Own: tool}
	service := Peer{Kind: ros2.ServiceEndpoint, Name: "/reset", Type: "std_srvs/srv/Trigger", Own: tool}
	action := Peer{Action: true, Name: "/navigate", Type: "nav2_msgs/action/NavigateToPose", Own: tool}
	node := Peer{Node: true, Name: "/epuck_driver", Own: tool}
	publisher := func(node ros2.NodeName, qos ros2.QoS) ros2.EndpointInfo {
		return endpoint(node, ros2.PublisherEndpoint, "/odom", "nav_msgs/msg/Odometry", qos)
	}
	subscription := func(node ros2.NodeName, rosType string, qos ros2.QoS) ros2.EndpointInfo {
		return endpoint(node, ros2.SubscriptionEndpoint, "/cmd_vel", rosType, qos)
	}
	hashed := listener
	hashed.TypeHash = "RIHS01_1"
	newer := subscription(driver, twist, reliable)
	newer.TypeHash = "RIHS01_2"
	anyQoS := talker
	anyQoS.AnyQoS = true
	many := with()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		many.Endpoints = append(many.Endpoints, subscription(ros2.NodeName{Namespace: "/", Name: name}, stamped, reliable))
	}
	for name, c := range map[string]struct {
		graph ros2.Graph
		peers []Peer
		want  string
	}{
		"nothing": {ros2.Graph{}, []Peer{listener},
			"waiting for a subscription of /cmd_vel: no other node in this ROS domain (ROS_DOMAIN_ID is 0)"},
		"only this node": {with(subscription(tool, twist, reliable)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: no other node in this ROS domain (ROS_DOMAIN_ID is 0)"},
		"a second node of the same name": {ros2.Graph{Nodes: []ros2.NodeName{tool, tool}}, []Peer{listener},
			"waiting for a subscription of /cmd_vel: no node has one"},
		"an endpoint of a node that is not known yet": {with(endpoint(ros2.NodeName{}, ros2.PublisherEndpoint, "/x", twist, best)),
			[]Peer{listener}, "waiting for a subscription of /cmd_vel: no node has one"},
		"no such name": {with(publisher(driver, reliable)), []Peer{listener}, "waiting for a subscription of /cmd_vel: no node has one"},
		"a similar name": {with(endpoint(driver, ros2.SubscriptionEndpoint, "/cmd_val", twist, reliable)), []Peer{listener},
			`waiting for a subscription of /cmd_vel: no node has one; did you mean '/cmd_val'?`},
		"the name of another kind": {with(endpoint(driver, ros2.PublisherEndpoint, "/cmd_vel", twist, reliable)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: no node has one"},
		"another type": {with(subscription(driver, stamped, reliable)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: /epuck_driver uses the type " + stamped + ", not " + twist},
		"another type of an unknown node": {with(subscription(ros2.NodeName{}, stamped, reliable)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: an unknown node uses the type " + stamped + ", not " + twist},
		"another version of the type": {with(newer), []Peer{hashed},
			"waiting for a subscription of /cmd_vel: /epuck_driver uses another version of the type " + twist + " (hash RIHS01_2, not RIHS01_1)"},
		"a version that is not announced": {with(subscription(driver, twist, reliable)), []Peer{hashed},
			"waiting for a subscription of /cmd_vel: /epuck_driver is found and has not matched yet"},
		"several types": {many, []Peer{listener}, "waiting for a subscription of /cmd_vel: " +
			"/a uses the type " + stamped + ", not " + twist + "; /b uses the type " + stamped + ", not " + twist +
			"; /c uses the type " + stamped + ", not " + twist + "; and 2 more"},
		"two of one kind": {with(subscription(driver, stamped, reliable), subscription(driver, stamped, best)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: /epuck_driver uses the type " + stamped + ", not " + twist},
		"one of two matches": {with(subscription(driver, stamped, reliable), subscription(second, twist, best)), []Peer{listener},
			"waiting for a subscription of /cmd_vel: /r2/epuck_driver is found and has not matched yet"},
		"requests more": {with(subscription(driver, twist, ros2.LatchedQoS())), []Peer{listener},
			"waiting for a subscription of /cmd_vel: /epuck_driver requests more than is offered here (durability): offered " +
				reliable.String() + ", requested " + ros2.LatchedQoS().String()},
		"offers less": {with(publisher(driver, best)), []Peer{talker},
			"waiting for a publisher of /odom: /epuck_driver offers less than is requested here (reliability): offered " +
				best.String() + ", requested " + reliable.String()},
		"any quality of service": {with(publisher(driver, best)), []Peer{anyQoS},
			"waiting for a message on /odom: published by /epuck_driver, none has arrived yet"},
		"silent publishers": {with(publisher(second, reliable), publisher(driver, reliable), publisher(driver, reliable)), []Peer{talker},
			"waiting for a message on /odom: published by /epuck_driver, /r2/epuck_driver, none has arrived yet"},
		"a service without a server": {with(publisher(driver, best)), []Peer{service},
			"waiting for a server of the service /reset: no node has one"},
		"a service of another type": {with(endpoint(driver, ros2.ServiceEndpoint, "/reset", "std_srvs/srv/Empty", best)), []Peer{service},
			"waiting for a server of the service /reset: /epuck_driver uses the type std_srvs/srv/Empty, not std_srvs/srv/Trigger"},
		"a server that does not answer": {with(endpoint(driver, ros2.ServiceEndpoint, "/reset", "std_srvs/srv/Trigger", best)), []Peer{service},
			"waiting for the service /reset: its server in /epuck_driver has not answered yet"},
		"an action of another type": {with(endpoint(driver, ros2.ServiceEndpoint, "/navigate/_action/send_goal", "a/action/B_SendGoal", best)),
			[]Peer{action}, "waiting for a server of the action /navigate: /epuck_driver uses the type a/action/B, not nav2_msgs/action/NavigateToPose"},
		"an action of a similar name": {with(endpoint(driver, ros2.ServiceEndpoint, "/navigator/_action/send_goal", "a/action/B_SendGoal", best)),
			[]Peer{action}, `waiting for a server of the action /navigate: no node has one; did you mean '/navigator'?`},
		"an action that does not answer": {with(endpoint(driver, ros2.ServiceEndpoint, "/navigate/_action/send_goal",
			"nav2_msgs/action/NavigateToPose_SendGoal", best)), []Peer{action},
			"waiting for the action /navigate: its server in /epuck_driver has not answered yet"},
		"several peers, one of which matches": {with(publisher(driver, reliable)), []Peer{talker, listener},
			"waiting for a subscription of /cmd_vel: no node has one"},
		"a node of no domain": {with(), []Peer{node}, "waiting for the node /epuck_driver: no other node in this ROS domain (ROS_DOMAIN_ID is 0)"},
		"a node of another name": {with(publisher(second, reliable)), []Peer{node},
			"waiting for the node /epuck_driver: no node has this name; did you mean '/r2/epuck_driver'?"},
		"a node without endpoints": {ros2.Graph{Nodes: []ros2.NodeName{driver}}, []Peer{node}, ""},
		"several peers": {with(publisher(driver, best)), []Peer{talker, service},
			"waiting for a publisher of /odom: /epuck_driver offers less than is requested here (reliability): offered " +
				best.String() + ", requested " + reliable.String() + "\nwaiting for a server of the service /reset: no node has one"},
	} {
		t.Run(name, func(t *testing.T) {
			reach(t, "", "", "")
			if got := Text(c.graph, c.peers...); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestTextOfManyNodes: not all of them are named.
func TestTextOfManyNodes(t *testing.T) {
	g := ros2.Graph{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		g.Endpoints = append(g.Endpoints, endpoint(ros2.NodeName{Namespace: "/", Name: name}, ros2.PublisherEndpoint, "/x", twist, ros2.DefaultQoS()))
	}
	want := "waiting for a message on /x: published by /a, /b, /c, others, none has arrived yet"
	if got := Text(g, Peer{Kind: ros2.PublisherEndpoint, Name: "/x", Own: tool}); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// reach sets what decides which nodes are seen.
func reach(t *testing.T, domain, localhost, discovery string) {
	t.Helper()
	t.Setenv("ROS_DOMAIN_ID", domain)
	t.Setenv("ROS_LOCALHOST_ONLY", localhost)
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", discovery)
}

// TestTextNamesTheReachOfDiscovery: without another node, the settings that decide which are seen are named.
func TestTextNamesTheReachOfDiscovery(t *testing.T) {
	for _, c := range []struct{ domain, localhost, discovery, want string }{
		{"", "", "", "(ROS_DOMAIN_ID is 0)"},
		{"42", "0", "", "(ROS_DOMAIN_ID is 42)"},
		{"42", "1", "", "(ROS_DOMAIN_ID is 42, ROS_LOCALHOST_ONLY is 1: only this machine)"},
		{"7", "", "LOCALHOST", "(ROS_DOMAIN_ID is 7, ROS_AUTOMATIC_DISCOVERY_RANGE is LOCALHOST)"},
		{"7", "0", "localhost", "(ROS_DOMAIN_ID is 7, ROS_AUTOMATIC_DISCOVERY_RANGE is LOCALHOST)"},
		{"", "", "off", "(ROS_DOMAIN_ID is 0, ROS_AUTOMATIC_DISCOVERY_RANGE is OFF)"},
		{"", "", "SUBNET", "(ROS_DOMAIN_ID is 0)"},
		{"", "", "SYSTEM_DEFAULT", "(ROS_DOMAIN_ID is 0)"},
		{"3", "1", "OFF", "(ROS_DOMAIN_ID is 3, ROS_LOCALHOST_ONLY is 1: only this machine)"},
	} {
		reach(t, c.domain, c.localhost, c.discovery)
		want := "waiting for a publisher of /odom: no other node in this ROS domain " + c.want
		if got := Text(with(), Peer{Kind: ros2.PublisherEndpoint, Name: "/odom", Own: tool}); got != want {
			t.Errorf("%+v: %s\nwant %s", c, got, want)
		}
	}
}
