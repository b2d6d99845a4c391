// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration/wheels"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/msgs/geometry_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/planar"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// errEnd is matched by errors about an invalid end of a run.
var errEnd = errors.New("calibrate: bad end of a run")

// errAgain is returned by [Ends.End] if the run went wrong and is to be driven again.
var errAgain = errors.New("calibrate: once more")

// Ends measures the true end poses of runs.
type Ends interface {
	// Begin is called before each run, with the robot at rest at its start.
	Begin(ctx context.Context, run string) error
	// End fills in the run's End, Position and Heading, with the robot at rest.
	End(ctx context.Context, run *wheels.Run) error
	// Reading returns the accuracy of the ends.
	Reading() wheels.Reading
	// Returns reports whether the robot has to be put back to the start mark before each run.
	Returns() bool
}

// byHand is the accuracy of a person who reads a sheet or a ruler.
var byHand = wheels.Reading{Position: 0.001, Heading: 0.5 * math.Pi / 180}

// Typed prompts the user for the ends.
type Typed struct{ UI UI }

// Begin prompts for the robot to be put on its mark.
func (t Typed) Begin(ctx context.Context, run string) error {
	_, err := t.UI.Ask(ctx, fmt.Sprintf("Put the robot on the start mark, nose along the arrow, for run %q, then press Enter:", run))
	return err
}

// End prompts until the answer is valid. The answer "again" has the run driven again (errAgain).
func (t Typed) End(ctx context.Context, run *wheels.Run) error {
	question := "Where is it now, x y in mm from the start mark (x along the arrow, y to its left)"
	if run.Kind == wheels.TurnCCW || run.Kind == wheels.TurnCW {
		question = "What is its heading now, degrees from the arrow, anticlockwise"
	}
	question = fmt.Sprintf("Run %q: %s? Or \"again\", if it was bumped or moved:", run.Name, question)
	for {
		line, err := t.UI.Ask(ctx, question)
		if err != nil {
			return err
		}
		if line == "again" {
			return errAgain
		}
		if err = parseEnd(line, run); err == nil {
			return nil
		}
		t.UI.Say("%v", err)
	}
}

// Reading returns the accuracy of a ruler.
func (t Typed) Reading() wheels.Reading { return byHand }

// Returns returns true: every run begins at the start mark.
func (t Typed) Returns() bool { return true }

// parseEnd parses "x y" or "x y heading" in mm and degrees; for a turn on the spot "heading".
func parseEnd(line string, run *wheels.Run) error {
	v, err := endNumbers(line)
	if err != nil {
		return err
	}
	turn := run.Kind == wheels.TurnCCW || run.Kind == wheels.TurnCW
	switch {
	case turn && len(v) == 1:
		run.End, run.Position, run.Heading = wheels.Pose{Theta: v[0] * math.Pi / 180}, false, true
	case !turn && (len(v) == 2 || len(v) == 3):
		run.End, run.Position = wheels.Pose{X: v[0] / 1000, Y: v[1] / 1000}, true
		if len(v) == 3 {
			run.End.Theta, run.Heading = v[2]*math.Pi/180, true
		}
	case turn:
		return fmt.Errorf("%w: want one number, degrees, got %d", errEnd, len(v))
	default:
		return fmt.Errorf("%w: want x y or x y heading, got %d numbers", errEnd, len(v))
	}
	return nil
}

// endNumbers parses the numbers of an end: mm and degrees.
func endNumbers(line string) (v []float64, err error) {
	for _, f := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ';' || r == '\t' || r == ',' }) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e5 {
			return nil, fmt.Errorf("%w: %q is not a number", errEnd, f)
		}
		v = append(v, x)
	}
	return v, nil
}

// FromFile reads the ends from lines "NAME: X Y" of a file.
type FromFile struct{ ends map[string]string }

// ReadEnds parses a file of ends: lines "NAME: X Y [HEADING]" in mm and degrees; # starts a comment.
func ReadEnds(r io.Reader) (*FromFile, error) {
	f := &FromFile{ends: map[string]string{}}
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		line, _, _ := strings.Cut(s.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, end, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%w: line %d: want NAME: X Y, got %q", errEnd, n, line)
		}
		if v, err := endNumbers(end); err != nil || len(v) == 0 {
			return nil, fmt.Errorf("%w: line %d: want NAME: X Y, numbers in mm, got %q", errEnd, n, line)
		}
		f.ends[strings.TrimSpace(name)] = end
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if len(f.ends) == 0 {
		return nil, fmt.Errorf("%w: the file has no line NAME: X Y", errEnd)
	}
	return f, nil
}

// Begin does nothing and returns nil: with ends from a file, no person moves the robot.
func (f *FromFile) Begin(context.Context, string) error { return nil }

// End parses the run's line. The error matches errEnd if the file has none.
func (f *FromFile) End(_ context.Context, run *wheels.Run) error {
	line, ok := f.ends[run.Name]
	if !ok {
		return fmt.Errorf("%w: the file has no end of run %q", errEnd, run.Name)
	}
	return parseEnd(line, run)
}

// Reading returns the accuracy of a ruler.
func (f *FromFile) Reading() wheels.Reading { return byHand }

// Returns returns true: every run begins at the start mark.
func (f *FromFile) Returns() bool { return true }

// tracked gets the ends from a source of the robot's absolute pose.
type tracked struct {
	where   func(ctx context.Context) (wheels.Pose, error)
	reading wheels.Reading
	from    wheels.Pose
}

// Begin stores the robot's pose.
func (t *tracked) Begin(ctx context.Context, _ string) (err error) {
	t.from, err = t.where(ctx)
	return err
}

// End sets the run's end to the robot's pose relative to the one at Begin.
func (t *tracked) End(ctx context.Context, run *wheels.Run) error {
	p, err := t.where(ctx)
	if err != nil {
		return err
	}
	sin, cos := math.Sincos(-t.from.Theta)
	dx, dy := p.X-t.from.X, p.Y-t.from.Y
	run.End = wheels.Pose{X: dx*cos - dy*sin, Y: dx*sin + dy*cos, Theta: math.Remainder(p.Theta-t.from.Theta, 2*math.Pi)}
	run.Position, run.Heading = true, true
	return nil
}

// Reading returns the accuracy of the source.
func (t *tracked) Reading() wheels.Reading { return t.reading }

// Returns returns false: every run begins where the last one ended.
func (t *tracked) Returns() bool { return false }

// FromTopic returns ends from a geometry_msgs/PoseStamped topic, such as motion capture or an overhead camera. Close
// ends the subscription. A pose that is not in the plane, as of a tracker whose z axis is not up, is an error.
func FromTopic(n *ros2.Node, topic string) (e Ends, closer io.Closer, err error) {
	s, err := listen[geometry_msgs.PoseStamped](n, topic)
	if err != nil {
		return nil, nil, err
	}
	return &tracked{reading: wheels.Reading{Position: 0.0005, Heading: 0.2 * math.Pi / 180}, where: func(ctx context.Context) (wheels.Pose, error) {
		var sum wheels.Pose
		var sin, cos float64
		const mean = 5 // number of messages that are averaged
		at := s.now()
		for range mean {
			m, n, err := s.next(ctx, at)
			if err != nil {
				return sum, err
			}
			at = n
			p, err := planar.PoseOf(m.Pose)
			if err != nil {
				return sum, fmt.Errorf("%w: a pose of %s: %w", errEnd, topic, err)
			}
			sum.X, sum.Y = sum.X+p.X/mean, sum.Y+p.Y/mean
			sin, cos = sin+math.Sin(p.Theta), cos+math.Cos(p.Theta)
		}
		sum.Theta = math.Atan2(sin, cos)
		return sum, nil
	}}, s, nil
}

// FromTruth returns ends from the file in which `epuck-driver sim --truth` writes the simulated robot's true state.
func FromTruth(path string) Ends {
	return &tracked{reading: wheels.Reading{Position: 0.0001, Heading: 1e-4}, where: func(ctx context.Context) (wheels.Pose, error) {
		begin := time.Now()
		for {
			var r struct {
				Time, X, Y, Theta float64
				Moving            bool
			}
			data, err := regular.Read(path, maxFile)
			if err == nil {
				err = json.Unmarshal(data, &r)
			}
			written := time.Unix(0, int64(r.Time*1e9))
			if err == nil && !r.Moving && !written.Before(begin) {
				return wheels.Pose{X: r.X, Y: r.Y, Theta: r.Theta}, nil
			}
			if time.Since(begin) > messageTimeout {
				return wheels.Pose{}, fmt.Errorf("%w: the true state in %s is not that of a robot at rest, or too old: %w", errEnd, path, errors.Join(err))
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
				return wheels.Pose{}, context.Cause(ctx)
			}
		}
	}}
}
