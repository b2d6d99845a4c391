// SPDX-License-Identifier: Apache-2.0
// The view from above: the world or the map, robots with trail and heading, what the chosen robot's sensors see.
import { robotDescription } from "../description";
import { IconName, icon } from "../icons";
import { placeNames } from "../names";
import { Pose, Robot } from "../robots";
import { silentAfter } from "../states";
import { t } from "../texts";
import { Transform, apply, compose, heading, identity, ofMessage } from "../transforms";
import { color, eachFrame, every, fixed, full, h, yaw } from "../ui";
import { Context, Definition, Panel, choice } from "./panel";

interface Cone { x: number; y: number; a: number; fov: number; range: number; max: number }
interface Shape { type: number; x: number; y: number; a: number; sx: number; sy: number; fill: string; points: { x: number; y: number }[] }
interface Grid { frame: string; origin: Transform; size: number; image: HTMLCanvasElement }

interface MapSettings { view: "fit" | "robot" }

class MapPanel extends Panel {
  private canvas: HTMLCanvasElement;
  private caption: HTMLElement;
  private fleet = this.context.fleet;
  private frames = this.context.frames;
  private client = this.context.client;
  private world_ = this.context.world;
  private center = { x: 0, y: 0 };
  private scale = 200; // pixels per metre
  private shapes = new Map<string, Shape>();
  private grid: Grid | undefined;
  private cones = new Map<string, Cone>();
  private scan: any;
  private pointers = new Map<number, { x: number; y: number }>();
  private dragged: Robot | undefined;
  private ghost: Pose | undefined;

  constructor(context: Context, private settings: MapSettings, private changed: (s: MapSettings) => void) {
    super(context, "map.title");
    const first = context.key === "map";
    this.canvas = h("canvas", { class: "map", id: first ? "map" : context.id("canvas"), role: "img", tabindex: 0, "aria-label": t("map.label") });
    this.caption = h("p", { class: "caption", id: first ? "pose" : context.id("pose") });
    const button = (name: IconName, label: string, f: () => void) => h("button", { type: "button", "aria-label": label, title: label, onclick: f }, icon(name));
    this.element.classList.add("panel-map");
    this.element.append(this.canvas, h("div", { class: "tools" },
      button("add", t("view.zoomIn"), () => this.zoom(1.3)), button("remove", t("view.zoomOut"), () => this.zoom(1 / 1.3)),
      button("fit", t("view.showAll"), () => this.look("fit")), button("follow", t("map.follow"), () => this.look("robot")),
      button("erase", t("map.clear"), () => { for (const r of this.fleet.robots.values()) r.trail = []; })), this.caption);
    this.fleet.addEventListener("changed", () => this.restart(), { signal: this.signal });
    this.canvas.addEventListener("keydown", (e) => this.key(e));
    this.canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY); }, { passive: false });
    this.canvas.addEventListener("pointerdown", (e) => this.press(e));
    this.canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(name, (e) => this.release(e));
  }

  private look(view: MapSettings["view"]): void {
    this.free = false;
    this.mode = view;
  }

  private get mode(): MapSettings["view"] { return this.settings.view; }
  private set mode(view: MapSettings["view"]) {
    if (view === this.settings.view) return;
    this.settings = { view };
    this.changed(this.settings);
  }

  protected start(): void {
    this.fleet.watch(true);
    this.keep(() => this.fleet.watch(false));
    this.keep(this.frames.watch(false));
    this.keep(this.client.subscribe("/world", (m) => this.markers(m.markers)));
    this.keep(this.client.subscribe("/map", (m) => { this.grid = gridOf(m); }));
    const robot = this.fleet.chosen?.name;
    this.cones.clear();
    this.scan = undefined;
    if (robot !== undefined) {
      this.keep(this.client.subscribe(full(robot, "scan"), (m) => { this.scan = m; }, { period: 50 }));
      const below = full(robot, ""), ranges = [...this.client.topics.values()].filter((c) => c.schemaName === "sensor_msgs/msg/Range" && c.topic.startsWith(below) && !c.topic.slice(below.length).includes("/"));
      for (const name of ranges.map((c) => c.topic.slice(below.length)).filter((n) => !robotDescription.notFromAbove.test(n))) {
        this.keep(this.client.subscribe(full(robot, name), (m) => this.range(name, m), { period: 50 }));
      }
    }
    this.keep(eachFrame(() => this.draw()));
    this.keep(every(250, () => this.describe()));
  }

  /** poseOf is where a robot is in the fixed frame. */
  private poseOf(r: Robot): Pose | undefined { return this.frames.baseOf(r)?.pose; }

  /** isSilent returns whether what is known of a robot is old. */
  private isSilent(r: Robot): boolean { return !this.world_.paused() && (this.fleet.silence(r) ?? 0) > silentAfter; }

  private describe(): void {
    const r = this.fleet.chosen, p = r && this.poseOf(r), old = r && this.isSilent(r) ? "  " + t("age.seconds", { count: Math.floor(this.fleet.silence(r)!) }) : "";
    this.canvas.dataset.silent = String([...this.fleet.robots.values()].filter((x) => this.isSilent(x)).length);
    this.canvas.dataset.trail = String(r?.trail.length ?? 0);
    this.caption.textContent = !r ? t("state.noRobot") : !p ? t("map.waiting", { robot: r.title })
      : `${r.title}  x ${fixed(p.x, 3)} m  y ${fixed(p.y, 3)} m  θ ${fixed((p.a * 180) / Math.PI, 0)}°  ${fixed(r.v, 3)} m/s  ${fixed(r.w, 2)} rad/s${old}`;
  }

  private markers(list: any[]): void {
    for (const m of list) {
      const key = m.ns + " " + m.id;
      if (m.action === 3) this.shapes.clear();
      else if (m.action === 2 || !ofMessage(m.pose)) this.shapes.delete(key);
      else {
        const c = m.color, fill = `rgba(${Math.round(c.r * 255)},${Math.round(c.g * 255)},${Math.round(c.b * 255)},${c.a})`;
        this.shapes.set(key, { type: m.type, x: m.pose.position.x, y: m.pose.position.y, a: yaw(m.pose.orientation), sx: m.scale.x, sy: m.scale.y, fill, points: m.points ?? [] });
      }
    }
  }

  private range(name: string, m: any): void {
    const mount = this.frames.buffer.lookup(this.fleet.chosen?.baseFrame || "base_link", m.header.frame_id);
    const f = mount ? { x: mount.t[0], y: mount.t[1], a: heading(mount) } : { x: 0, y: 0, a: 0 };
    this.cones.set(name, { ...f, fov: m.field_of_view, range: m.range, max: m.max_range });
  }

  private zoom(by: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    if (this.mode === "fit") this.mode = "robot";
    const before = this.world(x, y);
    this.scale = Math.min(5000, Math.max(10, this.scale * by));
    const after = this.world(x, y);
    this.center.x += before.x - after.x;
    this.center.y += before.y - after.y;
    this.free = true;
  }
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  private free = false; // the user moved the view

  private key(e: KeyboardEvent): void {
    const step = 40 / this.scale;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const d = moves[e.key];
    if (e.key === "+" || e.key === "=") this.zoom(1.2);
    else if (e.key === "-") this.zoom(1 / 1.2);
    else if (e.key === "0") this.look("fit");
    else if (e.key === "f") this.look("robot");
    else if (d && e.shiftKey) { this.free = true; this.center.x += d[0]; this.center.y += d[1]; }
    else return;
    e.preventDefault();
  }

  private world(px: number, py: number): { x: number; y: number } {
    return { x: this.center.x + (px - this.canvas.clientWidth / 2) / this.scale, y: this.center.y - (py - this.canvas.clientHeight / 2) / this.scale };
  }

  private at(e: PointerEvent): Robot | undefined {
    const p = this.world(e.offsetX, e.offsetY);
    let best: Robot | undefined, distance = Infinity;
    for (const r of this.fleet.robots.values()) {
      const at = this.poseOf(r), d = at ? Math.hypot(at.x - p.x, at.y - p.y) : Infinity;
      if (d < distance && d < Math.max(r.radius, 20 / this.scale)) { best = r; distance = d; }
    }
    return best;
  }

  private press(e: PointerEvent): void {
    this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    const p = this.world(e.offsetX, e.offsetY);
    if (this.world_.place) { const f = this.world_.place; this.world_.place = undefined; f(p.x, p.y); return; }
    const r = this.at(e);
    if (!r) return;
    this.fleet.choose(r.name);
    if (this.world_.move && r.truth) { this.dragged = r; this.ghost = { ...r.truth }; }
  }

  private move(e: PointerEvent): void {
    const last = this.pointers.get(e.pointerId);
    if (!last) return;
    const now = { x: e.offsetX, y: e.offsetY };
    this.pointers.set(e.pointerId, now);
    if (this.dragged && this.ghost) { const p = this.world(now.x, now.y); this.ghost.x = p.x; this.ghost.y = p.y; return; }
    if (this.pointers.size === 1) {
      if (Math.hypot(now.x - last.x, now.y - last.y) === 0) return;
      this.free = true;
      this.center.x -= (now.x - last.x) / this.scale;
      this.center.y += (now.y - last.y) / this.scale;
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== e.pointerId)?.[1];
    if (!other) return;
    const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(now.x - other.x, now.y - other.y);
    if (before > 0) this.zoom(after / before, (now.x + other.x) / 2, (now.y + other.y) / 2);
  }

  private release(e: PointerEvent): void {
    this.pointers.delete(e.pointerId);
    const r = this.dragged, ghost = this.ghost;
    this.dragged = this.ghost = undefined;
    if (r && ghost && e.type === "pointerup" && r.truth && Math.hypot(ghost.x - r.truth.x, ghost.y - r.truth.y) > 0.005) this.world_.move?.(r, ghost);
  }

  private draw(): void {
    const ratio = devicePixelRatio, w = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!w || !height) return;
    if (this.canvas.width !== Math.round(w * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(w * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.aim(w, height);
    const g = this.canvas.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = color("ground");
    g.fillRect(0, 0, w, height);
    const s = this.scale * ratio;
    g.setTransform(s, 0, 0, -s, (w / 2 - this.center.x * this.scale) * ratio, (height / 2 + this.center.y * this.scale) * ratio);
    this.drawLines(g, w, height);
    const grid = this.grid; // a map that nothing connects is taken to be in the fixed frame, as navigators do
    if (grid) drawGrid(g, grid, compose(this.frames.place(grid.frame) ?? identity, grid.origin));
    for (const shape of this.shapes.values()) drawShape(g, shape);
    for (const r of this.fleet.robots.values()) this.drawTrail(g, r);
    const chosen = this.fleet.chosen, at = chosen && this.poseOf(chosen);
    if (at && !this.isSilent(chosen)) this.drawSensors(g, at);
    for (const r of this.fleet.robots.values()) { const p = this.poseOf(r); if (p) this.drawRobot(g, r, p, r === chosen); }
    if (this.dragged && this.ghost) { g.globalAlpha = 0.5; this.drawRobot(g, this.dragged, this.ghost, true); g.globalAlpha = 1; }
    this.drawNames(g, ratio, w, height);
    this.drawScaleBar(g, ratio, w, height);
  }

  private aim(w: number, height: number): void {
    if (this.free) return;
    const p = this.fleet.chosen && this.poseOf(this.fleet.chosen);
    if (this.mode === "robot") { if (p) { this.center.x = p.x; this.center.y = p.y; } return; }
    let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
    const add = (x: number, y: number, r: number) => { x0 = Math.min(x0, x - r); x1 = Math.max(x1, x + r); y0 = Math.min(y0, y - r); y1 = Math.max(y1, y + r); };
    for (const sh of this.shapes.values()) {
      const c = Math.abs(Math.cos(sh.a)) / 2, n = Math.abs(Math.sin(sh.a)) / 2;
      if (sh.points.length) { for (const q of sh.points) add(q.x, q.y, 0); continue; }
      const ex = c * sh.sx + n * sh.sy, ey = n * sh.sx + c * sh.sy;
      add(sh.x - ex, sh.y - ey, 0); add(sh.x + ex, sh.y + ey, 0);
    }
    for (const r of this.fleet.robots.values()) { const q = this.poseOf(r); if (q) add(q.x, q.y, this.shapes.size ? Math.max(0.1, r.radius) : 0.6); }
    if (x0 > x1) return;
    const soft = this.calm.matches ? 1 : 0.3; // of the way that the view moves each time
    const want = Math.min(w / (x1 - x0), height / (y1 - y0)) * 0.94;
    this.scale = this.calm.matches || Math.abs(Math.log(want / this.scale)) > 0.5 ? want : this.scale + (want - this.scale) * 0.2;
    this.center.x += ((x0 + x1) / 2 - this.center.x) * soft;
    this.center.y += ((y0 + y1) / 2 - this.center.y) * soft;
  }

  private drawLines(g: CanvasRenderingContext2D, w: number, height: number): void {
    const step = [0.1, 0.5, 1, 5, 10].find((s) => s * this.scale > 24) ?? 50;
    const a = this.world(0, height), b = this.world(w, 0);
    g.strokeStyle = color("line");
    g.lineWidth = 1 / this.scale;
    g.beginPath();
    for (let x = Math.ceil(a.x / step) * step; x < b.x; x += step) { g.moveTo(x, a.y); g.lineTo(x, b.y); }
    for (let y = Math.ceil(a.y / step) * step; y < b.y; y += step) { g.moveTo(a.x, y); g.lineTo(b.x, y); }
    g.stroke();
  }

  private drawTrail(g: CanvasRenderingContext2D, r: Robot): void {
    if (r.trail.length < 2) return;
    g.strokeStyle = color("trail");
    g.lineWidth = 2 / this.scale;
    g.beginPath();
    const place = this.frames.trailOf(r);
    for (const [i, p] of r.trail.entries()) { const [x, y] = place ? apply(place, [p.x, p.y, 0]) : [p.x, p.y]; if (i && !p.gap) g.lineTo(x, y); else g.moveTo(x, y); }
    g.stroke();
  }

  private drawSensors(g: CanvasRenderingContext2D, pose: Pose): void {
    g.save();
    g.translate(pose.x, pose.y);
    g.rotate(pose.a);
    g.lineWidth = 1.5 / this.scale;
    for (const c of this.cones.values()) {
      const hit = Number.isFinite(c.range) && c.range < c.max, r = hit ? Math.max(c.range, 0) : c.max;
      g.fillStyle = g.strokeStyle = color(hit ? "hit" : "free");
      g.beginPath();
      g.moveTo(c.x, c.y);
      g.arc(c.x, c.y, r, c.a - c.fov / 2, c.a + c.fov / 2);
      g.closePath();
      g.globalAlpha = hit ? 0.3 : 0.1;
      g.fill();
      g.globalAlpha = 1;
      if (!hit) continue;
      g.beginPath();
      g.arc(c.x, c.y, r, c.a - c.fov / 2, c.a + c.fov / 2);
      g.stroke();
    }
    if (this.scan) {
      g.fillStyle = color("hit");
      for (let i = 0; i < this.scan.ranges.length; i++) {
        const r = this.scan.ranges[i], a = this.scan.angle_min + i * this.scan.angle_increment;
        if (!(r >= this.scan.range_min && r <= this.scan.range_max)) continue;
        g.beginPath();
        g.arc(r * Math.cos(a), r * Math.sin(a), 3 / this.scale, 0, 7);
        g.fill();
      }
    }
    g.restore();
  }

  private drawRobot(g: CanvasRenderingContext2D, r: Robot, p: Pose, chosen: boolean): void {
    g.save();
    g.translate(p.x, p.y);
    g.rotate(p.a);
    const silent = this.isSilent(r);
    if (silent) { g.globalAlpha = 0.6; g.setLineDash([5 / this.scale, 4 / this.scale]); }
    g.fillStyle = color(silent ? "ground" : "robot");
    g.strokeStyle = color(silent ? "muted" : chosen ? "accent" : "text");
    g.lineWidth = (chosen ? 3 : 1.5) / this.scale;
    const radius = Math.max(r.radius, 6 / this.scale);
    if (r.radius < radius || !r.solids.length) { g.beginPath(); g.arc(0, 0, radius, 0, 7); g.fill(); g.stroke(); }
    else this.drawSolids(g, r);
    g.fillStyle = color(silent ? "muted" : chosen ? "accent" : "text");
    g.beginPath(); g.moveTo(radius * 0.85, 0); g.lineTo(-radius * 0.35, radius * 0.5); g.lineTo(-radius * 0.35, -radius * 0.5); g.fill();
    for (const [i, fill] of r.leds) {
      if (!fill || silent) continue;
      const [x, y] = robotDescription.leds[i] ?? [0, 0];
      g.fillStyle = fill; g.shadowColor = fill; g.shadowBlur = 12;
      g.beginPath(); g.arc(radius * 0.86 * x, radius * 0.86 * y, radius * 0.2, 0, 7); g.fill();
      g.shadowBlur = 0;
    }
    g.restore();
  }

  /** drawNames writes each robot's name next to it where no other name and no robot is; where all places are taken it has none. */
  private drawNames(g: CanvasRenderingContext2D, ratio: number, w: number, height: number): void {
    if (this.fleet.robots.size < 2) return;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.fillStyle = color("text"); g.font = "13px system-ui, sans-serif"; g.textAlign = "center";
    const names = [], bodies = [], chosen = this.fleet.chosen;
    for (const r of chosen ? [chosen, ...this.fleet.robots.values()] : this.fleet.robots.values()) {
      const p = this.poseOf(r);
      if (!p || (r === chosen && names.length)) continue;
      const x = w / 2 + (p.x - this.center.x) * this.scale, y = height / 2 - (p.y - this.center.y) * this.scale;
      if (x < 0 || y < 0 || x > w || y > height) continue;
      const reach = Math.max(r.radius * this.scale, 6);
      bodies.push({ x, y, reach });
      names.push({ text: r.title, x, y, width: g.measureText(r.title).width, reach });
    }
    const placed = placeNames(names, bodies);
    for (const n of placed) g.fillText(n.text, n.x, n.y);
    this.canvas.dataset.names = String(placed.length);
  }

  private drawSolids(g: CanvasRenderingContext2D, r: Robot): void {
    for (const s of r.solids) {
      g.save();
      g.translate(s.x, s.y); g.rotate(s.a);
      g.beginPath();
      if (s.disc) g.arc(0, 0, s.sx / 2, 0, 7);
      else g.rect(-s.sx / 2, -s.sy / 2, s.sx, s.sy);
      g.fill(); g.stroke();
      g.restore();
    }
  }

  private drawScaleBar(g: CanvasRenderingContext2D, ratio: number, w: number, height: number): void {
    const metres = [0.05, 0.1, 0.5, 1, 5, 10].find((m) => m * this.scale > 60) ?? 50;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.strokeStyle = g.fillStyle = color("text");
    g.lineWidth = 2; g.font = "12px system-ui, sans-serif"; g.textAlign = "right";
    const x = w - 14, y = height - 14;
    g.beginPath(); g.moveTo(x - metres * this.scale, y); g.lineTo(x, y); g.stroke();
    g.fillText(metres < 1 ? `${metres * 100} cm` : `${metres} m`, x, y - 6);
  }
}

/** gridOf is undefined if the map's origin is not finite: it is not drawn. */
function gridOf(m: any): Grid | undefined {
  const origin = ofMessage(m.info.origin);
  if (!origin) return undefined;
  const image = h("canvas", { width: m.info.width, height: m.info.height });
  const g = image.getContext("2d")!, data = g.createImageData(m.info.width, m.info.height);
  for (let i = 0; i < m.data.length; i++) {
    const v = m.data[i], shade = v < 0 ? 0 : 255 - v * 2.4;
    data.data.set([shade, shade, shade, v < 0 ? 0 : 255], i * 4);
  }
  g.putImageData(data, 0, 0);
  return { frame: m.header.frame_id, origin, size: m.info.resolution, image };
}

function drawGrid(g: CanvasRenderingContext2D, grid: Grid, at: Transform): void {
  g.save();
  g.translate(at.t[0], at.t[1]); g.rotate(heading(at)); g.scale(grid.size, grid.size);
  g.imageSmoothingEnabled = false;
  g.drawImage(grid.image, 0, 0); // row 0 is at the bottom, as y points up
  g.restore();
}

/** drawShape draws a marker: cube 1, sphere 2, cylinder 3, line strip 4, line list 5. */
function drawShape(g: CanvasRenderingContext2D, s: Shape): void {
  g.save();
  g.translate(s.x, s.y); g.rotate(s.a);
  g.fillStyle = g.strokeStyle = s.fill;
  if (s.type === 1) g.fillRect(-s.sx / 2, -s.sy / 2, s.sx, s.sy);
  else if (s.type === 2 || s.type === 3) { g.beginPath(); g.ellipse(0, 0, s.sx / 2, s.sy / 2, 0, 0, 7); g.fill(); }
  else {
    g.lineWidth = s.sx;
    g.beginPath();
    s.points.forEach((p, i) => (i === 0 || (s.type === 5 && i % 2 === 0) ? g.moveTo(p.x, p.y) : g.lineTo(p.x, p.y)));
    g.stroke();
  }
  g.restore();
}

export const mapPanel: Definition<MapSettings> = {
  id: "map", title: "map.title", about: "map.about", size: [6, 12], settings: { view: choice("fit", "robot") },
  make: (context, settings, changed) => new MapPanel(context, settings, changed),
};
