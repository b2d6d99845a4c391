// SPDX-License-Identifier: Apache-2.0

//go:build !arm

// Package keys implements the commands that create the keys of a secured ROS 2 network.
package keys

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/epuck-ros2/epuck-driver/internal/outfile"

	"github.com/spf13/cobra"

	"github.com/epuck-ros2/epuck-driver/cmd/epuck-driver/internal/frame"
	"github.com/epuck-ros2/epuck-driver/internal/filekind"
	"github.com/epuck-ros2/epuck-driver/internal/regular"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw"
	"github.com/epuck-ros2/epuck-driver/ros2/rmw/security/keystore"
)

// NewCommand returns the command that creates keystores, like "ros2 security".
func NewCommand(p *frame.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "security",
		Short: "Make the keys of a secured network, as \"ros2 security\"",
		Long: "Makes keystores in the layout of SROS2's command \"ros2 security\": each of both reads what the other made. Documents\n" +
			"are for the domain of ROS_DOMAIN_ID, 0 by default. Who has the folder \"private\" can make keys: keep it to yourself.",
		Example: "  epuck-driver security create_class keys class.yaml\n  epuck-driver security list_enclaves keys",
	}
	cmd.AddCommand(newCreateKeystore(), newCreateEnclave(), newCreatePermission(), newCreateClass(p), newListEnclaves(p))
	return cmd
}

// domain returns the ROS domain of the environment.
func domain() (uint32, error) {
	cfg, err := rmw.FromEnvironment(os.LookupEnv)
	if err != nil {
		return 0, frame.Usagef("%v", err)
	}
	return cfg.DomainID, nil
}

// explained turns errors in the user's input into errors of usage, and adds advice to others.
func explained(err error) error {
	switch {
	case errors.Is(err, keystore.ErrEnclave), errors.Is(err, keystore.ErrPolicy), errors.Is(err, keystore.ErrClass):
		return frame.Usagef("%v", err)
	case errors.Is(err, keystore.ErrKeystore):
		return fmt.Errorf("%w (epuck-driver security create_keystore makes a new one)", err)
	}
	return err
}

// inDomain returns a RunE that calls run with the arguments and the domain.
func inDomain(run func(args []string, domain uint32) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		id, err := domain()
		if err != nil {
			return err
		}
		return run(args, id)
	}
}

func newCreateKeystore() *cobra.Command {
	return &cobra.Command{
		Use: "create_keystore ROOT", Short: "Make a keystore: a certificate authority and a governance",
		Long: "Makes the folder ROOT with a new certificate authority and a governance by which everything in the domain is encrypted.\n" +
			"Files that are there already are kept.",
		Example: "  epuck-driver security create_keystore keys", Args: cobra.ExactArgs(1),
		RunE: inDomain(func(args []string, domain uint32) error {
			if err := outfile.Folder(args[0]); err != nil {
				return err
			}
			_, err := keystore.Create(args[0], domain, time.Now)
			return explained(err)
		}),
	}
}

func newCreateEnclave() *cobra.Command {
	return &cobra.Command{
		Use: "create_enclave ROOT NAME", Short: "Make an enclave's certificate, key and permissions for everything",
		Long: "Makes the enclave NAME, a name as /robot1, in the keystore ROOT: a new certificate, its key, and permissions for all\n" +
			"topics, services and actions. A certificate and a key that are there already are kept.",
		Example: "  epuck-driver security create_enclave keys /robot1", Args: cobra.ExactArgs(2),
		RunE: inDomain(func(args []string, domain uint32) error {
			k, err := keystore.Open(args[0], time.Now)
			if err != nil {
				return explained(err)
			}
			return explained(k.CreateEnclave(args[1], domain))
		}),
	}
}

func newCreatePermission() *cobra.Command {
	return &cobra.Command{
		Use: "create_permission ROOT NAME POLICY", Short: "Give an enclave the permissions of a policy file",
		Long: "Replaces the permissions of the enclave NAME in the keystore ROOT by those that the policy file POLICY has for it, in\n" +
			"SROS2's words (version 0.2.0). Files with <xi:include> are first written out, by \"xmllint --xinclude\".",
		Example: "  epuck-driver security create_permission keys /robot1 policy.xml", Args: cobra.ExactArgs(3),
		RunE: inDomain(func(args []string, domain uint32) error {
			k, err := keystore.Open(args[0], time.Now)
			if err != nil {
				return explained(err)
			}
			text, err := regular.Read(args[2], 1<<20)
			if err != nil {
				return err
			}
			policy, err := keystore.ParsePolicy(text)
			if err != nil {
				return explained(filekind.ExplainData(args[2], text, fmt.Errorf("%s: %w", args[2], err), filekind.XML))
			}
			return explained(k.CreatePermission(args[1], policy, domain))
		}),
	}
}

func newCreateClass(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use: "create_class ROOT CLASS", Short: "Make the keys of robots, teachers and students",
		Long: "Makes the keystore ROOT for all that the file CLASS names, or brings it up to date: keys stay, permissions become those\n" +
			"of the file. Enclaves that it names no longer stay, too. CLASS is YAML:\n" +
			"  domain: 7                 of ROS 2, 0 to 232\n" +
			"  protection: encrypt       or sign: not encrypted, others can record it\n" +
			"  robots: [epuck1, epuck2]  each has its name as its namespace\n" +
			"  teachers: [teacher]       drive all robots\n" +
			"  students: {anna: [epuck1], ben: [epuck2]}   read all and drive these\n" +
			"  readers: [screen]         read all and drive none",
		Example: "  epuck-driver security create_class keys class.yaml", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := regular.Read(args[1], 1<<20)
			if err != nil {
				return err
			}
			class, err := keystore.ParseClass(text)
			if err != nil {
				return explained(filekind.ExplainData(args[1], text, fmt.Errorf("%s: %w", args[1], err)))
			}
			if err := outfile.Folder(args[0]); err != nil {
				return err
			}
			names, err := keystore.CreateClass(args[0], class, time.Now)
			if err != nil {
				return explained(err)
			}
			return lines(p, names)
		},
	}
}

func newListEnclaves(p *frame.Program) *cobra.Command {
	return &cobra.Command{
		Use: "list_enclaves ROOT", Short: "List the enclaves of a keystore",
		Long:    "Lists the enclaves of the keystore ROOT that have a key, one a line, sorted.",
		Example: "  epuck-driver security list_enclaves keys", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			k, err := keystore.Open(args[0], time.Now)
			if err != nil {
				return explained(err)
			}
			names, err := k.Enclaves()
			if err != nil {
				return err
			}
			return lines(p, names)
		},
	}
}

// lines prints each name on a line.
func lines(p *frame.Program, names []string) error {
	for _, name := range names {
		if _, err := fmt.Fprintln(p.Out, name); err != nil {
			return err
		}
	}
	return nil
}
