// SPDX-License-Identifier: Apache-2.0
// What components of panels use to be drawn anew.
import { useEffect, useState } from "preact/hooks";
import { Client } from "../client";

/** useClient draws the component anew after events of the connection, at most once a frame. */
export function useClient(client: Client, ...events: string[]): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    let frame = 0;
    const again = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; setCount((n) => n + 1); }); };
    for (const name of events) client.addEventListener(name, again);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of events) client.removeEventListener(name, again);
    };
  }, [client]);
}

/** usePeriod draws the component anew every so many ms. */
export function usePeriod(ms: number): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((n) => n + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
}
