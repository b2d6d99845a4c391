// SPDX-License-Identifier: Apache-2.0
// Driving: a stick for thumb, mouse and keyboard, the keys of the whole page, a gamepad. Whatever is released, hidden
// or lost stops the robot, here and again in the program after 300 ms. Each command carries its time, so that the
// program knows one that was held up on its way; a zero before each movement shows it how late "now" is.
import { robotDescription } from "../description";
import { t } from "../texts";
import { every, fixed, h, say } from "../ui";
import { Context, Definition, Panel, number } from "./panel";

const period = 50; // ms between commands
const radius = 70; // px, of the stick's way
const deadZone = 0.1; // of gamepads
const asleep = 1000; // ms without a step after which what was held counts as released: the page or the computer slept

interface DriveSettings { linear: number; angular: number }

class DrivePanel extends Panel {
  private client = this.context.client;
  private fleet = this.context.fleet;
  private navigation = this.context.navigation;
  private stick = { x: 0, y: 0 }; // right and forward, −1…1
  private keys = new Set<string>();
  private pointer: number | undefined;
  private moving = false;
  private zeros = 0;
  private last = { run: performance.now(), wall: Date.now() }; // when the last step was
  private knob = h("div", { class: "knob", "aria-hidden": "true" });
  private pad = h("div", { class: "pad", id: this.own("pad"), tabindex: 0, role: "application", "aria-label": t("drive.stick") }, this.knob);
  private take = h("button", { type: "button", id: this.own("take"), class: "primary", onclick: () => this.toggle() }, t("drive.take"));
  private state = h("p", { id: this.own("driver"), class: "state", role: "status" });
  private speed = h("output", { id: this.own("speed") });
  private v = this.slider("max-v", robotDescription.speeds.linear);
  private w = this.slider("max-w", robotDescription.speeds.angular);

  constructor(context: Context, settings: DriveSettings, changed: (s: DriveSettings) => void) {
    super(context, "drive.title");
    this.element.classList.add("panel-drive");
    this.v.value = String(settings.linear);
    this.w.value = String(settings.angular);
    for (const s of [this.v, this.w]) s.addEventListener("change", () => changed({ linear: Number(this.v.value), angular: Number(this.w.value) }));
    this.element.append(h("div", { class: "drive-head" }, this.take, this.state), this.pad, h("div", { class: "limits" },
      h("label", {}, t("drive.speed"), this.v), h("label", {}, t("drive.turn"), this.w), this.speed));
    this.pad.addEventListener("pointerdown", (e) => this.press(e));
    this.pad.addEventListener("pointermove", (e) => { if (e.pointerId === this.pointer) this.tilt(e); });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) this.pad.addEventListener(name, (e) => { if (e.pointerId === this.pointer) this.releaseAll(); });
    this.pad.addEventListener("contextmenu", (e) => e.preventDefault());
    const { signal } = this;
    addEventListener("keydown", (e) => this.key(e, true), { signal });
    addEventListener("keyup", (e) => this.key(e, false), { signal });
    for (const name of ["blur", "pagehide", "freeze"]) addEventListener(name, () => this.releaseAll(), { signal });
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.releaseAll(); }, { signal });
    this.client.on("control", () => this.show(), signal);
    this.navigation.addEventListener("changed", () => this.show(), { signal });
    this.client.on("state", () => { this.releaseAll(); this.show(); }, signal);
    this.fleet.addEventListener("changed", () => this.show(), { signal });
    this.fleet.addEventListener("chosen", () => this.releaseAll(), { signal });
  }

  /** own is the id of an element: of the first instance without the key. */
  private own(name: string): string { return this.context.key === "drive" ? name : this.context.id(name); }

  private slider(name: string, [min, max, step, value]: readonly [number, number, number, number]): HTMLInputElement {
    return h("input", { type: "range", id: this.own(name), min, max, step, value });
  }

  protected start(): void {
    this.show();
    this.keep(every(period, () => this.step()));
    this.keep(() => { this.releaseAll(); this.step(); });
  }

  private get robot(): string | undefined { return this.fleet.chosen?.name; }
  private get held() { return this.client.control.find((h) => h.robot === this.robot); }
  private get mine(): boolean { return this.held?.you ?? false; }

  /** remove also releases the robot: without a stick this viewer cannot drive it. */
  override remove(): void {
    const { mine, robot } = this;
    super.remove();
    if (mine) this.client.send({ op: "releaseControl", robot });
  }

  private toggle(): void {
    if (this.robot === undefined) return;
    if (this.mine) { this.releaseAll(); this.step(); this.client.send({ op: "releaseControl", robot: this.robot }); return; }
    const other = this.held;
    if (other && !confirm(t("drive.askTakeOver", { driver: other.driver }))) return;
    this.client.send({ op: "takeControl", robot: this.robot, force: other !== undefined });
  }

  private show(): void {
    const held = this.held, readOnly = this.client.metadata.role === "view";
    this.take.textContent = t(this.mine ? "drive.release" : held ? "drive.takeOver" : "drive.take");
    this.take.disabled = readOnly || !this.client.connected || this.robot === undefined;
    this.take.setAttribute("aria-pressed", String(this.mine));
    const text = readOnly ? t("drive.readOnly") : this.mine ? t("drive.mine") : held ? t("drive.other", { driver: held.driver })
      : this.navigation.active ? t("drive.navigation", { node: this.navigation.node ?? t("drive.aNode") }) : t("drive.noDriver");
    if (this.state.textContent !== text) this.state.textContent = text;
    this.pad.classList.toggle("off", !this.mine);
  }

  private press(e: PointerEvent): void {
    e.preventDefault();
    if (!this.mine && !this.held) this.toggle(); // the first touch takes a robot that has no driver
    this.pointer = e.pointerId;
    this.pad.setPointerCapture(e.pointerId);
    this.pad.focus({ preventScroll: true });
    this.tilt(e);
  }

  private tilt(e: PointerEvent): void {
    const box = this.pad.getBoundingClientRect();
    let x = (e.clientX - box.left - box.width / 2) / radius, y = -(e.clientY - box.top - box.height / 2) / radius;
    const length = Math.hypot(x, y);
    if (length > 1) { x /= length; y /= length; }
    this.stick = { x, y };
    this.drawKnob();
  }

  private drawKnob(): void { this.knob.style.transform = `translate(${this.stick.x * radius}px, ${-this.stick.y * radius}px)`; }

  /** releaseAll releases all inputs that drive. */
  private releaseAll(): void {
    this.pointer = undefined;
    this.keys.clear();
    this.stick = { x: 0, y: 0 };
    this.drawKnob();
    if (this.moving) this.step();
  }

  private key(e: KeyboardEvent, down: boolean): void {
    const name = { ArrowUp: "up", w: "up", ArrowDown: "down", s: "down", ArrowLeft: "left", a: "left", ArrowRight: "right", d: "right" }[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (e.key === " " && down && this.mine && this.moving) { e.preventDefault(); this.releaseAll(); return; }
    if (e.key === "Meta" || e.metaKey) { this.keys.clear(); return; } // macOS reports no release of keys while it is held
    if (!name) return;
    const target = e.target as HTMLElement;
    if (down && (!this.mine || e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || target.closest("input, select, textarea, [role=tablist], [contenteditable]"))) return;
    if (down) { this.keys.add(name); e.preventDefault(); } else this.keys.delete(name);
  }

  /** input is the current command: right and forward, −1…1. */
  private input(): { x: number; y: number } {
    const key = (name: string) => (this.keys.has(name) ? 1 : 0);
    let x = this.stick.x + key("right") - key("left"), y = this.stick.y + key("up") - key("down");
    if (!document.hidden && document.hasFocus()) {
      for (const g of navigator.getGamepads?.() ?? []) {
        if (!g?.connected || g.axes.length < 2) continue;
        const dead = (a: number) => (Math.abs(a) < deadZone ? 0 : (a - Math.sign(a) * deadZone) / (1 - deadZone));
        x += dead(g.axes[0]); y -= dead(g.axes[1]);
        if (!this.mine && !this.held && (x || y) && g.buttons.some((b) => b.pressed)) this.toggle();
      }
    }
    return { x: Math.max(-1, Math.min(1, x)), y: Math.max(-1, Math.min(1, y)) };
  }

  /** slept returns whether the last step is so long ago that inputs may have been released meanwhile. */
  private slept(): boolean {
    const run = performance.now(), wall = Date.now(), last = this.last; // the first stands still while some computers sleep
    this.last = { run, wall };
    return Math.max(run - last.run, wall - last.wall) > asleep;
  }

  private step(): void {
    if (this.slept()) { this.pointer = undefined; this.keys.clear(); this.stick = { x: 0, y: 0 }; this.drawKnob(); }
    const { x, y } = this.input();
    const v = this.mine ? y * Number(this.v.value) : 0;
    const w = this.mine ? -x * Number(this.w.value) * (y < -0.1 ? -1 : 1) : 0; // backwards, left stays left of the screen
    const wants = v !== 0 || w !== 0;
    this.speed.textContent = `${fixed(v, 2)} m/s, ${fixed(w, 1)} rad/s`;
    if (wants && !this.moving && this.mine) this.command(0, 0);
    if (wants !== this.moving) { this.moving = wants; this.zeros = wants ? 0 : 3; if (!wants) say(t("drive.stopped")); }
    if (!this.mine || this.robot === undefined || (!wants && this.zeros-- <= 0)) return;
    if (this.client.buffered > 2000) return; // old commands must not pile up
    this.command(v, w);
  }

  private command(v: number, w: number): void { this.client.send({ op: "drive", robot: this.robot, v, w, t: performance.now() }); }
}

const { linear, angular } = robotDescription.speeds;

export const drivePanel: Definition<DriveSettings> = {
  id: "drive", title: "drive.title", about: "drive.about", size: [3, 10], settings: { linear: number(linear[3], linear[0], linear[1]), angular: number(angular[3], angular[0], angular[1]) },
  make: (context, settings, changed) => new DrivePanel(context, settings, changed),
};
