// SPDX-License-Identifier: Apache-2.0
// The panel of navigation: state, goal, what is left, recoveries, and why it failed.
import { Key, t } from "../texts";
import { every, fixed, h } from "../ui";
import { Context, Definition, Panel } from "./panel";

/** stateText is the state of a goal in the language of the page. */
const stateText = (state: string): string => t(`navigation.state.${state}` as Key);

class NavigationPanel extends Panel {
  private navigation = this.context.navigation;
  private state = h("p", { id: this.context.id("state"), role: "status" });
  private rows = h("dl", { class: "facts", id: this.context.id("facts") });
  private stop = h("button", { type: "button", id: this.context.id("cancel"), onclick: () => void this.navigation.cancel() }, t("navigation.cancel"));

  constructor(context: Context) {
    super(context, "navigation.title");
    this.element.append(this.state, this.rows, h("div", { class: "row" }, this.stop));
    this.navigation.addEventListener("changed", () => { if (this.visible) this.show(); }, { signal: this.signal });
  }

  protected start(): void { this.keep(every(500, () => this.show())); }

  private show(): void {
    const n = this.navigation, text = n.state ? `${n.node ?? t("navigation.title")}: ${stateText(n.state)}` : n.node ? t("navigation.noGoal", { node: n.node }) : t("navigation.none");
    if (this.state.textContent !== text) this.state.textContent = text;
    const rows: [string, string][] = [];
    if (n.goal) rows.push([t("navigation.goal"), t("navigation.at", { x: fixed(n.goal.x, 2), y: fixed(n.goal.y, 2), frame: n.goal.frame })]);
    if (n.remaining !== undefined) rows.push([t("navigation.left"), `${fixed(n.remaining, 2)} m`]);
    if (n.elapsed !== undefined) rows.push([t("navigation.time"), `${fixed(n.elapsed, 1)} s`]);
    if (n.state) rows.push([t("navigation.recoveries"), String(n.recoveries)]);
    if (n.reason) rows.push([t("navigation.reason"), n.reason]);
    const key = JSON.stringify(rows);
    if (this.rows.dataset.key !== key) {
      this.rows.dataset.key = key;
      this.rows.replaceChildren(...rows.flatMap(([a, b]) => [h("dt", {}, a), h("dd", {}, b)]));
    }
    this.stop.hidden = !n.active || !n.offered;
    this.stop.disabled = this.context.client.metadata.role === "view";
  }
}

export const navigationPanel: Definition<object> = {
  id: "navigation", title: "navigation.title", about: "navigation.about", size: [4, 7], settings: {}, make: (context) => new NavigationPanel(context),
};
