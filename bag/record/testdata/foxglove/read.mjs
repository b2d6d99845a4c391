// SPDX-License-Identifier: Apache-2.0
// Reads an MCAP file with Foxglove's library, by its index and as a stream, and prints what it found as JSON: messages by
// topic, their bytes' sum, and one decoded value. A file that is cut off is read as far as it goes.
import { open } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress } from "fzstd";

const decompressHandlers = { zstd: (data) => decompress(data) };
const [mode, path] = process.argv.slice(2);
const file = await open(path);
const { size } = await file.stat();
const found = { topics: {}, bytes: 0, decoded: {}, profile: "", metadata: {} };
const readers = new Map();

function take(channel, schema, message) {
  const t = (found.topics[channel.topic] ??= { messages: 0, type: schema?.name ?? "", qos: channel.metadata.get("offered_qos_profiles") ?? "", hash: channel.metadata.get("topic_type_hash") ?? "" });
  t.messages++;
  for (const b of message.data) found.bytes = (found.bytes * 31 + b) % 1000000007;
  if (schema?.encoding === "ros2msg") {
    if (!readers.has(channel.id)) readers.set(channel.id, new MessageReader(parse(new TextDecoder().decode(schema.data), { ros2: true })));
    found.decoded[channel.topic] = JSON.stringify(readers.get(channel.id).readMessage(message.data), (_, v) => (typeof v === "bigint" ? Number(v) : v));
  }
}

if (mode === "indexed") {
  const readable = {
    size: async () => BigInt(size),
    read: async (offset, length) => {
      const buffer = new Uint8Array(Number(length));
      await file.read(buffer, 0, Number(length), Number(offset));
      return buffer;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  found.profile = reader.header.profile;
  for await (const m of reader.readMetadata()) found.metadata[m.name] = Object.fromEntries(m.metadata);
  for await (const m of reader.readMessages()) {
    const channel = reader.channelsById.get(m.channelId);
    take(channel, reader.schemasById.get(channel.schemaId), m);
  }
} else {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  const schemas = new Map(), channels = new Map();
  for (let at = 0; at < size; ) {
    const buffer = new Uint8Array(Math.min(64 * 1024, size - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    at += bytesRead;
    reader.append(buffer.subarray(0, bytesRead));
    for (let r; (r = reader.nextRecord()); ) {
      if (r.type === "Header") found.profile = r.profile;
      if (r.type === "Schema") schemas.set(r.id, r);
      if (r.type === "Channel") channels.set(r.id, r);
      if (r.type === "Metadata") found.metadata[r.name] = Object.fromEntries(r.metadata);
      if (r.type === "Message") {
        const channel = channels.get(r.channelId);
        take(channel, schemas.get(channel.schemaId), r);
      }
    }
  }
}
await file.close();
console.log(JSON.stringify(found));
