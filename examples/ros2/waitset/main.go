// SPDX-License-Identifier: Apache-2.0

// Command waitset answers each std_msgs/msg/String of /question on /answer. It has neither callbacks nor an executor:
// its goroutine waits for questions and for a second without one, and takes then what else has arrived: the newest
// message of /scene and all of /note.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/waitset"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, arguments []string) (err error) {
	args, _, err := ros2.ParseArgs(arguments)
	if err != nil {
		return err
	}
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return err
	}
	transport, err := rmw.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	node, err := ros2.NewNode(ros2.NodeConfig{Name: "waitset", Transport: transport, Args: args, Standard: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, node.Close()) }()
	a := &answerer{}
	if err := a.subscribe(node); err != nil {
		return err
	}
	return a.run(ctx)
}

// answerer has the program's topics.
type answerer struct {
	questions, scenes, notes *waitset.Subscription[std_msgs.String]
	answers                  *ros2.Publisher[std_msgs.String]
	scene                    string // the newest
	noted                    int
}

func (a *answerer) subscribe(node *ros2.Node) (err error) {
	for topic, subscription := range map[string]**waitset.Subscription[std_msgs.String]{
		"question": &a.questions, "scene": &a.scenes, "note": &a.notes,
	} {
		if *subscription, err = waitset.Subscribe[std_msgs.String](node, topic, ros2.DefaultQoS()); err != nil {
			return err
		}
	}
	a.answers, err = ros2.NewPublisher[std_msgs.String](node, "answer", ros2.DefaultQoS())
	return err
}

// run waits for questions until ctx ends. The other topics do not wake it.
func (a *answerer) run(ctx context.Context) error {
	set, err := waitset.New(a.questions)
	if err != nil {
		return err
	}
	defer set.Close()
	for {
		_, err := set.Wait(ctx, time.Second)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, waitset.ErrTimeout):
			fmt.Println("no question for a second")
		case err != nil:
			return err
		}
		if err := a.answer(); err != nil {
			return err
		}
	}
}

// answer answers the waiting questions.
func (a *answerer) answer() error {
	for question, ok := a.questions.Take(); ok; question, ok = a.questions.Take() {
		if newest, ok := a.scenes.Latest(); ok {
			a.scene = newest.Message.Data
		}
		a.noted += len(a.notes.TakeAll(nil))
		text := fmt.Sprintf("question %d, %q: scene %q, %d notes", question.Info.Sequence, question.Message.Data, a.scene, a.noted)
		if err := a.answers.Publish(&std_msgs.String{Data: text}); err != nil {
			return err
		}
	}
	return nil
}
