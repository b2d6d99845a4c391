// SPDX-License-Identifier: Apache-2.0
// The connection: Foxglove's WebSocket protocol with the messages of "epuck.v1". It comes back by itself.
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";

export interface Channel { id: number; topic: string; schemaName: string; schema: string }
export interface Service { id: number; name: string; type: string; request: { schema: string }; response: { schema: string } }
export interface Held { robot: string; driver: string; you: boolean }
export interface SubscribeOptions { period?: number; acknowledge?: boolean }
/** Listener takes a message with the time of its arrival at the server (s) and its size (bytes). */
export type Listener = (message: any, time: number, bytes: number) => void;

interface Want { topic: string; listener: Listener; options: SubscribeOptions; id: number; channel?: number }
interface Call { resolve: (v: any) => void; reject: (e: Error) => void }

const waits = [300, 600, 1200, 2500, 5000]; // ms between attempts
const decoder = new TextDecoder();
const encoder = new TextEncoder();

export class Client extends EventTarget {
  readonly channels = new Map<number, Channel>();
  readonly topics = new Map<string, Channel>();
  readonly services = new Map<string, Service>();
  readonly subscribed = new Map<string, { type: string; nodes: string[] }>(); // topics that nodes listen to
  readonly publishers = new Map<string, string[]>(); // nodes that publish a topic
  readonly metadata: Record<string, string> = {};
  control: Held[] = [];
  connected = false;
  lost: number | undefined; // performance.now() of the end of the last connection
  recorded = false; // the server plays a recording
  refused = "";
  simTime: number | undefined;
  received = 0;

  private socket: WebSocket | undefined;
  private wants = new Map<number, Want>();
  private readers = new Map<string, MessageReader<any>>();
  private published = new Map<string, number>();
  private calls = new Map<number, Call>();
  private offers = new Map<string, Call>();
  private descriptions = new Map<number, Call>();
  private definitions = new Map<string, Promise<string>>(); // by types that no channel has
  private assets = new Map<number, Call>();
  private last = 0;
  private attempt = 0;

  constructor(private url: string, private token: string) { super(); }

  connect(): void {
    if (!/^[\w.~+-]*$/.test(this.token)) return this.refuse("wrong"); // no sub-protocol can carry it
    const protocols = ["epuck.v1"];
    if (this.token) protocols.push("token." + this.token);
    const s = new WebSocket(this.url, protocols);
    s.binaryType = "arraybuffer";
    s.onmessage = (e) => (typeof e.data === "string" ? this.text(JSON.parse(e.data)) : this.binary(e.data));
    s.onclose = (e) => this.closed(s, e);
    this.socket = s;
  }

  /** use connects with another token. */
  use(token: string): void { this.token = token; this.attempt = 0; this.refused = ""; this.notify("state"); this.connect(); }

  /** why asks the server why it refused the connection: the browser does not report it. It returns "" if it was not the token. */
  private async why(): Promise<string> {
    try {
      const answer = await fetch("access", { headers: this.token ? { Authorization: "Bearer " + this.token } : {}, cache: "no-store" });
      const { token } = await answer.json();
      return token === "missing" || token === "wrong" ? token : "";
    } catch { return ""; } // the server is not there
  }

  /** refuse asks for a token, and ends the attempts until there is one. */
  private refuse(why: string): void {
    this.refused = why;
    this.notify("state");
    this.dispatchEvent(new CustomEvent("access", { detail: why }));
  }

  /** stop closes the connection for good. */
  stop(): void { const s = this.socket; this.socket = undefined; s?.close(); }

  private async closed(s: WebSocket, e: CloseEvent): Promise<void> {
    if (this.socket !== s) return;
    const was = this.connected;
    if (was) this.lost = performance.now();
    this.connected = false;
    this.refused = e.reason;
    this.channels.clear(); this.topics.clear(); this.services.clear(); this.subscribed.clear(); this.publishers.clear(); this.published.clear();
    this.control = [];
    for (const w of this.wants.values()) w.channel = undefined;
    for (const c of [...this.calls.values(), ...this.offers.values(), ...this.assets.values(), ...this.descriptions.values()]) c.reject(new Error("connection lost"));
    this.calls.clear(); this.offers.clear(); this.assets.clear(); this.descriptions.clear();
    if (was) this.attempt = 0;
    for (const name of ["state", "channels", "services", "graph", "control"]) this.notify(name);
    const why = was ? "" : await this.why();
    if (this.socket !== s) return;
    if (why) return this.refuse(why);
    setTimeout(() => { if (this.socket === s) this.connect(); }, waits[Math.min(this.attempt++, waits.length - 1)]);
  }

  private notify(name: string): void { this.dispatchEvent(new Event(name)); }

  /** on calls f after an event of a name, until the signal ends it. */
  on(name: string, f: () => void, signal?: AbortSignal): void { this.addEventListener(name, f, { signal }); }

  private text(m: any): void {
    switch (m.op) {
      case "serverInfo":
        Object.assign(this.metadata, m.metadata);
        this.recorded = m.dataStartTime !== undefined;
        this.connected = true; this.attempt = 0; this.refused = "";
        this.send({ op: "subscribeConnectionGraph" });
        this.notify("state");
        break;
      case "advertise":
        for (const c of m.channels as Channel[]) { this.channels.set(c.id, c); this.topics.set(c.topic, c); }
        this.renew();
        this.notify("channels");
        break;
      case "unadvertise":
        for (const id of m.channelIds as number[]) {
          const c = this.channels.get(id);
          this.channels.delete(id);
          if (c && this.topics.get(c.topic) === c) this.topics.delete(c.topic);
          for (const w of this.wants.values()) if (w.channel === id) w.channel = undefined;
        }
        this.renew();
        this.notify("channels");
        break;
      case "advertiseServices":
        for (const s of m.services as Service[]) this.services.set(s.name, s);
        this.notify("services");
        break;
      case "unadvertiseServices":
        for (const [name, s] of this.services) if (m.serviceIds.includes(s.id)) this.services.delete(name);
        this.notify("services");
        break;
      case "connectionGraphUpdate":
        for (const t of m.subscribedTopics) {
          if (t.subscriberIds?.length) this.subscribed.set(t.name, { type: t.type ?? "", nodes: t.subscriberIds });
          else this.subscribed.delete(t.name);
        }
        for (const t of m.publishedTopics) this.publishers.set(t.name, t.publisherIds ?? []);
        for (const name of m.removedTopics) { this.subscribed.delete(name); this.publishers.delete(name); }
        this.notify("graph");
        break;
      case "control": this.control = m.robots; this.notify("control"); break;
      case "status": this.dispatchEvent(new CustomEvent("status", { detail: m })); break;
      case "serviceCallFailure": this.take(this.calls, m.callId)?.reject(new Error(m.message)); break;
      case "description":
        if (m.error) this.take(this.descriptions, m.id)?.reject(new Error(m.error));
        else this.take(this.descriptions, m.id)?.resolve(m.schema);
        break;
      case "live":
        if (m.error) this.take(this.offers, m.id)?.reject(new Error(m.error));
        else this.take(this.offers, m.id)?.resolve(m.sdp);
        break;
    }
  }

  private take<K>(calls: Map<K, Call>, id: K): Call | undefined {
    const c = calls.get(id);
    calls.delete(id);
    return c;
  }

  private binary(data: ArrayBuffer): void {
    const view = new DataView(data);
    this.received += data.byteLength;
    switch (view.getUint8(0)) {
      case 1: {
        const w = this.wants.get(view.getUint32(1, true));
        const c = w?.channel === undefined ? undefined : this.channels.get(w.channel);
        if (!w || !c) return;
        const time = Number(view.getBigUint64(5, true)) / 1e9;
        try {
          w.listener(this.reader(c.schemaName, c.schema).readMessage(new Uint8Array(data, 13)), time, data.byteLength - 13);
        } finally {
          if (w.options.acknowledge) this.send({ op: "acknowledge", subscriptionId: w.id });
        }
        break;
      }
      case 2: this.simTime = Number(view.getBigUint64(1, true)) / 1e9; break;
      case 3: {
        const n = view.getUint32(9, true);
        this.take(this.calls, view.getUint32(5, true))?.resolve(JSON.parse(decoder.decode(new Uint8Array(data, 13 + n))));
        break;
      }
      case 4: {
        const c = this.take(this.assets, view.getUint32(1, true)), n = view.getUint32(6, true);
        if (view.getUint8(5) !== 0) c?.reject(new Error(decoder.decode(new Uint8Array(data, 10, n))));
        else c?.resolve(data.slice(10 + n));
        break;
      }
    }
  }

  private reader(name: string, schema: string): MessageReader<any> {
    let r = this.readers.get(name + schema);
    if (!r) {
      r = new MessageReader(parse(schema, { ros2: true }));
      this.readers.set(name + schema, r);
    }
    return r;
  }

  send(m: object): void { if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(m)); }

  /** buffered returns the number of bytes that are not sent yet. */
  get buffered(): number { return this.socket?.bufferedAmount ?? 0; }

  /** subscribe calls listener with each message of a topic, whenever the topic exists, until the function returned is called. */
  subscribe(topic: string, listener: Listener, options: SubscribeOptions = {}): () => void {
    const w: Want = { topic, listener, options, id: ++this.last };
    this.wants.set(w.id, w);
    this.begin([w]);
    return () => {
      this.wants.delete(w.id);
      if (w.channel !== undefined) this.send({ op: "unsubscribe", subscriptionIds: [w.id] });
    };
  }

  private renew(): void { this.begin([...this.wants.values()].filter((w) => w.channel === undefined)); }

  private begin(wants: Want[]): void {
    const list = [];
    for (const w of wants) {
      const c = this.topics.get(w.topic);
      if (!c) continue;
      w.channel = c.id;
      list.push({ id: w.id, channelId: c.id, ...w.options });
    }
    if (list.length) this.send({ op: "subscribe", subscriptions: list });
  }

  /** publish sends a message as JSON. */
  publish(topic: string, type: string, message: object): void {
    let id = this.published.get(topic);
    if (id === undefined) {
      id = ++this.last;
      this.published.set(topic, id);
      this.send({ op: "advertise", channels: [{ id, topic, encoding: "json", schemaName: type }] });
    }
    const body = encoder.encode(JSON.stringify(message));
    const data = new Uint8Array(5 + body.length);
    data[0] = 1;
    new DataView(data.buffer).setUint32(1, id, true);
    data.set(body, 5);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(data);
  }

  /** call calls a service. */
  call(name: string, request: object): Promise<any> {
    const s = this.services.get(name);
    if (!s || this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error(`no service ${name}`));
    const id = ++this.last, body = encoder.encode(JSON.stringify(request));
    const data = new Uint8Array(17 + body.length), view = new DataView(data.buffer);
    data[0] = 2;
    view.setUint32(1, s.id, true); view.setUint32(5, id, true); view.setUint32(9, 4, true);
    data.set(encoder.encode("json"), 13);
    data.set(body, 17);
    this.socket.send(data);
    return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
  }

  /** asset asks for a file of a ROS package, as in package://NAME/PATH. */
  asset(uri: string): Promise<ArrayBuffer> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("no connection"));
    const requestId = ++this.last;
    this.send({ op: "fetchAsset", uri, requestId });
    return new Promise((resolve, reject) => this.assets.set(requestId, { resolve, reject }));
  }

  /** definition returns the definition of a message type: of a topic, else the server's. */
  definition(type: string): Promise<string> {
    for (const c of this.channels.values()) if (c.schemaName === type) return Promise.resolve(c.schema);
    let known = this.definitions.get(type);
    if (!known) {
      if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("no connection"));
      const id = ++this.last;
      this.send({ op: "describe", id, type });
      known = new Promise<string>((resolve, reject) => this.descriptions.set(id, { resolve, reject }));
      this.definitions.set(type, known);
      known.catch(() => this.definitions.delete(type));
    }
    return known;
  }

  /** offer asks for live video and returns the answer's SDP. */
  offer(sdp: string): Promise<string> {
    const id = String(++this.last);
    this.send({ op: "offer", id, sdp });
    return new Promise((resolve, reject) => this.offers.set(id, { resolve, reject }));
  }
}
