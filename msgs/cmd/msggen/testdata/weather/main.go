// Command weather publishes readings of a weather station, and takes its place as a service.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/builtin_interfaces"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/action"
	"github.com/epuck-ros2/epuck-driver/ros2/rclgo"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"

	"example.com/weather/msgs/weather_msgs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

// open joins the network: with this module's own RTPS or, built with -tags rclgo where ROS 2 is, with ROS 2's.
func open() (ros2.Transport, error) {
	if rclgo.BuiltIn {
		return rclgo.New(rclgo.Config{Args: os.Args[1:], DomainID: rclgo.EnvironmentDomain})
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return rmw.New(cfg)
}

func run(ctx context.Context) error {
	transport, err := open()
	if err != nil {
		return err
	}
	defer transport.Close()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "weather", Transport: transport, Standard: true})
	if err != nil {
		return err
	}
	defer node.Close()
	readings, err := ros2.NewPublisher[weather_msgs.Reading](node, "reading", ros2.DefaultQoS())
	if err != nil {
		return err
	}
	if _, err := ros2.NewService(node, weather_msgs.Place{}, "place", place); err != nil {
		return err
	}
	if _, err := action.NewServer(node, weather_msgs.Survey{}, "survey", action.Config[weather_msgs.SurveyGoal,
		weather_msgs.SurveyResult, weather_msgs.SurveyFeedback]{Execute: survey}); err != nil {
		return err
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := readings.Publish(reading()); err != nil {
				return err
			}
		}
	}
}

// reading is what the station measures.
func reading() *weather_msgs.Reading {
	sample := weather_msgs.DefaultSample() // with the defaults of the definition: kind is 1
	sample.Value = 21.5
	return &weather_msgs.Reading{
		Header:   std_msgs.Header{Stamp: builtin_interfaces.Time{Sec: 12, Nanosec: 34}, FrameID: "map"},
		Position: geometry_msgs.Point{X: 1, Y: 2, Z: 3},
		Station:  "roof",
		Samples:  []weather_msgs.Sample{sample, {Kind: weather_msgs.SampleKindPressure, Value: 101325}},
		Wind:     [3]float32{0.5, -0.5, 0},
	}
}

func place(_ context.Context, request *weather_msgs.PlaceRequest) (*weather_msgs.PlaceResponse, error) {
	log.Printf("at %v", request.Pose.Position)
	return &weather_msgs.PlaceResponse{Success: true, Message: "placed"}, nil
}

// survey measures at each place of a goal.
func survey(_ context.Context, g *action.Goal[weather_msgs.SurveyGoal, weather_msgs.SurveyFeedback]) (*weather_msgs.SurveyResult, error) {
	result := &weather_msgs.SurveyResult{}
	for i, p := range g.Goal.Places {
		r := reading()
		r.Position = p.Pose.Position
		result.Readings = append(result.Readings, *r)
		if err := g.Feedback(&weather_msgs.SurveyFeedback{Done: uint32(i + 1)}); err != nil {
			return result, err
		}
	}
	return result, nil
}
