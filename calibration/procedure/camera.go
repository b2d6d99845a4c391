// SPDX-License-Identifier: Apache-2.0

package procedure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // what pictures may be
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/epuck-ros2/epuck-driver/calibration"
	"github.com/epuck-ros2/epuck-driver/calibration/cam"
	"github.com/epuck-ros2/epuck-driver/calibration/chess"
	"github.com/epuck-ros2/epuck-driver/camera/caminfo"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/internal/system"
	"github.com/epuck-ros2/epuck-driver/msgs/sensor_msgs"
	"github.com/epuck-ros2/epuck-driver/msgs/std_msgs"
	"github.com/epuck-ros2/epuck-driver/ros2"
)

// errPicture is matched by errors about a picture that can't be read.
var errPicture = errors.New("calibrate: bad picture")

// Pictures returns the next picture and its name. It fails after a folder's last picture, if a picture can't be read,
// or if the camera does not publish one in time.
type Pictures func(ctx context.Context) (g *image.Gray, name string, err error)

// errNoPictures is matched by the error of [Pictures] after the last picture.
var errNoPictures = errors.New("calibrate: no more pictures")

// fromFolder returns the pictures (.png, .jpg) of a folder, sorted by name.
func fromFolder(folder string) (Pictures, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	var names []string
	for _, e := range entries {
		if ext := strings.ToLower(filepath.Ext(e.Name())); slices.Contains([]string{".png", ".jpg", ".jpeg"}, ext) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no .png or .jpg in %s", errPicture, folder)
	}
	return func(context.Context) (*image.Gray, string, error) {
		if len(names) == 0 {
			return nil, "", errNoPictures
		}
		name := names[0]
		names = names[1:]
		data, err := regular.Read(filepath.Join(folder, name), maxFile)
		if err != nil {
			return nil, name, fmt.Errorf("calibrate: %w", err)
		}
		g, err := decode(data)
		return g, name, filekind.ExplainData(filepath.Join(folder, name), data, err, filekind.PNG, filekind.JPEG)
	}, nil
}

// maxPixels is the largest number of pixels of a picture: a file of a few kilobytes can declare 4·10⁹ pixels.
const maxPixels = 64 << 20

// decode decodes a picture file and converts it to grey.
func decode(data []byte) (*image.Gray, error) {
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && (size.Height <= 0 || size.Width <= 0 || size.Width > maxPixels/size.Height) {
		err = fmt.Errorf("%d×%d pixels, the limit is %d", size.Width, size.Height, maxPixels)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPicture, err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPicture, err)
	}
	if g, ok := img.(*image.Gray); ok {
		return g, nil
	}
	if y, ok := img.(*image.YCbCr); ok {
		return &image.Gray{Pix: y.Y, Stride: y.YStride, Rect: y.Rect}, nil
	}
	g := image.NewGray(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(g, g.Rect, img, img.Bounds().Min, draw.Src)
	return g, nil
}

// FromTopics returns the newest pictures of image_raw/compressed. Close the stream to unsubscribe.
func FromTopics(n *ros2.Node, topic string) (Pictures, *Stream[sensor_msgs.CompressedImage], error) {
	s, err := listen[sensor_msgs.CompressedImage](n, topic)
	if err != nil {
		return nil, nil, err
	}
	last, first := uint64(0), true
	return func(ctx context.Context) (*image.Gray, string, error) {
		limit := messageTimeout
		if first {
			limit = 2 * serviceTimeout // the camera starts at the first subscription
		}
		m, k, err := s.within(ctx, last, limit)
		if err != nil {
			return nil, "", err
		}
		last, first = k, false
		g, err := decode(m.Data)
		return g, fmt.Sprintf("%d.%09d", m.Header.Stamp.Sec, m.Header.Stamp.Nanosec), err
	}, s, nil
}

// CameraSession collects views.
type CameraSession struct {
	Board    chess.Board
	Coverage cam.Coverage
	Views    []cam.View
	Width    int
	Height   int
	// Folder is where the pictures of the views are stored, for --images and --resume; empty for nowhere. See
	// [CameraSession.Keep].
	Folder string
	// All accepts every view, not only those that differ enough from the others.
	All bool

	kept int // number of the last picture in Folder
}

// picture returns the file name of the picture with a number.
func picture(n int) string { return fmt.Sprintf("left-%04d.png", n) }

// Keep stores the pictures of the views in a folder from now on. With resume, existing ones stay; else they are moved
// into its sub-folder "old", so that pictures of two boards or lenses do not get mixed.
func (c *CameraSession) Keep(folder string, resume bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("calibrate: %w", err)
	}
	c.Folder, c.kept = folder, 0
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "left-%d.png", &n); err != nil || e.Name() != picture(n) {
			continue
		}
		if resume {
			c.kept = max(c.kept, n)
			continue
		}
		old := filepath.Join(folder, "old")
		if err := errors.Join(os.MkdirAll(old, 0o755), system.Rename(filepath.Join(folder, e.Name()), filepath.Join(old, e.Name()))); err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
	}
	return nil
}

// Collect collects views until there are enough, the pictures end or the context ends; the last two are no error if
// there are views. hint, if not nil, is called after every picture with the progress and the view that is needed
// next.
func (c *CameraSession) Collect(ctx context.Context, ui UI, pictures Pictures, hint func(string)) error {
	if err := c.Board.Check(); err != nil {
		return err
	}
	for c.All || !c.Coverage.Good() {
		g, name, err := pictures(ctx)
		if ctx.Err() != nil {
			err = context.Cause(ctx) // checked here because a source that is faster than the detection never waits
		}
		switch {
		case errors.Is(err, errNoPictures) || ctx.Err() != nil && len(c.Views) > 0:
			return nil
		case errors.Is(err, errPicture):
			ui.Say("%s: %v", name, err)
			continue
		case err != nil:
			return err
		}
		why := c.findBoard(g, name)
		p := c.Coverage.Progress()
		text := fmt.Sprintf("%2d views  X %3.0f %%  Y %3.0f %%  size %3.0f %%  skew %3.0f %%  %s", len(c.Views), 100*p.X, 100*p.Y, 100*p.Size, 100*p.Skew, c.Coverage.Next())
		if why != "" && c.All {
			ui.Say("%s: %s", name, why)
		}
		ui.Progress("%s", text)
		if hint != nil {
			hint(text)
		}
	}
	return nil
}

// findBoard adds the view of the board in a picture, and returns the reason if it does not, else an empty string.
func (c *CameraSession) findBoard(g *image.Gray, name string) string {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	if c.Width == 0 {
		c.Width, c.Height = w, h
	}
	if w != c.Width || h != c.Height {
		return fmt.Sprintf("it has %d×%d pixels, the first one %d×%d", w, h, c.Width, c.Height)
	}
	v, err := chess.Detect(g, c.Board)
	if err != nil {
		return err.Error()
	}
	s := cam.BoardPoseOf(outline(v), w, h)
	if !c.All && !c.Coverage.IsNew(s) {
		return "a similar view exists"
	}
	out := cam.View{Name: name}
	for _, k := range v.Corners {
		out.Points = append(out.Points, cam.Point{X: float64(k.Col) * c.Board.Square, Y: float64(k.Row) * c.Board.Square, U: k.X, V: k.Y})
	}
	c.Coverage.Add(s)
	c.Views = append(c.Views, out)
	if c.Folder != "" {
		c.kept++
		if err := c.save(g, c.kept); err != nil {
			return err.Error()
		}
	}
	return ""
}

// outline returns the outermost corners of a view, in order around the board, px.
func outline(v *chess.View) (out [4][2]float64) {
	best := [4]float64{}
	for i, k := range v.Corners {
		for j, s := range [4][2]int{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			if d := float64(s[0]*k.Col + s[1]*k.Row); i == 0 || d > best[j] {
				best[j], out[j] = d, [2]float64{k.X, k.Y}
			}
		}
	}
	return out
}

// save stores a picture in Folder.
func (c *CameraSession) save(g *image.Gray, n int) error {
	var b bytes.Buffer
	if err := png.Encode(&b, g); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return ReplaceFile(filepath.Join(c.Folder, picture(n)), b.Bytes())
}

// Calibration converts a result to the format of camera_info_manager's file; P is the projection matrix of the
// undistorted picture, which differs from K.
func Calibration(r *cam.Result, name string) (*caminfo.Calibration, error) {
	c := r.Camera
	p, err := c.Projection()
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	return &caminfo.Calibration{
		Name: name, Width: c.Width, Height: c.Height,
		K: [9]float64{c.FX, 0, c.CX, 0, c.FY, c.CY, 0, 0, 1}, Model: string(c.Model), D: c.D,
		R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, P: p,
	}, nil
}

// SetCameraInfo sends the calibration to the camera's driver, which stores it, and returns the driver's status
// message. The error matches [ErrSilent] if the driver does not answer.
func (r *Robot) SetCameraInfo(ctx context.Context, c *caminfo.Calibration) (string, error) {
	client, err := ros2.NewClient[sensor_msgs.SetCameraInfoRequest, sensor_msgs.SetCameraInfoResponse](r.node, sensor_msgs.SetCameraInfo{}, "set_camera_info")
	if err != nil {
		return "", fmt.Errorf("calibrate: %w", err)
	}
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(ctx, serviceTimeout)
	defer cancel()
	if err := client.WaitAvailable(ctx); err != nil {
		return "", fmt.Errorf("%w: service %s is not available", ErrSilent, client.Name())
	}
	q := &sensor_msgs.SetCameraInfoRequest{}
	q.CameraInfo = sensor_msgs.CameraInfo{
		Width: uint32(c.Width), Height: uint32(c.Height), DistortionModel: c.Model, D: c.D, K: c.K, R: c.R, P: c.P,
	}
	res, err := client.Call(ctx, q)
	if err != nil {
		return "", fmt.Errorf("%w: service %s: %w", ErrSilent, client.Name(), err)
	}
	if !res.Success {
		return "", fmt.Errorf("%w: %s", errRefused, res.StatusMessage)
	}
	return res.StatusMessage, nil
}

// Hint returns a function that publishes an instruction as text on calibration/hint, for the web page and others, at
// most every 200 ms. Close the publisher.
func Hint(n *ros2.Node) (func(string), *ros2.Publisher[std_msgs.String], error) {
	pub, err := ros2.NewPublisher[std_msgs.String](n, "calibration/hint", ros2.LatchedQoS())
	if err != nil {
		return nil, nil, fmt.Errorf("calibrate: %w", err)
	}
	last, at := "", time.Time{}
	return func(text string) {
		if text != last && time.Since(at) > 200*time.Millisecond {
			last, at = text, time.Now()
			_ = pub.Publish(&std_msgs.String{Data: text}) // only a hint
		}
	}, pub, nil
}

// BeforeCamera returns the calibration that a driver publishes, nil if it is not calibrated or has a model that
// package cam does not support.
func BeforeCamera(m *sensor_msgs.CameraInfo) *cam.Camera {
	c := &cam.Camera{
		Width: int(m.Width), Height: int(m.Height), Model: cam.Model(m.DistortionModel),
		FX: m.K[0], FY: m.K[4], CX: m.K[2], CY: m.K[5], D: m.D,
	}
	if c.FX == 0 || c.Model.Coefficients() == 0 || len(c.D) != c.Model.Coefficients() {
		return nil
	}
	return c
}

// CameraSettings returns the note of a result as a parameter. The driver stores the intrinsics themselves in the file
// of set_camera_info.
func CameraSettings(r *cam.Result, robot string, at time.Time) []Setting {
	note := calibration.Note{Time: at, Robot: robot}
	for i, v := range r.Camera.Vector() {
		unit := ""
		if i < 4 {
			unit = "px"
		}
		note.Values = append(note.Values, calibration.Value{Name: r.Camera.Model.Names()[i], Value: v, Interval: 2 * r.Sigma[i], Unit: unit})
	}
	note.Values = append(note.Values, calibration.Value{Name: "width", Value: float64(r.Camera.Width), Unit: "px"},
		calibration.Value{Name: "error", Value: r.RMS, Unit: "px"}, calibration.Value{Name: "views", Value: float64(used(r))})
	return []Setting{{"calibration.camera", note.String()}}
}

// used returns the number of views that were used.
func used(r *cam.Result) (n int) {
	for _, v := range r.Views {
		if v.Dropped == "" {
			n++
		}
	}
	return n
}

// ReportCamera prints the result of a camera calibration from views. before is the previous calibration, or nil.
func ReportCamera(ui UI, r *cam.Result, before *cam.Camera, views []cam.View) {
	for _, v := range r.Views {
		if v.Dropped != "" {
			ui.Say("left out: view %s: %s", v.Name, v.Dropped)
		}
	}
	change, old := "the camera was not calibrated before", map[string]float64{}
	if before != nil {
		change = "the previous calibration does not explain the views"
		if rms, err := cam.Judge(*before, views, r.Views); err == nil {
			change = fmt.Sprintf("with the previous calibration %.3f px", rms)
		}
		for i, v := range before.Vector() {
			old[before.Model.Names()[i]] = v
		}
	}
	ui.Say("%s, %d views, reprojection error %.3f px; %s", r.Camera.Model, used(r), r.RMS, change)
	for i, v := range r.Camera.Vector() {
		name := r.Camera.Model.Names()[i]
		previous := strings.Repeat(" ", 12)
		if o, ok := old[name]; ok && (i < 4 || before.Model == r.Camera.Model) {
			previous = fmt.Sprintf("%12.5f", o)
		}
		uncertainty := fmt.Sprintf("± %.5f (95 %%)", 2*r.Sigma[i])
		if r.Sigma[i] == 0 {
			uncertainty = "(not estimated)"
		}
		ui.Say("%-3s %s -> %12.5f %s", name, previous, v, uncertainty)
	}
}

// Load collects the views of all pictures of a folder.
func (c *CameraSession) Load(ctx context.Context, ui UI, folder string) error {
	pictures, err := fromFolder(folder)
	if err != nil {
		return err
	}
	all, keep := c.All, c.Folder
	c.All, c.Folder = true, ""
	defer func() { c.All, c.Folder = all, keep }()
	return c.Collect(ctx, ui, pictures, nil)
}
