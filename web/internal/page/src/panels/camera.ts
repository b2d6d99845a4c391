// SPDX-License-Identifier: Apache-2.0
// The camera: live video (H.264 by WebRTC) where the robot can, JPEG pictures over the WebSocket elsewhere.
import { Client } from "./client";
import { Fleet } from "./robots";
import { Panel, every, full, h } from "./ui";

export class CameraPanel extends Panel {
  private canvas = h("canvas", { id: "camera", width: 640, height: 480, role: "img", "aria-label": "What the robot's camera sees" });
  private video = h("video", { id: "video", autoplay: true, muted: true, playsinline: true, hidden: true, "aria-label": "Live video of the robot's camera" });
  private note = h("p", { class: "caption", id: "camera-note" }, "No picture yet");
  // What `epuck-driver calibrate camera` wants to see next, as long as it runs.
  private hint = h("p", { id: "calibration-hint", role: "status", hidden: true });
  private hintTopic = "";
  private mode = h("select", { id: "camera-mode", "aria-label": "How pictures travel", onchange: () => this.restart() },
    h("option", { value: "jpeg" }, "JPEG"), h("option", { value: "live" }, "Live (H.264)"), h("option", { value: "off" }, "Off"));
  private frames = 0;
  private last: number | undefined; // performance.now() of the last picture
  private bytes = 0;
  /** shown counts the pictures drawn, for tests. */
  shown = 0;

  constructor(private client: Client, private fleet: Fleet) {
    super("camera", "Camera");
    this.element.append(h("div", { class: "screen" }, this.canvas, this.video), this.hint, h("div", { class: "row" }, this.mode, this.note));
    fleet.addEventListener("chosen", () => this.restart());
    client.on("state", () => this.restart());
    client.on("channels", () => { if (!client.topics.has(this.hintTopic)) this.hint.hidden = true; });
  }

  protected start(): void {
    const robot = this.fleet.chosen?.name;
    this.hint.hidden = true;
    if (robot !== undefined) {
      this.hintTopic = full(robot, "calibration/hint");
      this.keep(this.client.subscribe(this.hintTopic, (m) => { this.hint.textContent = `Calibration: ${m.data}`; this.hint.hidden = false; }));
    }
    if (robot === undefined || this.mode.value === "off") { this.note.textContent = "Off"; this.show(false); return; }
    this.frames = this.bytes = 0;
    if (this.mode.value === "live") { void this.live(robot); return; }
    this.jpeg(robot, "");
  }

  private show(video: boolean): void { this.video.hidden = !video; this.canvas.hidden = video; }

  private jpeg(robot: string, why: string): void {
    this.show(false);
    this.note.textContent = why || "Waiting for a picture";
    this.keep(this.client.subscribe(full(robot, "image_raw/compressed"), (m) => void this.draw(m), { acknowledge: true }));
    this.keep(every(1000, () => {
      const age = this.last === undefined ? 0 : Math.floor((performance.now() - this.last) / 1000);
      this.canvas.classList.toggle("stale", age > 2);
      if (age > 2) this.note.textContent = `No picture for ${age} s`;
      else if (this.frames) this.note.textContent = `${why ? why + ": " : ""}JPEG, ${this.frames} pictures/s, ${Math.round(this.bytes / 1000)} kB/s`;
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
    if (this.client.metadata.live !== robot) { this.jpeg(robot, "No H.264 encoder here"); return; }
    const connection = new RTCPeerConnection({ iceServers: [] }); // no server of others: the robot is on this network
    this.keep(() => connection.close());
    connection.addTransceiver("video", { direction: "recvonly" });
    this.video.muted = true; // or it may not start by itself
    connection.onconnectionstatechange = () => {
      if (connection.connectionState !== "failed" && connection.connectionState !== "disconnected") return;
      connection.close();
      if (this.visible && this.mode.value === "live") { this.halt(); this.jpeg(robot, "The live video ended"); }
    };
    connection.ontrack = (e) => { this.video.srcObject = new MediaStream([e.track]); void this.video.play().catch(() => undefined); this.show(true); this.note.textContent = "Live, H.264"; };
    try {
      await connection.setLocalDescription(await connection.createOffer());
      await gathered(connection);
      const sdp = await this.client.offer(connection.localDescription!.sdp);
      await connection.setRemoteDescription({ type: "answer", sdp });
      this.keep(every(1000, () => void this.rate(connection)));
    } catch (e) {
      connection.close();
      if (this.visible) this.jpeg(robot, `No live video (${(e as Error).message})`);
    }
  }

  private async rate(connection: RTCPeerConnection): Promise<void> {
    for (const s of (await connection.getStats()).values()) {
      if (s.type !== "inbound-rtp" || s.kind !== "video") continue;
      this.note.textContent = `Live, H.264, ${s.framesPerSecond ?? 0} pictures/s, ${Math.round(((s.bytesReceived ?? 0) - this.bytes) / 1000)} kB/s`;
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
