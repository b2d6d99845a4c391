// SPDX-License-Identifier: Apache-2.0

// Package dynamic holds ROS messages whose type is known only at run time: tools
// read them off the network, show them and build them from text.
//
// A [Type] comes from a definition in the syntax of .msg files ([Resolve]) or from
// the description that a node of ROS 2 Iron or later gives of its types
// ([FromDescription]). A [Message] of it encodes and decodes CDR, is written as
// YAML or comma-separated values in the form that users of ROS know from its
// command line, and is filled from YAML.
//
// Nothing that comes from the network decides how much memory is taken before it
// is checked: neither a message nor the description of its type.
package dynamic
