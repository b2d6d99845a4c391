// SPDX-License-Identifier: Apache-2.0
// All kinds of panels, in the order in which they are offered.
import { actionPanel } from "./actions";
import { batteryPanel } from "./battery";
import { cameraPanel } from "./camera";
import { diagnosticsPanel } from "./diagnostics";
import { drivePanel } from "./drive";
import { fleetPanel } from "./fleet";
import { imagePanel } from "./image";
import { lightPanel } from "./lights";
import { logPanel } from "./log";
import { mapPanel } from "./map";
import { messagePanel } from "./messages-panel";
import { navigationPanel } from "./navigation";
import { nodePanel } from "./nodes";
import { Definition } from "./panel";
import { parameterPanel } from "./parameters";
import { plotPanel } from "./plots";
import { publishPanel } from "./publish";
import { scenePanel } from "./scene";
import { sensorPanel } from "./sensors";
import { servicePanel } from "./services";
import { transformPanel } from "./transforms";

export const definitions: readonly Definition[] = [
  mapPanel, scenePanel, cameraPanel, imagePanel, drivePanel, navigationPanel, sensorPanel, plotPanel, messagePanel, publishPanel, logPanel, diagnosticsPanel, parameterPanel,
  servicePanel, actionPanel, transformPanel, nodePanel, fleetPanel, batteryPanel, lightPanel,
];
