// SPDX-License-Identifier: Apache-2.0
// What components of panels use to be drawn again.
import { useEffect, useState } from "preact/hooks";
import { Client } from "../client";

/** useClient draws the component again after events of the connection, at most once a frame. */
export function useClient(client: Client, ...events: string[]): void { useEvents(client, ...events); }

/** useEvents draws the component again after events, at most once a frame. */
export function useEvents(target: EventTarget, ...events: string[]): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    let frame = 0;
    const again = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; setCount((n) => n + 1); }); };
    for (const name of events) target.addEventListener(name, again);
    again(); // an event may have been sent since the component was drawn
    return () => {
      cancelAnimationFrame(frame);
      for (const name of events) target.removeEventListener(name, again);
    };
  }, [target]);
}

/** useDefinition is the definition of a message type, undefined while it is not known. */
export function useDefinition(client: Client, type: string): string | undefined {
  const [known, setKnown] = useState<{ type: string; schema: string }>();
  useEffect(() => {
    let ended = false;
    if (type) client.definition(type).then((schema) => { if (!ended) setKnown({ type, schema }); }, () => undefined);
    return () => { ended = true; };
  }, [type, client.connected]);
  return known?.type === type ? known.schema : undefined;
}

/** usePeriod draws the component again every so many ms. */
export function usePeriod(ms: number): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((n) => n + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
