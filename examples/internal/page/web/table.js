// The table behind the picture: the same rows and columns in words, some at a time.
import { el, code, byId, number } from "./dom.js";

const rowsAtATime = 25;
const columnsAtATime = 8;

// Table shows a part of the view.
export class Table {
  constructor(model, view, state, choose) {
    Object.assign(this, { model, view, state, choose });
    this.box = el("div", {});
    byId("view-table").append(this.box);
  }

  move(down, right) {
    const at = [this.top + down * rowsAtATime, this.left + right * columnsAtATime].join(",");
    this.state.set({ table: at === "0,0" ? "" : at });
  }

  // place finds the first row and column, which the address tells.
  place() {
    const into = (at, n, size) => Math.max(0, Math.min(Math.floor((at || 0) / size), Math.ceil(n / size) - 1)) * size;
    const [top, left] = this.state.get("table").split(",").map(Number);
    this.top = into(top, this.view.rows.length, rowsAtATime);
    this.left = into(left, this.view.columns.length, columnsAtATime);
  }

  show() {
    this.place();
    const { data } = this.model;
    const rows = this.view.rows.slice(this.top, this.top + rowsAtATime);
    const columns = this.view.columns.slice(this.left, this.left + columnsAtATime);
    const button = (text, down, right, off) => el("button", { type: "button", disabled: off, onclick: () => this.move(down, right) }, text);
    const range = (from, part, all, what) => what + " " + number(Math.min(from + 1, all)) + " to " + number(from + part.length) + " of " + number(all);
    this.box.replaceChildren(
      el("p", { role: "status" }, range(this.top, rows, this.view.rows.length, "toleration lists") + ", " + range(this.left, columns, this.view.columns.length, "taint lists")),
      el("p", { class: "buttons" },
        button("↑ rows", -1, 0, this.top === 0), button("↓ rows", 1, 0, this.top + rowsAtATime >= this.view.rows.length),
        button("← columns", 0, -1, this.left === 0), button("→ columns", 0, 1, this.left + columnsAtATime >= this.view.columns.length)),
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Verdicts" }, el("table", { class: "verdicts" },
        el("caption", { class: "hidden-text" }, "What the taints of the columns mean to the pods of the rows"),
        el("thead", {}, el("tr", {}, el("td", {}, "pods, tolerations \\ nodes, taints"), columns.map((c) => el("th", { scope: "col" },
          el("button", { type: "button", class: "small", onclick: () => this.choose(-1, c, true) }, number(data.columns[c].nodes) + " nodes"), code(data.columns[c].brief))))),
        el("tbody", {}, rows.map((r) => el("tr", {},
          el("th", { scope: "row" }, el("button", { type: "button", class: "small", onclick: () => this.choose(r, -1, true) }, number(data.rows[r].pods) + " pods"), code(data.rows[r].brief)),
          columns.map((c) => el("td", {}, el("button", { type: "button", class: "small", onclick: () => this.choose(r, c, true) }, this.model.kind(r, c).name)))))))),
    );
  }
}
