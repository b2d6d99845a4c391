// SPDX-License-Identifier: Apache-2.0

package bags

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/bag"
	"github.com/epuck-ros2/epuck-driver/bag/play"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/blackbox"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/tty"
	"github.com/epuck-ros2/epuck-driver/internal/printable"
)

// newBagInfoCommand returns the command that prints the content of a bag.
func newBagInfoCommand(p *frame.Program) *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "info BAG",
		Short: "Print the content of a bag, as ros2 bag info",
		Long: "Prints the content of a bag: a folder, or one of its files. Unfinished or damaged parts follow, with their offsets,\n" +
			"which \"bag recover\" repairs, and remarks about metadata.yaml, files that are not read, and topics that bag play cannot\n" +
			"publish or whose messages no node can decode, such as JSON. With --json these are the lists interrupted, damage and\n" +
			"remarks.",
		Example: "  epuck-driver bag info run1\n  epuck-driver bag info run1/run1_0.mcap --json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return bagInfo(p, args[0], asJSON, verbose) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, for programs")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print also the bytes of each topic, for which the whole bag is read")
	return cmd
}

func bagInfo(p *frame.Program, path string, asJSON, verbose bool) (err error) {
	b, remarks, err := bag.Inspect(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	remarks = append(remarks, play.Limits(b, nil)...)
	var sizes map[*bag.Topic]uint64
	if verbose {
		bar := tty.NewProgress(p.Err)
		var unreadable error
		sizes, unreadable = b.Sizes(func(share float64) { bar.Show(share, "reading") })
		bar.End()
		if unreadable != nil {
			b.Damage = append(b.Damage, strings.ReplaceAll(unreadable.Error(), "\n", "; "))
		}
	}
	if asJSON {
		text, err := b.JSON(sizes, remarks)
		if err == nil {
			_, err = fmt.Fprintf(p.Out, "%s\n", text)
		}
		return err
	}
	if err := b.WriteInfo(p.Out, time.Local, sizes); err != nil {
		return err
	}
	runs, err := blackbox.FactsIn(b)
	for i := range runs {
		err = errors.Join(err, runs[i].Write(p.Out))
	}
	if err != nil {
		return err
	}
	for _, name := range b.Interrupted {
		fmt.Fprintf(p.Out, "Not finished:      %s\n", name)
	}
	for _, place := range b.Damage {
		fmt.Fprintf(p.Out, "Damaged:           %s\n", printable.Line(place))
	}
	for _, r := range remarks {
		fmt.Fprintf(p.Out, "Remark:            %s\n", printable.Line(r))
	}
	if len(b.Interrupted)+len(b.Damage)+len(remarks) > 0 {
		for _, f := range b.Files() {
			if f.Messages > 0 {
				fmt.Fprintf(p.Out, "In the index:      %s: %d messages, until %s\n", f.Path, f.Messages, time.Unix(0, f.End).Format(time.RFC3339))
			}
		}
	}
	if len(b.Interrupted)+len(b.Damage) == 0 { // remarks are not about unreadable parts
		return nil
	}
	fmt.Fprintf(p.Out, "Next step:         epuck-driver bag info -v %s reads all messages; epuck-driver bag recover %s keeps what can be read\n", path, path)
	return nil
}
