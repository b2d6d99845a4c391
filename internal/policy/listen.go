// SPDX-License-Identifier: Apache-2.0

package policy

import (
	"go/ast"
	"net"
	"net/netip"
	"strings"
)

// listenFault returns what is wrong with a socket: an address beyond loopback, or a port that another process may have.
// What is no literal is taken for good.
func listenFault(names map[string]string, function string, c *ast.CallExpr) string {
	if len(c.Args) < 2 || !strings.HasPrefix(literal(c.Args[0]), "tcp") && !strings.HasPrefix(literal(c.Args[0]), "udp") {
		return ""
	}
	switch function {
	case "Listen", "ListenPacket":
		if address, ok := c.Args[1].(*ast.BasicLit); ok {
			return addressFault(literal(address))
		}
	case "ListenUDP", "ListenTCP", "ListenIP":
		return structFault(names, c.Args[1])
	}
	return ""
}

func addressFault(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	if port != "0" && port != "" {
		return "listens on the fixed port " + port
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return "listens beyond loopback: " + address
	}
	return ""
}

// structFault checks the address &net.UDPAddr{IP: …, Port: …}, or nil.
func structFault(names map[string]string, e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok && id.Name == "nil" {
		return "listens beyond loopback: nil"
	}
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, ok := e.(*ast.CompositeLit)
	if path, _ := qualified(names, typeOf(lit)); !ok || path != "net" {
		return ""
	}
	hasIP := false
	for _, element := range lit.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		key, _ := field.Key.(*ast.Ident)
		switch {
		case key == nil:
		case key.Name == "IP":
			hasIP = true
			if _, name := qualified(names, field.Value); name == "IPv4zero" || name == "IPv6zero" {
				return "listens beyond loopback: " + name
			}
		case key.Name == "Port":
			if port, ok := field.Value.(*ast.BasicLit); ok && port.Value != "0" {
				return "listens on the fixed port " + port.Value
			}
		}
	}
	if !hasIP {
		return "listens beyond loopback: no IP"
	}
	return ""
}

func typeOf(lit *ast.CompositeLit) ast.Expr {
	if lit == nil {
		return nil
	}
	return lit.Type
}
