// What happens if the nodes of a pool go silent: a curve for each pool, and a table.
import { el, svg, code, byId, number, count, duration } from "./dom.js";

// showSilence shows for each pool when its pods are evicted.
export function showSilence(model) {
  const { silence, pools } = model.data;
  const latest = Math.max(60, ...silence.flatMap((s) => s.steps.map((step) => step.seconds)));
  byId("view-silence").append(
    el("p", {}, "If all nodes of a pool stopped reporting now: when their pods would be evicted, counted from now, with the settings of a default cluster."),
    silence.length === 0
      ? el("p", {}, "No pods are known to run on a node.")
      : el("div", { class: "pools" }, silence.map((s) => timeline(s, pools[s.pool], latest))),
  );
}

function timeline(s, pool, latest) {
  const name = pool || "(no pool)";
  const caption = count(s.nodes, "node") + ", " + count(s.pods, "pod") + ": " + s.outcomes.map((o) => number(o.pods) + " " + o.name).join(", ") + ".";
  let gone = 0;
  const rows = s.steps.map((step) => {
    gone += step.pods;
    return el("tr", {}, el("td", {}, duration(step.seconds)), el("td", {}, number(step.pods)), el("td", {}, number(gone) + " of " + number(s.pods)));
  });
  return el("section", { class: "pool" },
    el("h3", {}, code(name)),
    el("p", {}, caption),
    s.steps.length > 0 && curve(s, "Pods evicted by time, " + name.slice(0, 100) + ". " + caption, latest),
    s.steps.length > 0 && el("details", {}, el("summary", {}, "In numbers"),
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Evictions, " + name.slice(0, 100) }, el("table", {},
        el("caption", { class: "hidden-text" }, "Evictions by time"),
        el("thead", {}, el("tr", {}, ["after", "pods", "gone by then"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, rows)))),
  );
}

const box = { width: 400, height: 136, left: 44, right: 26, top: 12, bottom: 36 };

// curve draws how many pods are gone after how long. All pools have the same time axis.
function curve(s, label, latest) {
  const tick = [10, 60, 300, 600, 1800, 3600, 4 * 3600, 86400, 7 * 86400].find((t) => latest / t <= 6) || latest;
  const end = Math.ceil(latest / tick) * tick;
  const x = (seconds) => box.left + ((box.width - box.left - box.right) * seconds) / end;
  const y = (pods) => box.height - box.bottom - ((box.height - box.top - box.bottom) * pods) / Math.max(1, s.pods);
  let gone = 0;
  let line = "M" + x(0) + " " + y(0);
  for (const step of s.steps) {
    line += "H" + x(step.seconds).toFixed(1);
    gone += step.pods;
    line += "V" + y(gone).toFixed(1);
  }
  line += "H" + x(end);
  const text = (x, y, anchor, words) => svg("text", { x, y, "text-anchor": anchor }, words);
  const ticks = Array.from({ length: Math.round(end / tick) + 1 }, (_, i) => i * tick);
  return svg("svg", { viewBox: "0 0 " + box.width + " " + box.height, class: "curve", role: "img", "aria-label": label },
    ticks.map((t) => svg("path", { class: "grid", d: "M" + x(t) + " " + y(0) + "V" + y(s.pods) })),
    [0, s.pods].map((n) => [svg("path", { class: "grid", d: "M" + x(0) + " " + y(n) + "H" + x(end) }), text(x(0) - 6, y(n) + 4, "end", number(n))]).flat(),
    svg("path", { class: "area", d: line + "V" + y(0) + "H" + x(0) + "Z" }),
    svg("path", { class: "line", d: line }),
    ticks.filter((_, i) => i % Math.ceil(ticks.length / 5) === 0).map((t) => text(x(t), box.height - 20, "middle", duration(t))),
    text(x(end), box.height - 5, "end", "pods gone, by time since the silence began"),
  );
}
