// SPDX-License-Identifier: Apache-2.0
// Points of laser scans and point clouds, and pictures of grids: from messages to arrays, without any drawing.

/** Points are coordinates, and colours (0…1, linear as drawn) or none, three of each a point. */
export interface Points { positions: Float32Array; colors?: Float32Array }

/** scanPoints are the hits of a sensor_msgs/LaserScan in its frame. */
export function scanPoints(m: any): Points {
  const positions = new Float32Array(3 * m.ranges.length);
  let n = 0;
  for (let i = 0; i < m.ranges.length; i++) {
    const r = m.ranges[i], a = m.angle_min + i * m.angle_increment;
    if (!(r >= m.range_min && r <= m.range_max)) continue;
    positions[n++] = r * Math.cos(a); positions[n++] = r * Math.sin(a); positions[n++] = 0;
  }
  return { positions: positions.subarray(0, n) };
}

const mostPoints = 300_000;

/** sizes are the bytes of sensor_msgs/PointField's types 1 … 8. */
const sizes = [0, 1, 1, 2, 2, 4, 4, 4, 8];

function reader(view: DataView, type: number, little: boolean): (at: number) => number {
  switch (type) {
    case 1: return (at) => view.getInt8(at);
    case 2: return (at) => view.getUint8(at);
    case 3: return (at) => view.getInt16(at, little);
    case 4: return (at) => view.getUint16(at, little);
    case 5: return (at) => view.getInt32(at, little);
    case 6: return (at) => view.getUint32(at, little);
    case 7: return (at) => view.getFloat32(at, little);
    default: return (at) => view.getFloat64(at, little);
  }
}

/** cloudPoints are the points of a sensor_msgs/PointCloud2 in its frame: coloured by rgb or rgba, else by intensity. */
export function cloudPoints(m: any): Points {
  const data: Uint8Array = m.data, view = new DataView(data.buffer, data.byteOffset, data.byteLength), little = !m.is_bigendian;
  const field = (name: string) => {
    const f = m.fields.find((x: any) => x.name === name);
    return f && sizes[f.datatype] && f.offset + sizes[f.datatype] <= m.point_step ? f : undefined;
  };
  const axes = ["x", "y", "z"].map(field), total = m.width * m.height;
  if (axes.some((f) => !f) || !(m.point_step > 0)) return { positions: new Float32Array(0) };
  const read = axes.map((f) => reader(view, f.datatype, little));
  const rgb = field("rgb") ?? field("rgba"), intensity = rgb ? undefined : field("intensity");
  const every = Math.max(1, Math.ceil(total / mostPoints)), capacity = Math.ceil(total / every);
  const positions = new Float32Array(3 * capacity), colors = rgb || intensity ? new Float32Array(3 * capacity) : undefined;
  const value = intensity && reader(view, intensity.datatype, little);
  let n = 0, least = Infinity, greatest = -Infinity;
  for (let i = 0; i < total; i += every) {
    const at = Math.floor(i / m.width) * m.row_step + (i % m.width) * m.point_step;
    if (at + m.point_step > data.byteLength) break;
    const p = read.map((f, k) => f(at + axes[k].offset));
    if (!p.every(Number.isFinite)) continue;
    positions.set(p, n);
    if (rgb) { const c = view.getUint32(at + rgb.offset, little); colors!.set([((c >> 16) & 255) / 255, ((c >> 8) & 255) / 255, (c & 255) / 255], n); }
    if (value) { const v = value(at + intensity.offset); colors![n] = v; least = Math.min(least, v); greatest = Math.max(greatest, v); }
    n += 3;
  }
  if (value) for (let i = 0; i < n; i += 3) colors!.set(rainbow(greatest > least ? (colors![i] - least) / (greatest - least) : 0), i);
  return { positions: positions.subarray(0, n), colors: colors?.subarray(0, n) };
}

/** rainbow goes from blue (0) through green to red (1). */
export function rainbow(share: number): [number, number, number] {
  const s = 4 * Math.max(0, Math.min(1, share));
  return [Math.max(0, Math.min(1, s - 2)), Math.max(0, Math.min(1, s, 4 - s)), Math.max(0, Math.min(1, 2 - s))];
}

/** Grid is a nav_msgs/OccupancyGrid that updates change. */
export interface Grid { width: number; height: number; data: Int8Array }

/** gridOf copies the cells of a nav_msgs/OccupancyGrid; undefined if there are not as many as it says. */
export function gridOf(m: any): Grid | undefined {
  const { width, height } = m.info;
  if (!(width > 0 && height > 0) || m.data.length !== width * height) return undefined;
  return { width, height, data: Int8Array.from(m.data) };
}

/** updateGrid writes a map_msgs/OccupancyGridUpdate into a grid; cells outside of it are left out. */
export function updateGrid(g: Grid, m: any): void {
  if (m.data.length !== m.width * m.height) return;
  for (let y = 0; y < m.height; y++) {
    for (let x = 0; x < m.width; x++) {
      const gx = m.x + x, gy = m.y + y;
      if (gx >= 0 && gy >= 0 && gx < g.width && gy < g.height) g.data[gy * g.width + gx] = m.data[y * m.width + x];
    }
  }
}

/** gridPixels are the cells as RGBA, the lowest row first: a map in greys, a costmap from blue to red as in rviz. */
export function gridPixels(g: Grid, costs: boolean): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(4 * g.width * g.height);
  for (let i = 0; i < g.data.length; i++) {
    const v = g.data[i];
    if (v < 0 || (costs && v === 0)) continue;
    const [r, gr, b] = costs ? costColor(v) : [255 - v * 2.4, 255 - v * 2.4, 255 - v * 2.4];
    pixels.set([r, gr, b, costs ? 150 : 255], 4 * i);
  }
  return pixels;
}

/** costColor: 100 is an obstacle, 99 touches the robot's inscribed circle, below it the cost falls. */
function costColor(v: number): [number, number, number] {
  if (v >= 100) return [255, 0, 255];
  if (v === 99) return [0, 255, 255];
  return [Math.round(2.55 * v), 0, Math.round(255 - 2.55 * v)];
}
