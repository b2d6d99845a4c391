// SPDX-License-Identifier: Apache-2.0
// The panel of images: any topic of pictures, raw, compressed, or H.264.
import { robotDescription } from "../description";
import { Video, pixelsOf } from "../rasters";
import { t } from "../texts";
import { every, full, h, saveFile } from "../ui";
import { rateText } from "./inputs";
import { Rate, sizeText } from "./messages";
import { Context, Definition, Panel, number, text } from "./panel";

/** kinds are the types of topics with pictures. */
const kinds = ["sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage", "foxglove_msgs/msg/CompressedVideo"];

/** turn is in degrees. */
interface ImageSettings { topic: string; turn: number }

class ImagePanel extends Panel {
  private client = this.context.client;
  private canvas = h("canvas", { class: "picture", id: this.context.id("canvas"), width: 320, height: 240, role: "img" });
  private note = h("p", { class: "caption", id: this.context.id("note"), role: "status" });
  private topic = h("select", { id: this.context.id("topic"), "aria-label": t("topic"), onchange: () => { this.store({ topic: this.topic.value }); this.restart(); } });
  private rate = new Rate();
  private format = "";
  private busy = false;
  private last: number | undefined; // performance.now() of the last picture
  private shown = 0;

  constructor(context: Context, private settings: ImageSettings, private changed: (s: ImageSettings) => void) {
    super(context, "image.title");
    const button = (name: string, label: string, f: () => void) => h("button", { type: "button", id: context.id(name), onclick: f }, label);
    this.element.classList.add("panel-image");
    this.element.append(h("div", { class: "row" }, this.topic, button("turn", t("image.turn"), () => { this.store({ turn: (this.settings.turn + 90) % 360 }); this.dress(); }),
      button("save", "PNG", () => this.canvas.toBlob((b) => { if (b) saveFile("image.png", b); }, "image/png"))), h("div", { class: "screen" }, this.canvas), this.note);
    this.client.on("channels", () => { if (this.visible && this.listed()) this.restart(); }, this.signal);
    context.fleet.addEventListener("chosen", () => { if (!this.settings.topic) this.restart(); }, { signal: this.signal });
    this.dress();
  }

  private store(change: Partial<ImageSettings>): void {
    this.settings = { ...this.settings, ...change };
    this.changed(this.settings);
  }

  private dress(): void { this.canvas.style.rotate = this.settings.turn ? `${this.settings.turn}deg` : ""; }

  /** listed lists the topics and returns whether they are others than before. */
  private listed(): boolean {
    const names = [...this.client.topics.values()].filter((c) => kinds.includes(c.schemaName)).map((c) => c.topic).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    if (this.settings.topic && !names.includes(this.settings.topic)) names.unshift(this.settings.topic);
    const key = names.join("\n");
    if (this.topic.dataset.key === key) return false;
    this.topic.dataset.key = key;
    this.topic.replaceChildren(h("option", { value: "" }, t("image.camera")), ...names.map((n) => h("option", { value: n }, n)));
    this.topic.value = this.settings.topic;
    return true;
  }

  protected start(): void {
    this.listed();
    const robot = this.context.fleet.chosen?.name, name = this.settings.topic || (robot === undefined ? "" : full(robot, robotDescription.camera)), c = this.client.topics.get(name);
    this.canvas.setAttribute("aria-label", t("image.label", { topic: name }));
    this.rate = new Rate();
    this.format = "";
    this.say(!name ? t("state.noRobot") : !c ? t("image.noTopic", { topic: name }) : t("camera.waiting"));
    if (!name) return;
    const video = new Video((frame) => { this.draw(frame, frame.displayWidth, frame.displayHeight); frame.close(); }, (reason) => this.say(t("image.failed", { reason })));
    this.keep(() => video.close());
    this.keep(this.client.subscribe(name, (m, _time, bytes) => {
      this.rate.take(performance.now() / 1000, bytes);
      if (m.encoding !== undefined) this.raw(m);
      else if (/h\.?264/i.test(m.format)) this.decode(video, m);
      else void this.compressed(m);
    }, { acknowledge: !/h\.?264/i.test(name) })); // a frame of video needs those before it
    this.keep(every(1000, () => this.describe()));
  }

  private say(text: string): void { if (this.note.textContent !== text) this.note.textContent = text; }

  private describe(): void {
    if (this.last === undefined) return;
    const age = Math.floor((performance.now() - this.last) / 1000);
    this.canvas.classList.toggle("stale", age > 2);
    if (age > 2) this.say(t("camera.old", { count: age }));
    else if (this.format) this.say(`${this.canvas.width} × ${this.canvas.height}, ${this.format}, ${rateText(this.rate.hz(performance.now() / 1000))}, ${sizeText(this.rate.bytes)}`);
  }

  private raw(m: any): void {
    const pixels = pixelsOf(m);
    this.format = m.encoding;
    if (!pixels) { this.format = ""; this.say(t("image.encoding", { encoding: m.encoding })); return; }
    this.resize(m.width, m.height);
    this.canvas.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), m.width, m.height), 0, 0);
    this.drawn();
  }

  private async compressed(m: any): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      const picture = await createImageBitmap(new Blob([m.data]));
      this.format = m.format || "?";
      if (this.visible) this.draw(picture, picture.width, picture.height);
      picture.close();
    } catch { this.say(t("image.encoding", { encoding: m.format })); } finally { this.busy = false; }
  }

  private decode(video: Video, m: any): void {
    if (!Video.possible) { this.say(t("image.noCodecs")); return; }
    this.format = "H.264";
    try { video.take(m.data); } catch (e) { this.say(t("image.failed", { reason: (e as Error).message })); }
  }

  private resize(width: number, height: number): void { if (this.canvas.width !== width || this.canvas.height !== height) { this.canvas.width = width; this.canvas.height = height; } }

  private draw(source: CanvasImageSource, width: number, height: number): void {
    this.resize(width, height);
    this.canvas.getContext("2d")!.drawImage(source, 0, 0);
    this.drawn();
  }

  private drawn(): void {
    this.last = performance.now();
    this.canvas.dataset.shown = String(++this.shown);
    if (this.shown === 1) this.describe();
  }
}

export const imagePanel: Definition<ImageSettings> = {
  id: "image", title: "image.title", about: "image.about", size: [4, 9], settings: { topic: text(), turn: number(0, 0, 270) },
  make: (context, settings, changed) => new ImagePanel(context, settings, changed),
};
