// SPDX-License-Identifier: Apache-2.0

//go:build !arm

package calibrations

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/calibration/procedure"
	"github.com/epuck-ros2/epuck-driver/calibration/sheet"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
)

// cameraCommand has the options of calibrate camera.
type cameraCommand struct {
	calibration
	size   string
	square float64
	plain  bool
	model  string
	radial int
	images string
	keepIn string
	topic  string
	camera string
	out    string
	sheet  string
}

func newCalibrateCameraCommand(p *frame.Program) *cobra.Command {
	c := &cameraCommand{}
	cmd := &cobra.Command{
		Use:   "camera",
		Short: "Find the camera's lens: focal lengths, centre, distortion",
		Long: "Print the board (--sheet), glue it to something flat and move it in front of the robot's camera until the status line\n" +
			"reports enough views: to all edges of the picture, near and far, tilted each way. Hold it still for each view. The\n" +
			"marked board may leave the picture while its three discs are visible; a plain one (--plain) must be complete.\n" +
			"Ctrl-C ends collecting; what was collected is computed. The views' pictures are kept (--keep) and can be computed\n" +
			"again with other models (--images, no robot is needed).",
		Example: "  epuck-driver calibrate camera --sheet board.pdf             print the board\n" +
			"  epuck-driver calibrate camera                               collect, compute, set on the driver\n" +
			"  epuck-driver calibrate camera --images calibrate-camera --model rational_polynomial\n" +
			"  epuck-driver calibrate camera --resume                      continue with the views that are kept",
		Args: frame.NoArguments,
	}
	f := cmd.Flags()
	f.StringVar(&c.size, "size", "13x9", "inner corners of the board, COLSxROWS")
	f.Float64Var(&c.square, "square", 0.020, "side of a square, m: measure ten on the print")
	f.BoolVar(&c.plain, "plain", false, "the board has no discs, as cameracalibrator's")
	f.StringVar(&c.model, "model", string(cam.PlumbBob), "plumb_bob, rational_polynomial or equidistant (fisheye)")
	f.IntVar(&c.radial, "radial", 2, "radial coefficients of plumb_bob, 2 or 3")
	f.StringVar(&c.images, "images", "", "take the pictures (.png, .jpg) of this folder instead of the camera's; nothing is set")
	f.StringVar(&c.keepIn, "keep", "calibrate-camera", "folder for the pictures of the views")
	f.StringVar(&c.topic, "topic", "image_raw/compressed", "topic of the pictures, sensor_msgs/CompressedImage")
	f.StringVar(&c.camera, "name", "pipuck", "camera_name in the file")
	f.StringVar(&c.out, "out", "ost.yaml", "file for camera_info_manager")
	f.StringVar(&c.sheet, "sheet", "", "write the board to print (.pdf or .svg) and do nothing else")
	f.BoolVar(&c.resume, "resume", false, "begin with the views in the folder of --keep")
	c.flags(cmd, p)
	_ = cmd.RegisterFlagCompletionFunc("model", cobra.FixedCompletions( // it fails for flags that don't exist only
		[]string{string(cam.PlumbBob), string(cam.Rational), string(cam.Equidistant)}, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) }
	return cmd
}

// board returns the board of the flags.
func (c *cameraCommand) board() (chess.Board, error) {
	cols, rows, ok := strings.Cut(c.size, "x")
	b := chess.Board{Square: c.square, Marked: !c.plain}
	var err, err2 error
	b.Cols, err = strconv.Atoi(cols)
	b.Rows, err2 = strconv.Atoi(rows)
	if !ok || err != nil || err2 != nil {
		return b, frame.Usagef("--size %q: want COLSxROWS inner corners, such as 9x6", c.size)
	}
	if err := b.Check(); err != nil {
		return b, frame.Usagef("%v", err)
	}
	return b, nil
}

func (c *cameraCommand) run(ctx context.Context) error {
	b, err := c.board()
	if err != nil {
		return err
	}
	if c.sheet != "" {
		page, err := sheet.Board(b)
		if err != nil {
			return err
		}
		return writePage(c.sheet, page)
	}
	if err := c.checkOutput(); err != nil {
		return err
	}
	ui := newUI(c.p)
	if c.images != "" {
		s := &procedure.CameraSession{Board: b, All: true}
		if err := s.Load(ctx, ui, c.images); err != nil {
			return err
		}
		_, _, err := c.compute(ui, s, nil)
		return err
	}
	return c.with(ctx, func(ctx context.Context, r *procedure.Robot, on *network.Session) error {
		return c.live(ctx, ui, b, r, on)
	})
}

// checkOutput checks, before the board is held in front of the camera, that the result and the pictures can be stored.
func (c *cameraCommand) checkOutput() error {
	if c.images != "" {
		if c.onlyReport {
			return nil
		}
		return outfile.FileInFolder(c.out)
	}
	if err := outfile.Folder(c.keepIn); err != nil {
		return fmt.Errorf("--keep: %w", err)
	}
	if c.onlyReport {
		return nil
	}
	return c.checkFiles(c.out)
}

// live collects views from the camera.
func (c *cameraCommand) live(ctx context.Context, ui *procedure.Console, b chess.Board, r *procedure.Robot, on *network.Session) error {
	s := &procedure.CameraSession{Board: b}
	if c.resume {
		s.All = true
		if err := s.Load(ctx, ui, c.keepIn); err != nil {
			return err
		}
		ui.Say("%d views were kept.", len(s.Views))
	}
	s.All = false
	if err := s.Keep(c.keepIn, c.resume); err != nil {
		return err
	}
	var before *cam.Camera
	if m, err := r.CameraInfo(ctx); err == nil {
		before = procedure.BeforeCamera(m)
	} else if !errors.Is(err, procedure.ErrSilent) { // other cameras' drivers may not publish it
		return err
	}
	pictures, stream, err := procedure.FromTopics(on.Node, c.topic)
	if err != nil {
		return err
	}
	hint, pub, err := procedure.Hint(on.Node)
	if err != nil {
		return errors.Join(err, stream.Close())
	}
	ui.Say("Move the board in front of the camera. Ctrl-C ends collecting.")
	err = errors.Join(s.Collect(ctx, ui, pictures, hint), stream.Close(), pub.Close())
	if err != nil {
		return err
	}
	// Ctrl-C ended the collecting; computing and setting still take a moment.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	info, res, err := c.compute(ui, s, before)
	if err != nil {
		return fmt.Errorf("%w (the pictures are kept in %s: --resume continues)", err, c.keepIn)
	}
	if c.onlyReport {
		return nil
	}
	where, err := r.SetCameraInfo(ctx, info)
	if err != nil {
		return fmt.Errorf("the result is in %s, but the driver did not take it: %w", c.out, err)
	}
	ui.Say("The driver has it: %s.", where)
	return c.keep(ctx, ui, r, procedure.CameraSettings(res, c.name(on.Node.Name().Namespace), time.Now()))
}

// compute computes the calibration and writes the file. before is the previous calibration, or nil.
func (c *cameraCommand) compute(ui procedure.UI, s *procedure.CameraSession, before *cam.Camera) (*caminfo.Calibration, *cam.Result, error) {
	begin := time.Now()
	res, err := cam.Calibrate(s.Views, cam.Options{Width: s.Width, Height: s.Height, Model: cam.Model(c.model), Radial: c.radial})
	if err != nil {
		return nil, nil, err
	}
	procedure.ReportCamera(ui, res, before, s.Views)
	ui.Say("computed in %v", time.Since(begin).Round(time.Millisecond))
	info, err := procedure.Calibration(res, c.camera)
	if err != nil || c.onlyReport {
		return info, res, err
	}
	if err := caminfo.Save(c.out, info); err != nil {
		return nil, nil, err
	}
	ui.Say("Stored in %s.", c.out)
	return info, res, nil
}
