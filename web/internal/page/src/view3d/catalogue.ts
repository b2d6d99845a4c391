// SPDX-License-Identifier: Apache-2.0
// Which layers there are: by the types of the topics of the chosen robot and of those that belong to none.
import { Layer, MarkerLayer, Stage } from "./layer";
import { GridLayer, PathLayer, PointLayer, PoseLayer, RangeLayer } from "./layers";
import { PictureLayer } from "./pictures";

/** Offer is a layer that can be shown. */
export interface Offer { key: string; title: string; on: boolean; make: (stage: Stage) => Layer }

type Make = (stage: Stage, topic: string) => Layer;

/** kinds are the layers by the type of a topic, and whether they are shown unless a person says otherwise. */
const kinds: Record<string, { on: boolean; make: Make }> = {
  "nav_msgs/msg/OccupancyGrid": { on: true, make: (s, t) => new GridLayer(s, t) },
  "nav_msgs/msg/Path": { on: true, make: (s, t) => new PathLayer(s, t, false) },
  "geometry_msgs/msg/PolygonStamped": { on: true, make: (s, t) => new PathLayer(s, t, true) },
  "geometry_msgs/msg/PoseStamped": { on: true, make: (s, t) => new PoseLayer(s, t) },
  "geometry_msgs/msg/PoseWithCovarianceStamped": { on: true, make: (s, t) => new PoseLayer(s, t) },
  "geometry_msgs/msg/PoseArray": { on: true, make: (s, t) => new PoseLayer(s, t) },
  "sensor_msgs/msg/LaserScan": { on: true, make: (s, t) => new PointLayer(s, t, true) },
  "sensor_msgs/msg/PointCloud2": { on: true, make: (s, t) => new PointLayer(s, t, false) },
  "visualization_msgs/msg/MarkerArray": { on: true, make: (s, t) => new MarkerLayer(s, t, true) },
  "visualization_msgs/msg/Marker": { on: true, make: (s, t) => new MarkerLayer(s, t, false) },
  "sensor_msgs/msg/Image": { on: false, make: (s, t) => new PictureLayer(s, t, false) },
  "sensor_msgs/msg/CompressedImage": { on: false, make: (s, t) => new PictureLayer(s, t, true) },
};

const ranges = "sensor_msgs/msg/Range";

/** offers are the layers for some topics: those below the namespaces of other robots than the chosen one are left out. */
export function offers(topics: Iterable<{ topic: string; schemaName: string }>, robots: Iterable<string>, chosen: string | undefined): Offer[] {
  const others = new Set([...robots].filter((r) => r !== chosen && r !== "/"));
  const all: Offer[] = [], cones: string[] = [];
  for (const { topic, schemaName } of topics) {
    if (others.has(topic.slice(0, topic.indexOf("/", 1))) || topic.endsWith("/outline")) continue;
    const own = chosen !== undefined && chosen !== "/" && topic.startsWith(chosen + "/");
    const title = own ? topic.slice(chosen.length + 1) : topic;
    if (schemaName === ranges) { cones.push(topic); continue; }
    const kind = kinds[schemaName];
    if (kind) all.push({ key: topic, title, on: kind.on, make: (s) => kind.make(s, topic) });
  }
  if (cones.length) all.push({ key: "ranges " + cones.sort().join(" "), title: "ranges", on: true, make: (s) => new RangeLayer(s, cones) });
  return all.sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
}
