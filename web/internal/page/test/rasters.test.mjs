// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { codecOf, encodings, pixelsOf, unitsOf } from "../src/rasters";

const image = (encoding, width, height, step, data, is_bigendian = false) => ({ encoding, width, height, step, is_bigendian, data: Uint8Array.from(data) });
const rgb = (m) => { const p = pixelsOf(m); return p && Array.from({ length: p.length / 4 }, (_, i) => [...p.subarray(4 * i, 4 * i + 3)]); };

test("colours and greys have their places in each encoding, rows may be padded", () => {
  assert.deepEqual(rgb(image("rgb8", 1, 2, 4, [1, 2, 3, 0, 4, 5, 6, 0])), [[1, 2, 3], [4, 5, 6]]);
  assert.deepEqual(rgb(image("bgr8", 1, 1, 3, [1, 2, 3])), [[3, 2, 1]]);
  assert.deepEqual(rgb(image("bgra8", 1, 1, 4, [1, 2, 3, 9])), [[3, 2, 1]]);
  assert.deepEqual(rgb(image("mono8", 2, 1, 2, [7, 9])), [[7, 7, 7], [9, 9, 9]]);
  assert.deepEqual(rgb(image("rgb16", 1, 1, 6, [0, 1, 0, 2, 0, 3])), [[1, 2, 3]]);
});

test("depths are stretched from black to white in both byte orders", () => {
  assert.deepEqual(rgb(image("mono16", 2, 1, 4, [1, 0, 0, 1])), [[0, 0, 0], [255, 255, 255]]);
  assert.deepEqual(rgb(image("16UC1", 2, 1, 4, [1, 0, 0, 1], true)), [[255, 255, 255], [0, 0, 0]]);
  const f = new Uint8Array(new Float32Array([0.5, NaN, 2]).buffer);
  assert.deepEqual(rgb(image("32FC1", 3, 1, 12, f)), [[0, 0, 0], [0, 0, 0], [255, 255, 255]]);
});

test("YUV and Bayer become colours", () => {
  for (const [encoding, data] of [["yuv422", [128, 10, 128, 200]], ["yuv422_yuy2", [10, 128, 200, 128]]]) assert.deepEqual(rgb(image(encoding, 2, 1, 4, data)), [[10, 10, 10], [200, 200, 200]]);
  const [red] = rgb(image("uyvy", 2, 1, 4, [90, 81, 240, 81]));
  assert.ok(red[0] > 230 && red[1] < 30 && red[2] < 30, String(red));
  const cell = [[200, 100], [100, 50]], data = Array.from({ length: 16 }, (_, i) => cell[(i >> 2) & 1][i & 1]);
  for (const p of rgb(image("bayer_rggb8", 4, 4, 4, data))) assert.deepEqual(p, [200, 100, 50]);
  for (const p of rgb(image("bayer_bggr8", 4, 4, 4, data))) assert.deepEqual(p, [50, 100, 200]);
  assert.equal(rgb(image("bayer_grbg16", 2, 2, 4, [0, 9, 0, 8, 0, 7, 0, 6])).length, 4);
});

test("an image that has fewer data than it says, or another encoding, is none", () => {
  for (const m of [image("rgb8", 2, 2, 6, [1, 2, 3]), image("rgb8", 2, 1, 3, [1, 2, 3, 4, 5, 6]), image("jpeg", 1, 1, 1, [1]), image("mono8", 0, 0, 0, []), image("mono8", 1e6, 1e6, 1e6, [1]), image("toString", 1, 1, 4, [1, 1, 1, 1])]) {
    assert.equal(pixelsOf(m), undefined, m.encoding);
  }
  assert.ok(encodings.includes("bayer_gbrg8") && encodings.includes("mono16"));
});

test("H.264 is described by its parameter set and its key frames", () => {
  const stream = Uint8Array.from([0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1e, 1, 0, 0, 1, 0x68, 1, 0, 0, 1, 0x65, 9]);
  assert.deepEqual(unitsOf(stream), [[4, 9], [12, 14], [17, 19]]);
  assert.deepEqual(codecOf(stream), { codec: "avc1.42c01e", key: true });
  assert.deepEqual(codecOf(Uint8Array.from([0, 0, 1, 0x41, 1])), { codec: undefined, key: false });
  assert.deepEqual(codecOf(new Uint8Array()), { codec: undefined, key: false });
});
