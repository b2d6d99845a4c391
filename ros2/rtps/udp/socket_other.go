// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package udp

// sendAll sends datagrams in order. It returns how many were sent, and the next one's error.
func (s *socket) sendAll(list []Datagram) (int, error) {
	for i, d := range list {
		if err := s.send(d.Data, d.To); err != nil {
			return i, err
		}
	}
	return len(list), nil
}
