// SPDX-License-Identifier: Apache-2.0

// Package noise generates random numbers that depend only on a seed, a stream and a position in it.
//
// A simulated sensor asks for "the noise of sample 1234", not for "the next
// random number": values that are not read need not be drawn, and reading a sensor
// more often changes nothing. The numbers are the same bits on every processor.
package noise

// Source is one stream of random numbers. The zero value is the stream of seed
// zero. It holds no state: a copy is the same stream, and it is safe for
// concurrent use.
type Source struct {
	key uint64
}

// New returns the root stream of a seed.
func New(seed uint64) Source { return Source{mix(seed ^ 0x6a09e667f3bcc909)} }

// Stream returns the sub-stream with number id, independent of every other.
func (s Source) Stream(id uint64) Source {
	return Source{mix(s.key + mix(id^0xbb67ae8584caa73b))}
}

// Named returns the sub-stream with a name.
func (s Source) Named(name string) Source {
	h := uint64(14695981039346656037) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return s.Stream(h)
}

// Uint64 returns the n-th number of the stream.
func (s Source) Uint64(n uint64) uint64 {
	return mix(s.key + n*0x9e3779b97f4a7c15)
}

// Float64 returns the n-th number of the stream, uniform in [0, 1).
func (s Source) Float64(n uint64) float64 {
	return float64(float64(s.Uint64(n)>>11) / (1 << 53)) // rounded: callers must not fuse it with their sum
}

// Most is the greatest magnitude of a number of Normal.
const Most = 6

// Normal returns the n-th number of the stream, of mean 0 and standard
// deviation 1, approximately normal: the sum of twelve uniform numbers, so it
// stays within ±Most. Sums of integers need no logarithm, whose last bit differs
// between processors.
func (s Source) Normal(n uint64) float64 {
	sum := int64(0)
	for part := range uint64(3) {
		v := s.Uint64(n*3 + part)
		sum += int64(v&0xffff) + int64(v>>16&0xffff) + int64(v>>32&0xffff) + int64(v>>48)
	}
	return float64(float64(sum-12*65535/2) / 65536)
}

// mix is a bijection on 64 bits in which every input bit moves about half of
// the output bits (the finaliser of SplitMix64).
func mix(z uint64) uint64 {
	z ^= z >> 30
	z *= 0xbf58476d1ce4e5b9
	z ^= z >> 27
	z *= 0x94d049bb133111eb
	return z ^ z>>31
}
