// SPDX-License-Identifier: Apache-2.0

// Package keystore creates the folders of keys by which ROS 2 nodes are secured, in the layout of SROS2's command
// "ros2 security" (sros2 0.12 and later), so that each reads what the other wrote:
//
//	public/ca.cert.pem              the authority; identity_ca.cert.pem and permissions_ca.cert.pem lead to it
//	private/ca.key.pem              its key; identity_ca.key.pem and permissions_ca.key.pem lead to it
//	enclaves/governance.xml, .p7s   how the domain is protected, and the same signed
//	enclaves/NAME/                  an enclave: the files below, and links to the three shared files
//	  cert.pem, key.pem             certificate with subject CN=/NAME, and its key
//	  permissions.xml, .p7s         what it may publish and subscribe, and the same signed
//
// Private keys have mode 0600, so that the owner alone reads them; all other files have 0644.
//
// Source: github.com/ros2/sros2 (e349fcf); the documents: DDS Security 1.1, 9.4.
package keystore

import "errors"

// Errors of this package. Texts name the file, the enclave or the line.
var (
	// ErrKeystore means that a folder is not a keystore, or that one exists already.
	ErrKeystore = errors.New("keystore")
	// ErrEnclave means that an enclave's name is not valid, or that there is none with it.
	ErrEnclave = errors.New("enclave")
	// ErrPolicy means that a policy is not as SROS2's policy.xsd 0.2.0 describes it.
	ErrPolicy = errors.New("policy")
	// ErrClass means that the description of a class has a mistake.
	ErrClass = errors.New("class")
)
