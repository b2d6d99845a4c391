// SPDX-License-Identifier: Apache-2.0

package driving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/teleop"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
)

// teleopPeriod is the period of cmd_vel while the robot drives.
const teleopPeriod = 50 * time.Millisecond

// errInputClosed ends driving: standard input, the terminal or the joystick was closed.
var errInputClosed = errors.New("the keyboard or joystick has been closed")

// teleopOptions are the options of teleop.
type teleopOptions struct {
	joystick string
	stick    teleop.Joystick
	pilot    *teleop.Pilot
}

// teleopKeys is the key map that help and start of the command show.
const teleopKeys = "    u i o      w       q/z  faster/slower, all       Ctrl-C ends\n" +
	"    j k l    a s d     r/v  faster/slower, driving\n" +
	"    m , .              e/c  faster/slower, turning"

// NewTeleopCommand returns the command that drives by keyboard or joystick.
func NewTeleopCommand(p *frame.Program) *cobra.Command {
	o := &teleopOptions{pilot: teleop.NewPilot()}
	cmd := &cobra.Command{
		Use:   "teleop",
		Short: "Drive a robot by keyboard or joystick",
		Long: "Drives by the keys of teleop_twist_keyboard, w a s d as on the web page, or the arrow keys, while they are held; any\n" +
			"other key stops. W is forward here: r and v change the speed of driving, for w and x of that program. Where the\n" +
			"terminal reports key releases (kitty, foot, WezTerm) a release stops the robot immediately, elsewhere 150 ms after the last repeat.\n" +
			"The robot also stops when standard input or the terminal is closed.\n\n" + teleopKeys,
		Example: "  epuck-driver teleop\n" +
			"  epuck-driver teleop --joystick /dev/input/js0 --enable-button 4 --ros-args -r __ns:=/robot1",
		Args: frame.NoArguments,
	}
	o.flags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), p, *on) }
	return cmd
}

func (o *teleopOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.joystick, "joystick", "", "drive by the joystick at this `FILE`, as in /dev/input/js0")
	f.Float64Var(&o.pilot.Speed, "speed", teleop.StartSpeed, "speed at the start, m/s")
	f.Float64Var(&o.pilot.Turn, "turn", teleop.StartTurn, "speed of turning at the start, rad/s")
	f.IntVar(&o.stick.LinearAxis, "linear-axis", 1, "axis that drives")
	f.IntVar(&o.stick.AngularAxis, "angular-axis", 0, "axis that turns")
	f.IntVar(&o.stick.EnableButton, "enable-button", 4, "button that must be held to drive; -1 is none")
	f.Float64Var(&o.stick.DeadZone, "dead-zone", 0.05, "share of an axis that counts as its centre")
}

// controls returns the description of the controls: the keys, or the axes of the joystick.
func (o *teleopOptions) controls() string {
	if o.joystick == "" {
		return teleopKeys
	}
	text := fmt.Sprintf("axis %d drives, axis %d turns", o.stick.LinearAxis, o.stick.AngularAxis)
	if o.stick.EnableButton >= 0 {
		text += fmt.Sprintf(" while button %d is held", o.stick.EnableButton)
	}
	return text + "; Ctrl-C ends"
}

// run drives until ctx ends or the input is closed, and stops the robot in any case.
func (o *teleopOptions) run(ctx context.Context, p *frame.Program, on network.Choice) (err error) {
	ctx, hangUp := signal.NotifyContext(ctx, syscall.SIGHUP)
	defer hangUp()
	o.stick.Speed, o.stick.Turn = o.pilot.Speed, o.pilot.Turn
	fmt.Fprintln(p.Out, o.controls())
	session, err := network.Join("epuck_teleop", false, on, p.ROS, slog.New(tty.NewConsole(p.Err)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	commandPublisher, err := openPublisher(ctx, session.Node, p.Err)
	if err != nil {
		return err
	}
	h, err := o.openInput(os.Stdin, os.Stdout)
	if err != nil {
		return err
	}
	defer h.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	task.Go("teleop input", func() { cancel(h.read(ctx)) })
	view, err := newTeleopView(session.Node)
	if err != nil {
		return err
	}
	var show task.Group
	show.Go("teleop status", func() { cancel(view.show(ctx, os.Stdout, h)) })
	err = steer(ctx, commandPublisher, h)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = errors.Join(err, cause)
	}
	cancel(nil)
	waitFor(&show)
	if errors.Is(err, errInputClosed) {
		return nil
	}
	return err
}

// waitFor waits for a group that writes to a terminal, at most tty.CloseTimeout, because the terminal may be stopped.
func waitFor(g *task.Group) {
	select {
	case <-g.Done():
	case <-time.After(tty.CloseTimeout):
	}
}

// steer sends the commands of the input until ctx ends, then zero.
func steer(ctx context.Context, r commandPublisher, h *input) error {
	tick := time.NewTicker(teleopPeriod)
	defer tick.Stop()
	var failed error
	zeros := stopMessages
	for failed == nil && ctx.Err() == nil {
		v, w := h.command(time.Now())
		if v != 0 || w != 0 {
			zeros = 0
		}
		if zeros < stopMessages {
			failed = r.drive(v, w)
		}
		if v == 0 && w == 0 {
			zeros++
		}
		select {
		case <-tick.C:
		case <-h.changed:
		case <-ctx.Done():
		}
	}
	for range stopMessages {
		failed = errors.Join(failed, r.drive(0, 0))
		<-tick.C
	}
	return failed
}

// input is the source of commands: the keys of a terminal, or a joystick.
type input struct {
	changed chan struct{} // holds a token after each event
	restore func()
	source  io.Reader
	decode  func([]byte) error

	mu    sync.Mutex // guards pilot, stick and keys
	pilot *teleop.Pilot
	stick *teleop.Joystick // nil for keys
	keys  teleop.Parser
}

// openInput opens the joystick, or puts the terminal into raw mode.
func (o *teleopOptions) openInput(in, out *os.File) (*input, error) {
	h := &input{changed: make(chan struct{}, 1), restore: func() {}, pilot: o.pilot}
	if o.joystick != "" {
		f, err := os.Open(o.joystick)
		if err != nil {
			return nil, err
		}
		h.stick, h.source, h.decode, h.restore = &o.stick, f, o.stick.Decode, func() { _ = f.Close() }
		return h, nil
	}
	h.source, h.decode = in, h.typed
	keyboard := tty.OpenKeyboard(in)
	if keyboard == nil {
		return h, nil // a pipe: driving ends with it
	}
	if _, err := io.WriteString(out, teleop.QueryProtocol+teleop.PushProtocol); err != nil {
		keyboard.Close()
		return nil, err
	}
	h.restore = func() {
		var pop task.Group // may block: the terminal may be gone
		pop.Go("terminal", func() { _, _ = io.WriteString(out, teleop.PopProtocol) })
		waitFor(&pop)
		keyboard.Close()
	}
	return h, nil
}

// errQuit is returned for Ctrl-C or Ctrl-D in a terminal that sends them as keys.
var errQuit = fmt.Errorf("%w: ended by a key", errInputClosed)

// typed processes the bytes of the terminal.
func (h *input) typed(data []byte) error {
	for _, k := range h.keys.Parse(data) {
		if k.Ctrl && (k.Rune == 'c' || k.Rune == 'd') {
			return errQuit
		}
		h.pilot.Key(k, time.Now())
	}
	h.pilot.HasKeyRelease = h.keys.HasKeyRelease
	return nil
}

// read processes events until there are no more, and returns the reason.
func (h *input) read(ctx context.Context) error {
	buf := make([]byte, 16*teleop.JoystickEventSize)
	for ctx.Err() == nil {
		n, err := h.source.Read(buf)
		h.mu.Lock()
		wrong := h.decode(buf[:n])
		h.mu.Unlock()
		switch {
		case wrong != nil:
			return wrong
		case errors.Is(err, io.EOF):
			return errInputClosed
		case err != nil:
			return fmt.Errorf("%w: %w", errInputClosed, err)
		}
		select {
		case h.changed <- struct{}{}:
		default:
		}
	}
	return nil
}

func (h *input) command(now time.Time) (v, w float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stick != nil {
		return h.stick.Command()
	}
	return h.pilot.Command(now)
}

// speeds returns the speeds with which keys drive.
func (h *input) speeds() (v, w float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pilot.Speed, h.pilot.Turn
}

// Close restores the terminal.
func (h *input) Close() { h.restore() }

// commandPublisher publishes cmd_vel in the type that the robot subscribes to.
type commandPublisher interface{ drive(v, w float64) error }
