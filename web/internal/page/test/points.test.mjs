// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { cloudPoints, gridOf, gridPixels, scanPoints, updateGrid } from "../src/view3d/points";

test("a scan has a point for each range within its limits", () => {
  const { positions } = scanPoints({ ranges: [1, NaN, Infinity, 0.01, 2], angle_min: 0, angle_increment: Math.PI / 8, range_min: 0.1, range_max: 3 });
  assert.equal(positions.length, 6);
  assert.deepEqual([...positions].map((v) => Math.round(v * 1e5) / 1e5), [1, 0, 0, 0, 2, 0]);
});

function cloud(points, fields, step, big = false) {
  const data = new Uint8Array(points.length * step + 3), view = new DataView(data.buffer, 3); // not aligned
  points.forEach((p, i) => p.forEach((v, k) => fields[k].datatype === 7 ? view.setFloat32(i * step + fields[k].offset, v, !big) : view.setUint32(i * step + fields[k].offset, v, !big)));
  return { data: data.subarray(3), fields, point_step: step, row_step: step * points.length, width: points.length, height: 1, is_bigendian: big };
}
const field = (name, offset, datatype = 7) => ({ name, offset, datatype, count: 1 });
const xyz = [field("x", 0), field("y", 4), field("z", 8)];

test("a cloud has positions and colours, in both byte orders, without points that are no number", () => {
  for (const big of [false, true]) {
    const p = cloudPoints(cloud([[1, 2, 3, 0xff0080], [NaN, 0, 0, 0], [4, 5, 6, 0x00ff00]], [...xyz, field("rgb", 12, 6)], 16, big));
    assert.deepEqual([...p.positions], [1, 2, 3, 4, 5, 6]);
    assert.deepEqual([...p.colors].map((v) => Math.round(v * 255)), [255, 0, 128, 0, 255, 0]);
  }
});

test("intensities go from blue to red", () => {
  const p = cloudPoints(cloud([[0, 0, 0, 5], [0, 0, 0, 9]], [...xyz, field("intensity", 12)], 16));
  assert.deepEqual([...p.colors], [0, 0, 1, 1, 0, 0]);
});

test("a cloud that lies about its size gives the points that are there", () => {
  const m = cloud([[1, 2, 3], [4, 5, 6]], xyz, 12);
  assert.equal(cloudPoints({ ...m, width: 1000, row_step: 12000 }).positions.length, 6);
  assert.equal(cloudPoints({ ...m, fields: [field("x", 0), field("y", 4), field("z", 9)] }).positions.length, 0);
  assert.equal(cloudPoints({ ...m, point_step: 0 }).positions.length, 0);
});

test("an update changes its part of a grid, and what lies outside is left out", () => {
  const g = gridOf({ info: { width: 3, height: 2 }, data: [0, 0, 0, -1, -1, -1] });
  updateGrid(g, { x: 2, y: 1, width: 2, height: 1, data: [100, 50] });
  assert.deepEqual([...g.data], [0, 0, 0, -1, -1, 100]);
  const pixels = gridPixels(g, false);
  assert.deepEqual([...pixels.subarray(0, 4)], [255, 255, 255, 255]);
  assert.equal(pixels[4 * 3 + 3], 0); // unknown
  assert.deepEqual([...pixels.subarray(20)], [15, 15, 15, 255]);
  assert.deepEqual([...gridPixels(g, true).subarray(20)], [255, 0, 255, 150]);
  assert.equal(gridOf({ info: { width: 3, height: 2 }, data: [0] }), undefined);
});
