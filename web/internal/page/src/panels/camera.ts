// SPDX-License-Identifier: Apache-2.0
// The camera: live video (H.264 by WebRTC) where the robot can, JPEG pictures over the WebSocket elsewhere.
import { robotDescription } from "../description";
import { t } from "../texts";
import { every, full, h } from "../ui";
import { Context, Definition, Panel, choice } from "./panel";

type Mode = "jpeg" | "live" | "off";

interface CameraSettings { mode: Mode }

class CameraPanel extends Panel {
  private client = this.context.client;
  private fleet = this.context.fleet;
  private canvas = h("canvas", { class: "camera", id: this.context.key === "camera" ? "camera" : this.context.id("canvas"), width: 640, height: 480, role: "img", "aria-label": t("camera.label") });
  private video = h("video", { class: "camera", id: this.context.key === "camera" ? "video" : this.context.id("video"), autoplay: true, muted: true, playsinline: true, hidden: true, "aria-label": t("camera.live") });
  private note = h("p", { class: "caption", id: this.context.id("note") }, t("camera.none"));
  // What `epuck-driver calibrate camera` wants to see next, as long as it runs.
  private hint = h("p", { class: "hint", id: this.context.key === "camera" ? "calibration-hint" : this.context.id("hint"), role: "status", hidden: true });
  private hintTopic = "";
  private mode = h("select", { id: this.context.id("mode"), "aria-label": t("camera.mode"), onchange: () => { this.changed({ mode: this.mode.value as Mode }); this.restart(); } },
    h("option", { value: "jpeg" }, "JPEG"), h("option", { value: "live" }, t("camera.h264")), h("option", { value: "off" }, t("camera.off")));
  private frames = 0;
  private last: number | undefined; // performance.now() of the last picture
  private bytes = 0;
  /** shown counts the pictures drawn, for tests. */
  shown = 0;

  constructor(context: Context, settings: CameraSettings, private changed: (s: CameraSettings) => void) {
    super(context, "camera.title");
    this.mode.value = settings.mode;
    this.element.append(h("div", { class: "screen" }, this.canvas, this.video), this.hint, h("div", { class: "row" }, this.mode, this.note));
    this.fleet.addEventListener("chosen", () => this.restart(), { signal: this.signal });
    this.client.on("state", () => this.restart(), this.signal);
    this.client.on("channels", () => { if (!this.client.topics.has(this.hintTopic)) this.hint.hidden = true; }, this.signal);
  }

  protected start(): void {
    const robot = this.fleet.chosen?.name;
    this.hint.hidden = true;
    if (robot !== undefined) {
      this.hintTopic = full(robot, robotDescription.cameraHint);
      this.keep(this.client.subscribe(this.hintTopic, (m) => { this.hint.textContent = t("camera.calibration", { text: m.data }); this.hint.hidden = false; }));
    }
    if (robot === undefined || this.mode.value === "off") { this.note.textContent = t("camera.off"); this.show(false); return; }
    this.frames = this.bytes = 0;
    if (this.mode.value === "live") { void this.live(robot); return; }
    this.jpeg(robot, "");
  }

  private show(video: boolean): void { this.video.hidden = !video; this.canvas.hidden = video; }

  private jpeg(robot: string, why: string): void {
    this.show(false);
    this.note.textContent = why || t("camera.waiting");
    this.keep(this.client.subscribe(full(robot, robotDescription.camera), (m) => void this.draw(m), { acknowledge: true }));
    this.keep(every(1000, () => {
      const age = this.last === undefined ? 0 : Math.floor((performance.now() - this.last) / 1000);
      this.canvas.classList.toggle("stale", age > 2);
      if (age > 2) this.note.textContent = t("camera.old", { count: age });
      else if (this.frames) this.note.textContent = (why ? why + ": " : "") + t("camera.rate", { kind: "JPEG", rate: this.frames, bytes: Math.round(this.bytes / 1000) });
      this.frames = this.bytes = 0;
    }));
  }

  private async draw(m: any): Promise<void> {
    this.frames++;
    this.bytes += m.data.length;
    const bitmap = await createImageBitmap(new Blob([m.data], { type: "image/jpeg" })).catch(() => undefined);
    if (!bitmap) return;
    if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) { this.canvas.width = bitmap.width; this.canvas.height = bitmap.height; }
    this.canvas.getContext("2d")!.drawImage(bitmap, 0, 0);
    this.last = performance.now();
    bitmap.close();
    this.shown++;
    this.canvas.dataset.shown = String(this.shown);
  }

  private async live(robot: string): Promise<void> {
    if (this.client.metadata.live !== robot) { this.jpeg(robot, t("camera.noEncoder")); return; }
    const connection = new RTCPeerConnection({ iceServers: [] }); // no server of others: the robot is on this network
    this.keep(() => connection.close());
    connection.addTransceiver("video", { direction: "recvonly" });
    this.video.muted = true; // or it may not start by itself
    connection.onconnectionstatechange = () => {
      if (connection.connectionState !== "failed" && connection.connectionState !== "disconnected") return;
      connection.close();
      if (this.visible && this.mode.value === "live") { this.halt(); this.jpeg(robot, t("camera.ended")); }
    };
    connection.ontrack = (e) => { this.video.srcObject = new MediaStream([e.track]); void this.video.play().catch(() => undefined); this.show(true); this.note.textContent = t("camera.isLive"); };
    try {
      await connection.setLocalDescription(await connection.createOffer());
      await gathered(connection);
      const sdp = await this.client.offer(connection.localDescription!.sdp);
      await connection.setRemoteDescription({ type: "answer", sdp });
      this.keep(every(1000, () => void this.rate(connection)));
    } catch (e) {
      connection.close();
      if (this.visible) this.jpeg(robot, t("camera.failed", { reason: (e as Error).message }));
    }
  }

  private async rate(connection: RTCPeerConnection): Promise<void> {
    for (const s of (await connection.getStats()).values()) {
      if (s.type !== "inbound-rtp" || s.kind !== "video") continue;
      this.note.textContent = t("camera.rate", { kind: t("camera.isLive"), rate: s.framesPerSecond ?? 0, bytes: Math.round(((s.bytesReceived ?? 0) - this.bytes) / 1000) });
      this.bytes = s.bytesReceived ?? 0;
    }
  }
}

/** gathered waits until all addresses of this side are in its description. */
function gathered(c: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    if (c.iceGatheringState === "complete") { resolve(); return; }
    const timer = setTimeout(resolve, 2000);
    c.addEventListener("icegatheringstatechange", () => { if (c.iceGatheringState === "complete") { clearTimeout(timer); resolve(); } });
  });
}

export const cameraPanel: Definition<CameraSettings> = {
  id: "camera", title: "camera.title", about: "camera.about", size: [3, 9], settings: { mode: choice<Mode>("jpeg", "live", "off") },
  make: (context, settings, changed) => new CameraPanel(context, settings, changed),
};
