// The findings, and what happens if a node pool goes silent.
import { el, code, byId, number, count, duration } from "./dom.js";

// showFindings lists what is remarkable, with links to the row or column.
export function showFindings(model, choose) {
  const { findings } = model.data;
  const rows = findings.map((f) =>
    el("tr", { class: "severity-" + f.severity },
      el("td", {}, el("span", { class: "badge" }, f.severity)),
      el("td", {}, f.id),
      el("td", {}, code(f.object), f.count > 1 ? " and " + number(f.count - 1) + " more" : "", f.field ? el("div", { class: "note" }, f.field) : null),
      el("td", { dir: "auto" }, f.reason, f.fix ? el("div", { class: "note" }, f.fix) : null),
      el("td", {}, f.row !== undefined || f.column !== undefined
        ? el("button", { type: "button", class: "small", "aria-label": "Show " + (f.row !== undefined ? "row" : "column") + " of " + f.object.slice(0, 100), onclick: () => choose(f.row ?? -1, f.column ?? -1, true) }, f.row !== undefined ? "row" : "column")
        : ""),
    ));
  byId("view-findings").append(
    el("p", {}, findings.length === 0 ? "Nothing remarkable." : count(findings.length, "finding") + ", the most severe first."),
    el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Findings" }, el("table", {},
      el("caption", { class: "hidden-text" }, "Findings"),
      el("thead", {}, el("tr", {}, ["severity", "finding", "object", "reason and fix", "where"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, rows))),
  );
}

// showSilence shows for each pool when its pods are evicted.
export function showSilence(model) {
  const { silence, pools } = model.data;
  byId("view-silence").append(
    el("p", {}, "If all nodes of a pool stopped reporting now: when their pods would be evicted, counted from now, with the settings of a default cluster."),
    ...(silence.length === 0 ? [el("p", {}, "No pods are known to run on a node.")] : silence.map((s) => timeline(s, pools[s.pool]))),
  );
}

function timeline(s, pool) {
  const most = Math.max(1, ...s.steps.map((step) => step.seconds));
  let gone = 0;
  const rows = s.steps.map((step) => {
    gone += step.pods;
    const bar = el("span", { class: "bar", "aria-hidden": "true" });
    bar.style.setProperty("--from", (100 * step.seconds) / most + "%");
    bar.style.setProperty("--part", (100 * gone) / Math.max(1, s.pods) + "%");
    return el("tr", {}, el("td", {}, duration(step.seconds)), el("td", {}, number(step.pods)), el("td", {}, number(gone) + " of " + number(s.pods)), el("td", { class: "bars" }, bar));
  });
  return el("section", { class: "pool" },
    el("h3", {}, code(pool || "(no pool)")),
    el("p", {}, count(s.nodes, "node") + ", " + count(s.pods, "pod") + ": " + s.outcomes.map((o) => number(o.pods) + " " + o.name).join(", ") + "."),
    s.steps.length > 0 && el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Evictions, " + (pool || "no pool").slice(0, 100) }, el("table", {},
      el("caption", { class: "hidden-text" }, "Evictions by time"),
      el("thead", {}, el("tr", {}, ["after", "pods", "gone by then", "share of the pool's pods"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, rows))),
  );
}
