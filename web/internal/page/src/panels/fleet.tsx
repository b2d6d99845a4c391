// SPDX-License-Identifier: Apache-2.0
// The panel of all robots: the battery of each, how old its odometry is, who drives it, and its camera.
import { useEffect, useRef, useState } from "preact/hooks";
import { Robot } from "../robots";
import { full } from "../ui";
import { useClient, usePeriod } from "./hooks";
import { Props, component } from "./panel";

const most = 40; // robots that are shown at once
const silent = 1; // s without odometry

function FleetBody({ context, settings }: Props) {
  const { client, fleet } = context;
  useClient(client, "control", "state", "channels");
  usePeriod(1000);
  const [text, setText] = useState(""), [cameras, setCameras] = useState(settings.text("cameras") === "on");
  const all = [...fleet.robots.values()].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const found = all.filter((r) => r.title.toLowerCase().includes(text.toLowerCase()));
  return <>
    <div class="row">
      <input type="search" id="fleet-filter" placeholder="robot" aria-label="Filter robots" value={text} onInput={(e) => setText(e.currentTarget.value)} />
      <label><input type="checkbox" id="fleet-cameras" checked={cameras} onChange={(e) => { setCameras(e.currentTarget.checked); settings.set("cameras", e.currentTarget.checked ? "on" : ""); }} /> Cameras</label>
      <span class="caption" id="fleet-count" role="status">{`${found.length} of ${all.length} robots${found.length > most ? `, the first ${most} are shown` : ""}`}</span>
    </div>
    {all.length === 0 && client.connected && <p id="fleet-none">No robot yet. <code>epuck-driver sim</code> simulates one, <code>epuck-driver run</code> starts the driver on one; both must use
      the same <code>ROS_DOMAIN_ID</code> as this server.</p>}
    <div class="robots" id="fleet-list">{found.slice(0, most).map((r) => <One key={r.name} robot={r} context={context} camera={cameras} />)}</div>
  </>;
}

/** One is a robot. */
function One({ robot, context: { client, fleet }, camera }: { robot: Robot; context: Props["context"]; camera: boolean }) {
  const [battery, setBattery] = useState<{ voltage: number; share: number }>();
  const seen = useRef<number>();
  useEffect(() => {
    const stops = [
      client.subscribe(full(robot.name, "battery_state"), (m) => setBattery({ voltage: m.voltage, share: m.percentage }), { period: 1000 }),
      client.subscribe(full(robot.name, "odom"), () => { seen.current = performance.now(); }, { period: 250 }),
    ];
    return () => { for (const stop of stops) stop(); };
  }, [robot]);
  const age = seen.current === undefined ? undefined : (performance.now() - seen.current) / 1000;
  const held = client.control.find((c) => c.robot === robot.name), lost = age === undefined || age > silent;
  return <article class={lost ? "robot lost" : "robot"} data-robot={robot.name} aria-label={robot.title}>
    <button type="button" aria-pressed={robot === fleet.chosen} onClick={() => fleet.choose(robot.name)}>{robot.title}</button>
    <span data-what="age">{age === undefined ? "no odometry yet" : lost ? `silent for ${Math.round(age)} s` : "active"}</span>
    <span data-what="battery">{battery ? `${battery.voltage.toFixed(2)} V${Number.isFinite(battery.share) ? `, ${Math.round(100 * battery.share)} %` : ""}` : "no battery reading"}</span>
    <span data-what="driver">{held ? (held.you ? "you drive" : `${held.driver} drives`) : "no viewer drives"}</span>
    {camera && <Picture robot={robot} client={client} />}
  </article>;
}

/** Picture shows a robot's camera once a second. */
function Picture({ robot, client }: { robot: Robot; client: Props["context"]["client"] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let ended = false;
    const stop = client.subscribe(full(robot.name, "image_raw/compressed"), (m) => {
      void createImageBitmap(new Blob([m.data])).then((b) => {
        const c = canvas.current;
        if (c && !ended) {
          if (c.width !== b.width || c.height !== b.height) { c.width = b.width; c.height = b.height; }
          c.getContext("2d")!.drawImage(b, 0, 0);
          c.dataset.shown = String(Number(c.dataset.shown ?? 0) + 1);
        }
        b.close();
      }, () => undefined); // no picture that the browser knows: the last one stays
    }, { period: 1000, acknowledge: true });
    return () => { ended = true; stop(); };
  }, [robot]);
  return <canvas ref={canvas} role="img" aria-label={`Camera of ${robot.title}`} width={160} height={120} />;
}

export const fleetPanel = component("fleet", "All robots", FleetBody);
