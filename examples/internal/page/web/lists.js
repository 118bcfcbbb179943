// The findings.
import { el, code, byId, number, count } from "./dom.js";

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
