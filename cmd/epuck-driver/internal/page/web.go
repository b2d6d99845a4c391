// SPDX-License-Identifier: Apache-2.0

// Package page serves the web page, as part of another command or as the command web.
package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/network"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/task"
	"github.com/epuck-ros2/epuck-driver/ros2"
	"github.com/epuck-ros2/epuck-driver/web"
)

// Files of the web server in ROS_HOME.
const (
	tokensFile      = "epuck-web-tokens.json"
	certificateFile = "epuck-web.pem"
	// LoggerName is the name of the server's logger.
	LoggerName = "web"
	// webOff is the value of --web for no server.
	webOff = "off"
)

// Site has the options of the web server.
type Site struct {
	address string // host:port, webOff, or empty for the parameters' address
	web.Settings
	Playback web.Playback // nil: no bag is played
	Feed     *web.Feed    // channels of a bag that are not ROS topics; nil: none
	// Fallback allows any free port if the default port is in use.
	Fallback bool
	declared web.Settings // from the parameters of a node
}

// Flags adds --web and the flags that depend on it. preset is the default of --web.
func (o *Site) Flags(f *pflag.FlagSet, preset string) {
	f.StringVar(&o.address, "web", preset, "serve the page for browsers, Foxglove and rosbridge at `HOST:PORT`; "+webOff+" for nowhere.\n"+
		"Other machines need the token that is printed then")
	frame.OptionalAddress(f, "web", web.DefaultAddress, webOff)
	o.more(f)
}

func (o *Site) more(f *pflag.FlagSet) {
	f.BoolVar(&o.TLS, "web-tls", false, "serve it encrypted, with the certificate in ROS_HOME, which is made if there is none")
	f.StringSliceVar(&o.Hosts, "web-host", nil, "a further `NAME` of this machine that browsers may use")
	f.StringSliceVar(&o.Origins, "web-origin", nil, "a `SITE` whose pages may connect without a token, as in https://app.foxglove.dev")
}

// Declare sets the options that the command line does not set from the parameters of a node.
func (o *Site) Declare(n *ros2.Node) error {
	s, err := web.Declare(n)
	if err != nil {
		return err
	}
	if o.declared = s; o.address == "" {
		o.address = s.Address
	}
	return nil
}

// Wanted reports whether a server is requested.
func (o *Site) Wanted() bool { return o.address != "" && o.address != webOff }

// Keep makes later servers use the port of s, also if s chose a free one.
func (o *Site) Keep(s *web.Server) {
	host, _, err := net.SplitHostPort(o.address)
	if at, ok := s.Address().(*net.TCPAddr); ok && err == nil {
		o.address = net.JoinHostPort(host, strconv.Itoa(at.Port))
	}
}

// LiveVideo answers the offer of a connection for live video; nil if there is no live video.
type LiveVideo = func(ctx context.Context, offer string) (answer string, err error)

// Open creates the server on a network; video is the live video of the robot in namespace of.
func (o *Site) Open(t ros2.Transport, node ros2.NodeName, video LiveVideo, of string, log *slog.Logger) (*web.Server, error) {
	home, err := rosHome()
	if err != nil {
		return nil, err
	}
	cfg := web.Config{
		Address: o.address, Transport: t, Types: network.InterfacesHere().Definition, Node: node,
		Hosts: slices.Concat(o.Hosts, o.declared.Hosts), Origins: slices.Concat(o.Origins, o.declared.Origins),
		Distro: os.Getenv("ROS_DISTRO"), Domain: cmp.Or(os.Getenv("ROS_DOMAIN_ID"), "0"), Logger: log, Asset: web.PackageAssets(rosPackage), Live: video, LiveRobot: of,
		Playback: o.Playback, Feed: o.Feed,
	}
	if !web.Local(o.address) {
		cfg.TokenFile = filepath.Join(home, tokensFile)
	}
	if o.TLS || o.declared.TLS {
		cfg.CertificateFile = filepath.Join(home, certificateFile)
	}
	s, err := web.New(cfg)
	if err != nil && o.Fallback && o.address == web.DefaultAddress {
		log.Warn("another program has the port, taking a free one", slog.Any("error", err))
		cfg.Address = "localhost:0"
		s, err = web.New(cfg)
	}
	return s, explainHome(err, home, &cfg)
}

// explainHome adds, to the error of a file in ROS_HOME that cannot be used, the purpose of the file and how to change
// the folder.
func explainHome(err error, home string, cfg *web.Config) error {
	var file *fs.PathError
	if !errors.As(err, &file) || cfg.TokenFile == "" && cfg.CertificateFile == "" || !within(file.Path, home) {
		return err
	}
	what := "the tokens of the page are"
	if cfg.TokenFile == "" {
		what = "the certificate of the page is"
	}
	decides := "ROS_HOME, which is set, decides"
	if os.Getenv("ROS_HOME") == "" {
		decides = "ROS_HOME is not set, so that it is .ros in HOME; set ROS_HOME to a folder that can be written"
	}
	return fmt.Errorf("%s kept in the folder %s, which cannot be used (%s): %w", what, home, decides, err)
}

// within reports whether path is folder, is in folder, or is one of its parents, which would be created.
func within(path, folder string) bool {
	down, bad := filepath.Rel(folder, path)
	up, worse := filepath.Rel(path, folder)
	return bad == nil && filepath.IsLocal(down) || worse == nil && filepath.IsLocal(up)
}

// rosHome returns the folder of ROS's persistent files.
func rosHome() (string, error) {
	if home := os.Getenv("ROS_HOME"); home != "" {
		return home, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("neither ROS_HOME nor HOME is set: %w", err)
	}
	return filepath.Join(home, ".ros"), nil
}

// rosPackage returns the share folder of a ROS package of the sourced environment; false if there is none.
func rosPackage(name string) (fs.FS, bool) {
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		share := filepath.Join(prefix, "share", name)
		if info, err := os.Stat(share); err == nil && info.IsDir() {
			return os.DirFS(share), true
		}
	}
	return nil, false
}

// Start starts a server; stop stops it and waits for its end.
func Start(s *web.Server, log *slog.Logger) (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	var group task.Group
	group.Go("web", func() {
		if err := s.Serve(ctx); err != nil {
			log.Error("the page is no longer served", slog.Any("error", err))
		}
	})
	return func() error {
		cancel()
		group.Wait()
		return s.Close()
	}
}

// NewCommand returns the command that serves the page for all robots of the network.
func NewCommand(p *frame.Program) *cobra.Command {
	o := Site{Fallback: true}
	cmd := &cobra.Command{
		Use:   "web [HOST:PORT]",
		Short: "Look at all robots of the network in a browser, and drive them",
		Long: "Serves a page for browsers, and Foxglove's and rosbridge's protocols, for all robots of the network. On an address\n" +
			"that other machines reach a token is needed; it is printed, and kept in ROS_HOME.",
		Example: "  epuck-driver web\n" +
			"  epuck-driver web 0.0.0.0:8765 --web-tls",
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error { return o.argument(cmd, args) }
	o.commandFlags(cmd.Flags())
	on := network.Flags(p, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), p, *on) }
	return cmd
}

// commandFlags adds the flags of the command web.
func (o *Site) commandFlags(f *pflag.FlagSet) {
	f.StringVar(&o.address, "web", web.DefaultAddress, "where to serve, `HOST:PORT`; the same as the argument")
	f.StringVar(&o.address, "address", web.DefaultAddress, "the former name of --web")
	_ = f.MarkHidden("address") // it fails for flags that don't exist only
	o.more(f)
}

// argument reads the address given without a flag. "8765" is a port of this machine.
func (o *Site) argument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(args) > 1:
		return frame.Usagef("want one address HOST:PORT, got %d: %s", len(args), strings.Join(args, " "))
	case cmd.Flags().Changed("web") || cmd.Flags().Changed("address"):
		return frame.Usagef("the address is given twice: %s and %s", args[0], o.address)
	}
	address := args[0]
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		address = "localhost:" + address
	}
	if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return frame.Usagef("%q is no address: want HOST:PORT, such as %s", args[0], web.DefaultAddress)
	}
	o.address = address
	return nil
}

func (o *Site) run(ctx context.Context, p *frame.Program, on network.Choice) (err error) {
	log := p.ROS.Logger(slog.New(tty.NewConsole(p.Err)), LoggerName)
	transport, err := on.Open(p.ROS, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, transport.Close()) }()
	name, err := p.ROS.NodeName("epuck_web", "/")
	if err != nil {
		return frame.Usagef("%v", err)
	}
	server, err := o.Open(transport, name, nil, "", log)
	if err != nil {
		return err
	}
	if err := Announce(p.Out, server); err != nil {
		return errors.Join(err, server.Close())
	}
	return server.Serve(ctx)
}
