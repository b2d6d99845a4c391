// SPDX-License-Identifier: Apache-2.0
// Pixels of sensor_msgs/msg/Image in the encodings of REP 2003's cameras, and H.264 of compressed topics.

type Pixel = (data: DataView, at: number, out: Uint8Array, o: number) => void;

const grey = (out: Uint8Array, o: number, v: number) => { out[o] = out[o + 1] = out[o + 2] = v; };
const color = (r: number, g: number, b: number): Pixel => (d, at, out, o) => { out[o] = d.getUint8(at + r); out[o + 1] = d.getUint8(at + g); out[o + 2] = d.getUint8(at + b); };

/** formats are encodings by bytes of a pixel. */
const formats: Record<string, { bytes: number; pixel: (big: boolean) => Pixel }> = {
  rgb8: { bytes: 3, pixel: () => color(0, 1, 2) }, "8uc3": { bytes: 3, pixel: () => color(2, 1, 0) }, bgr8: { bytes: 3, pixel: () => color(2, 1, 0) },
  rgba8: { bytes: 4, pixel: () => color(0, 1, 2) }, bgra8: { bytes: 4, pixel: () => color(2, 1, 0) }, "8uc4": { bytes: 4, pixel: () => color(2, 1, 0) },
  mono8: { bytes: 1, pixel: () => (d, at, out, o) => grey(out, o, d.getUint8(at)) }, "8uc1": { bytes: 1, pixel: () => (d, at, out, o) => grey(out, o, d.getUint8(at)) },
  rgb16: { bytes: 6, pixel: (big) => (d, at, out, o) => { for (let i = 0; i < 3; i++) out[o + i] = d.getUint16(at + 2 * i, !big) >> 8; } },
  bgr16: { bytes: 6, pixel: (big) => (d, at, out, o) => { for (let i = 0; i < 3; i++) out[o + i] = d.getUint16(at + 4 - 2 * i, !big) >> 8; } },
};

/** depths are encodings of one number, whose range is stretched to black and white. */
const depths: Record<string, { bytes: number; read: (d: DataView, at: number, big: boolean) => number }> = {
  mono16: { bytes: 2, read: (d, at, big) => d.getUint16(at, !big) }, "16uc1": { bytes: 2, read: (d, at, big) => d.getUint16(at, !big) },
  "32fc1": { bytes: 4, read: (d, at, big) => d.getFloat32(at, !big) },
};

/** chroma is where y of the first and second pixel, u and v are in the four bytes of two pixels. */
const chroma: Record<string, [number, number, number, number]> = { yuv422: [1, 3, 0, 2], uyvy: [1, 3, 0, 2], yuv422_yuy2: [0, 2, 1, 3], yuyv: [0, 2, 1, 3] };

/** bayers are the colours (0 red, 1 green, 2 blue) of the four pixels of a cell. */
const bayers: Record<string, [number, number, number, number]> = { rggb: [0, 1, 1, 2], bggr: [2, 1, 1, 0], gbrg: [1, 2, 0, 1], grbg: [1, 0, 2, 1] };

/** encodings are those that can be shown. */
export const encodings = [...Object.keys(formats), ...Object.keys(depths), ...Object.keys(chroma), ...Object.keys(bayers).flatMap((b) => [`bayer_${b}8`, `bayer_${b}16`])];

/** pixelsOf are the RGBA bytes of a sensor_msgs/msg/Image; undefined: another encoding, or fewer data than it says. */
export function pixelsOf(m: { encoding: string; width: number; height: number; step: number; is_bigendian?: boolean | number; data: Uint8Array }): Uint8Array<ArrayBuffer> | undefined {
  const { width, height, step } = m, encoding = m.encoding.toLowerCase(), big = Boolean(m.is_bigendian), d = new DataView(m.data.buffer, m.data.byteOffset, m.data.byteLength);
  const bayer = /^bayer_(rggb|bggr|gbrg|grbg)(8|16)$/.exec(encoding), format = formats[encoding], depth = depths[encoding], yuv = chroma[encoding];
  const bytes = format?.bytes ?? depth?.bytes ?? (yuv ? 2 : bayer ? Number(bayer[2]) / 8 : 0);
  if (!bytes || !(width > 0 && height > 0) || width * height > 64e6 || step < width * bytes || m.data.length < step * (height - 1) + width * bytes) return undefined;
  const out = new Uint8Array(4 * width * height).fill(255);
  if (format) {
    const pixel = format.pixel(big);
    for (let y = 0, o = 0; y < height; y++) for (let x = 0, at = y * step; x < width; x++, at += bytes, o += 4) pixel(d, at, out, o);
  } else if (depth) stretch(out, width, height, (x, y) => depth.read(d, y * step + x * bytes, big));
  else if (yuv) ofYUV(out, width, height, yuv, (x, y) => y * step + 4 * (x >> 1), d);
  else if (bayer) ofBayer(out, width, height, bayers[bayer[1]], bytes === 1 ? (x, y) => d.getUint8(y * step + x) : (x, y) => d.getUint16(y * step + 2 * x, !big) >> 8);
  return out;
}

/** stretch draws numbers from the least, black, to the greatest, white. */
function stretch(out: Uint8Array, width: number, height: number, read: (x: number, y: number) => number): void {
  let low = Infinity, high = -Infinity;
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) { const v = read(x, y); if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); } }
  const range = high > low ? high - low : 1;
  for (let y = 0, o = 0; y < height; y++) for (let x = 0; x < width; x++, o += 4) { const v = read(x, y); grey(out, o, Number.isFinite(v) ? Math.round((255 * (v - low)) / range) : 0); }
}

/** ofYUV converts by ITU-R BT.601 with full range. */
function ofYUV(out: Uint8Array, width: number, height: number, [y0, y1, u, v]: [number, number, number, number], at: (x: number, y: number) => number, d: DataView): void {
  const clip = (n: number) => Math.min(255, Math.max(0, Math.round(n)));
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) {
      const i = at(x, y), l = d.getUint8(i + (x & 1 ? y1 : y0)), cb = d.getUint8(i + u) - 128, cr = d.getUint8(i + v) - 128;
      out[o] = clip(l + 1.402 * cr); out[o + 1] = clip(l - 0.344 * cb - 0.714 * cr); out[o + 2] = clip(l + 1.772 * cb);
    }
  }
}

/** ofBayer takes the mean of the pixels of each colour around a pixel. */
function ofBayer(out: Uint8Array, width: number, height: number, cell: [number, number, number, number], read: (x: number, y: number) => number): void {
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 4) {
      const sum = [0, 0, 0], n = [0, 0, 0], own = cell[2 * (y & 1) + (x & 1)];
      for (let j = Math.max(0, y - 1); j <= Math.min(height - 1, y + 1); j++) {
        for (let i = Math.max(0, x - 1); i <= Math.min(width - 1, x + 1); i++) {
          const c = cell[2 * (j & 1) + (i & 1)];
          if (c === own && (i !== x || j !== y)) continue;
          sum[c] += read(i, j); n[c]++;
        }
      }
      for (let c = 0; c < 3; c++) out[o + c] = n[c] ? Math.round(sum[c] / n[c]) : 0;
    }
  }
}

/** unitsOf are the NAL units of H.264 in Annex B format, as begin and end. */
export function unitsOf(data: Uint8Array): [number, number][] {
  const out: [number, number][] = [];
  for (let i = 0; i + 3 <= data.length; i++) {
    if (data[i] !== 0 || data[i + 1] !== 0 || data[i + 2] !== 1) continue;
    if (out.length) out[out.length - 1][1] = i > 0 && data[i - 1] === 0 ? i - 1 : i;
    out.push([i + 3, data.length]);
    i += 2;
  }
  return out;
}

/** codecOf returns the codec string by the parameter set (SPS) in H.264 data, and whether it has a key frame. */
export function codecOf(data: Uint8Array): { codec: string | undefined; key: boolean } {
  let codec: string | undefined, key = false;
  for (const [begin, end] of unitsOf(data)) {
    const type = data[begin] & 31;
    if (type === 7 && end - begin > 3) codec = "avc1." + [1, 2, 3].map((i) => data[begin + i].toString(16).padStart(2, "0")).join("");
    if (type === 5) key = true;
  }
  return { codec, key };
}

/** Video decodes H.264 by WebCodecs. */
export class Video {
  private decoder: VideoDecoder | undefined;
  private count = 0;

  /** shown gets each frame and must close it; failed gets what is wrong. */
  constructor(private shown: (frame: VideoFrame) => void, private failed: (reason: string) => void) {}

  /** possible returns whether this browser can; only secure pages have WebCodecs: HTTPS, or localhost. */
  static get possible(): boolean { return typeof VideoDecoder !== "undefined"; }

  /** take decodes the data of a message. Frames before the first key frame are left out. */
  take(data: Uint8Array): void {
    const { codec, key } = codecOf(data);
    if (!this.decoder || this.decoder.state === "closed") {
      if (!key || !codec) return;
      this.decoder = new VideoDecoder({ output: this.shown, error: (e) => this.failed(e.message) });
      this.decoder.configure({ codec, optimizeForLatency: true });
    }
    if (this.decoder.decodeQueueSize > 10 && !key) return; // it does not keep up: the next key frame continues
    this.decoder.decode(new EncodedVideoChunk({ type: key ? "key" : "delta", timestamp: this.count++ * 33_333, data }));
  }

  close(): void {
    if (this.decoder && this.decoder.state !== "closed") this.decoder.close();
    this.decoder = undefined;
  }
}
