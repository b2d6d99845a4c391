// Package msgs holds the interfaces of this module.
package msgs

//go:generate go tool msggen
