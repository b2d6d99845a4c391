// SPDX-License-Identifier: Apache-2.0

// Package type_description_interfaces has the service with which a node describes its types (REP 2016).
package type_description_interfaces
