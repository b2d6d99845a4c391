// SPDX-License-Identifier: Apache-2.0

// The peer on Foxglove's RTPS: the commands and events of ../common/main.c, as
// far as the library goes. It only subscribes.
//
//   node peer.mjs DOMAIN [ADDRESS]

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { Participant, Durability, HistoryKind, Reliability } = require("@foxglove/rtps");
const { UdpSocketNode } = require("@foxglove/rtps/nodejs");

const typeNames = { string: "std_msgs::msg::dds_::String_", blob: "interop::msg::dds_::Blob_" };

const readers = new Map(); // by DDS topic
const writers = new Map(); // how many of others there are, by DDS topic

const tell = (event) => process.stdout.write(JSON.stringify(event) + "\n");

const patternByte = (n, i) => (i * 31 + (i >> 8) * 7 + (i >> 16) * 3 + n * 13) & 0xff;

// What report_string and report_blob tell of a little-endian payload.
function content(kind, payload) {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (kind === "string") {
    const length = view.getUint32(4, true);
    return { data: Buffer.from(payload.subarray(8, 8 + length - 1)).toString("utf8") };
  }
  const number = view.getUint32(4, true);
  const size = view.getUint32(8, true);
  let wrong = Math.max(0, size - (payload.length - 12));
  for (let i = 0; i < size - wrong; i++) {
    wrong += payload[12 + i] === patternByte(number, i) ? 0 : 1;
  }
  return { number, size, wrong };
}

// The library has no name of its own for "reader of this endpoint": readers are known by their topic.
function subscribe(participant, [id, kind, topic, reliability, durability, depth]) {
  if (!(kind in typeNames)) {
    throw new Error(`unknown kind ${kind}`);
  }
  const reader = { id, kind, received: 0, matched: 0, seen: new Set() };
  readers.set(topic, reader);
  match(topic);
  participant.subscribe({
    topicName: topic,
    typeName: typeNames[kind],
    durability: durability === "transient_local" ? Durability.TransientLocal : Durability.Volatile,
    reliability: {
      kind: reliability === "reliable" ? Reliability.Reliable : Reliability.BestEffort,
      maxBlockingTime: { sec: 0, nsec: 100000000 },
    },
    history: { kind: HistoryKind.KeepLast, depth: Number(depth) },
  });
}

function match(topic) {
  const reader = readers.get(topic);
  if (reader && writers.get(topic)) {
    reader.matched = writers.get(topic).size;
    tell({ event: "matched", id: reader.id, current: reader.matched });
  }
}

function find(id) {
  for (const [topic, reader] of readers) {
    if (reader.id === id) {
      return [topic, reader];
    }
  }
  throw new Error(`no such endpoint ${id}`);
}

function stats(id) {
  const [, r] = find(id);
  tell({ event: "stats", id, received: r.received, lost: 0, current: r.matched, written: 0 });
}

function execute(participant, line) {
  const [command, ...words] = line.split(" ");
  try {
    if (command === "reader") {
      subscribe(participant, words);
    } else if (command === "stats") {
      stats(words[0]);
    } else {
      throw new Error("unknown command");
    }
    tell({ event: "done", command, id: words[0] });
  } catch (error) {
    tell({ event: "error", what: line, detail: String(error) });
  }
}

const address = process.argv[3] ?? "127.0.0.1";
const participant = new Participant({
  name: "peer",
  domainId: Number(process.argv[2]),
  addresses: [address],
  udpSocketCreate: UdpSocketNode.Create,
});
participant.on("error", (error) => tell({ event: "error", what: "participant", detail: String(error) }));
participant.on("discoveredPublication", (endpoint) => {
  const known = writers.get(endpoint.topicName) ?? new Set();
  writers.set(endpoint.topicName, known.add(`${endpoint.guidPrefix} ${endpoint.entityId}`));
  match(endpoint.topicName);
});
// The library hands on what was sent again a second time, and what comes out of order as it comes.
participant.on("userData", ({ subscription, publication, writerSeqNumber, serializedData }) => {
  const reader = readers.get(publication?.topicName ?? subscription?.topicName);
  if (reader && !reader.seen.has(writerSeqNumber)) {
    reader.seen.add(writerSeqNumber);
    reader.received++;
    tell({ event: "sample", id: reader.id, n: reader.received, ...content(reader.kind, serializedData) });
  }
});
await participant.start();
tell({ event: "done", command: "open", id: "" });
for await (const line of createInterface({ input: process.stdin })) {
  execute(participant, line);
}
await participant.shutdown();
process.exit(0);
