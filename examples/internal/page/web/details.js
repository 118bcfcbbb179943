// The details of a cell, a row or a column.
import { bright } from "./paint.js";
import { el, code, byId, number, count, pager } from "./dom.js";

// Details shows what is chosen.
export class Details {
  constructor(model, state, choose) {
    Object.assign(this, { model, state, choose, place: byId("details") });
    this.place.addEventListener("keydown", (e) => {
      if (e.key === "Escape") {
        byId("canvas").focus();
      }
    });
  }

  show() {
    const { data } = this.model;
    const row = this.state.index("row", data.rows.length);
    const column = this.state.index("column", data.columns.length);
    this.place.classList.toggle("empty", row < 0 && column < 0);
    const content =
      row >= 0 && column >= 0 ? this.cell(row, column)
      : row >= 0 ? this.row(row)
      : column >= 0 ? this.column(column)
      : [el("h2", {}, "Details"), el("p", { class: "note" }, "Choose a cell to see why pods may or may not go there, and what would help; a row for its pods; a column for its nodes.")];
    this.place.replaceChildren(...content.flat(3).filter(Boolean));
  }

  focus() {
    this.place.focus();
  }

  cell(row, column) {
    const { model } = this;
    const { data } = model;
    const kind = model.kind(row, column);
    const verdict = model.verdict(row, column);
    const runs = model.running(row, column);
    const taints = data.columns[column].taints;
    return [
      el("h2", {}, this.swatch(kind), " " + kind.name),
      el("p", { class: "verdict", dir: "auto" }, model.sentence(row, column)),
      verdict.order && el("p", { class: "note" }, "The order of the tolerations decides: " + verdict.order + "."),
      el("p", {}, count(data.rows[row].pods, "pod") + " with this list, " + count(data.columns[column].nodes, "node") + " with these taints; " + (runs ? count(runs, "pod") + " running there now." : "none of the pods runs there now.")),
      el("h3", {}, "Why"),
      taints.length === 0 ? el("p", {}, "The nodes have no taints.") : el("ul", { class: "reasons" }, taints.map((t) => this.reason(row, t))),
      this.repairs(row, column),
      el("p", { class: "buttons" }, this.link("Pods of the row", row, -1), this.link("Nodes of the column", -1, column)),
    ];
  }

  swatch(kind) {
    const box = el("span", { class: "swatch", "aria-hidden": "true" }, kind.sign);
    box.style.setProperty("--light", kind.light);
    box.style.setProperty("--dark", kind.dark);
    box.style.setProperty("--sign-light", bright(kind.light) ? "#000" : "#fff");
    box.style.setProperty("--sign-dark", bright(kind.dark) ? "#000" : "#fff");
    return box;
  }

  reason(row, taint) {
    const why = this.model.reason(row, taint);
    const sign = !why ? "?" : why.tolerated === 1 ? "✓" : why.tolerated === 2 ? "◷" : "✕";
    return el("li", { dir: "auto" }, el("span", { class: "sign", "aria-hidden": "true" }, sign), el("span", {}, this.model.reasonText(row, taint)));
  }

  // repairs shows what would help, if anything is to be helped.
  repairs(row, column) {
    const content = [...this.repair("To be scheduled there", row, column, false), ...this.repair("To stay there", row, column, true)];
    return content.length > 0 ? content : [el("h3", {}, "What would help"), el("p", {}, "Nothing has to change.")];
  }

  repair(title, row, column, stay) {
    const { model } = this;
    const additions = model.additions(row, column, stay);
    if (additions.add.length === 0) {
      return [];
    }
    const seen = new Set();
    const lines = (note, repair) => {
      const text = repair ? model.repairText(row, repair) : [];
      if (text.length === 0 || seen.has(text.join("\n"))) {
        return [];
      }
      seen.add(text.join("\n"));
      return [el("p", { class: "note" }, note), el("ul", { class: "repair" }, text.map((line) => el("li", { dir: "auto" }, code(line))))];
    };
    return [el("h3", {}, title),
      ...lines("Allowed on pods that exist:", additions),
      ...lines("Or in the manifest, what changes least:", model.correction(row, column, stay)),
      ...lines("Or there, so that nothing tolerated is lost:", model.edit(row, column, stay))];
  }

  link(text, row, column) {
    return el("button", { type: "button", onclick: () => this.choose(row, column, true) }, text);
  }

  row(row) {
    const { data } = this.model;
    const { tolerations, pods, members, groups } = data.rows[row];
    const listed = members.reduce((n, m) => n + (m.count || 1), 0);
    return [
      el("h2", {}, count(pods, "pod") + " with the same tolerations"),
      el("h3", {}, "Tolerations"),
      tolerations.length === 0 ? el("p", {}, "None.") : el("ol", { start: "0", class: "list" }, tolerations.map((t) => el("li", {}, code(data.tolerations[t])))),
      el("h3", {}, "On the nodes"),
      this.sums(data.columns.map((c, i) => [this.model.verdict(row, i).kind, c.nodes]), "node"),
      el("h3", {}, "Namespaces and owners"),
      pager(groups.slice().sort((a, b) => b[2] - a[2]), ([ns, owner, n]) => [number(n) + " × ", code(data.namespaces[ns] || "(no namespace)"), " ", data.owners[owner] ? code(data.owners[owner]) : "(no owner)"]),
      el("h3", {}, "Pods"),
      pager(members, (m) => this.pod(row, m)),
      listed < pods && el("p", { class: "note" }, number(pods - listed) + " more pods are counted, and not listed here."),
    ];
  }

  pod(row, member) {
    const group = this.model.data.rows[row].groups[member.group];
    const namespace = this.model.data.namespaces[group[0]];
    return [
      code((namespace ? namespace + "/" : "") + member.name),
      member.count ? " × " + number(member.count) : "",
      member.column !== undefined && [" ", el("button", { type: "button", class: "small", onclick: () => this.choose(row, member.column, true) }, "on " + this.model.kind(row, member.column).name + " node")],
    ].flat().filter(Boolean);
  }

  column(column) {
    const { data } = this.model;
    const { taints, nodes, members, pools } = data.columns[column];
    const listed = members.reduce((n, m) => n + (m.count || 1), 0);
    return [
      el("h2", {}, count(nodes, "node") + " with the same taints"),
      el("h3", {}, "Taints"),
      taints.length === 0 ? el("p", {}, "None.") : el("ol", { start: "0", class: "list" }, taints.map((t) => el("li", {}, code(data.taints[t].text)))),
      el("h3", {}, "To the pods"),
      this.sums(data.rows.map((r, i) => [this.model.verdict(i, column).kind, r.pods]), "pod"),
      el("h3", {}, "Node pools"),
      pager(pools, ([p, n]) => [number(n) + " × ", code(data.pools[p] || "(no pool)")]),
      el("h3", {}, "Nodes"),
      pager(members, (m) => [code(m.name), m.count ? " × " + number(m.count) : ""]),
      listed < nodes && el("p", { class: "note" }, number(nodes - listed) + " more nodes are counted, and not listed here."),
    ];
  }

  // sums shows how many there are of each kind.
  sums(pairs, what) {
    const { kinds } = this.model.data;
    const totals = kinds.map(() => 0);
    pairs.forEach(([kind, n]) => (totals[kind] += n));
    return el("ul", { class: "plain" }, totals.map((n, i) => n > 0 && el("li", {}, this.swatch(kinds[i]), " " + kinds[i].name + ": " + count(n, what))).filter(Boolean));
  }
}
