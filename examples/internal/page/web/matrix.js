// The matrix: a canvas over a scrolled area, of which it shows what is in sight.
import { byId } from "./dom.js";
import { Painter, compact } from "./paint.js";
import { followPointer } from "./pointer.js";

const cellMost = 36; // pixels

// Matrix turns clicks and keys into choices: choose(row, column, focus) is called for a
// cell, and for a row or column alone with -1 in place of the other.
export class Matrix {
  constructor(model, view, state, choose) {
    Object.assign(this, { model, view, state, choose });
    this.canvas = byId("canvas");
    this.scroller = byId("scroller");
    this.spacer = byId("spacer");
    this.cursor = { x: 0, y: 0 }; // places in the view
    this.painter = new Painter(this);
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.canvas.addEventListener("keydown", (e) => this.key(e));
    this.canvas.addEventListener("focus", () => this.later());
    this.canvas.addEventListener("blur", () => this.later());
    followPointer(this);
    new ResizeObserver(() => this.layout()).observe(this.scroller);
  }

  // refresh takes over another order or choice of rows and columns, or other colours.
  refresh() {
    const { rows, columns } = this.view;
    this.cursor.x = Math.max(0, Math.min(this.cursor.x, columns.length - 1));
    this.cursor.y = Math.max(0, Math.min(this.cursor.y, rows.length - 1));
    this.painter.prepare();
    this.layout();
  }

  // layout finds the size of a cell, and makes the scrolled area as large as the matrix.
  // All fits in, unless the address has a size: then cells are at least as large.
  layout() {
    this.scroller.style.maxHeight = "";
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth === 0) {
      return; // not in sight
    }
    const { rows, columns } = this.view;
    const { left, top } = this.painter.labelRoom(clientWidth, this.printed);
    const room = (size, n) => Math.min(cellMost, Math.max(0, size) / Math.max(1, n));
    const beside = (top - 30) / Math.sqrt(3); // labels lean out of the last column
    this.left = left;
    this.top = top;
    Object.assign(this.canvas.dataset, { left, top });
    const zoom = this.printed ? 0 : Math.min(cellMost, Number(this.state.get("zoom")) || 0);
    const high = room(clientHeight - top - 8, rows.length);
    const wide = Math.min(room(clientWidth - left - beside - 2, columns.length), Math.max(6, 4 * high));
    this.fit = Math.min(wide, high);
    this.width = Math.max(wide, zoom);
    this.height = Math.max(high, zoom);
    this.spacer.style.width = Math.max(clientWidth, left + columns.length * this.width + beside) + "px";
    this.spacer.style.height = top + rows.length * this.height + 6 + "px";
    this.scroller.style.maxHeight = Math.max(240, top + rows.length * this.height + 24) + "px"; // with a scrollbar
    this.ratio = this.printed ? 2 : devicePixelRatio || 1;
    for (const [side, size] of [["width", this.scroller.clientWidth], ["height", this.scroller.clientHeight]]) {
      this.canvas.style[side] = size + "px";
      this.canvas[side] = Math.round(size * this.ratio);
    }
    this.painter.pool();
    byId("pooled").hidden = !this.painter.pooled;
    this.draw();
  }

  // onPaper draws the whole matrix for paper, or for the screen again.
  onPaper(begins) {
    this.printed = begins;
    this.scroller.style.width = begins ? "680px" : "";
    this.scroller.style.height = begins ? "620px" : "";
    this.refresh();
  }

  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.painter.draw();
  }

  x(place) {
    return this.left + place * this.width - this.scroller.scrollLeft;
  }

  y(place) {
    return this.top + place * this.height - this.scroller.scrollTop;
  }

  // place returns what is at a point of the window: places in the view, -1 for a label's
  // other side.
  place({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const px = clientX - box.left;
    const py = clientY - box.top;
    const x = px < this.left ? -1 : Math.floor((px - this.left + this.scroller.scrollLeft) / this.width);
    const y = py < this.top ? -1 : Math.floor((py - this.top + this.scroller.scrollTop) / this.height);
    const inside = x < this.view.columns.length && y < this.view.rows.length && (x >= 0 || y >= 0);
    return inside ? (x >= 0 && y >= 0 ? this.painter.rarest({ x, y }) : { x, y }) : undefined;
  }

  chooseAt(event) {
    const at = this.place(event);
    if (at) {
      this.cursor = { x: Math.max(0, at.x), y: Math.max(0, at.y) };
      this.choose(this.view.rows[at.y] ?? -1, this.view.columns[at.x] ?? -1, false);
    }
  }

  pointAt(event) {
    const at = this.place(event);
    byId("readout").textContent = at ? this.describe(at) : "\u00a0";
  }

  // describe says in words what is at a place.
  describe({ x, y }) {
    const { data } = this.model;
    const row = data.rows[this.view.rows[y]];
    const column = data.columns[this.view.columns[x]];
    const pods = row && compact(row.pods) + " pods, " + row.brief;
    const nodes = column && compact(column.nodes) + " nodes, " + column.brief;
    return row && column ? this.model.kind(this.view.rows[y], this.view.columns[x]).name + ": " + pods + " on " + nodes : pods || nodes;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { x, y } = this.cursor;
    const step = event.shiftKey ? 10 : 1;
    const page = Math.max(1, Math.floor((this.scroller.clientHeight - this.top) / this.height) - 1);
    const row = this.view.rows[y] ?? -1;
    const column = this.view.columns[x] ?? -1;
    const act = {
      ArrowLeft: () => this.moveTo(x - step, y), ArrowRight: () => this.moveTo(x + step, y),
      ArrowUp: () => this.moveTo(x, y - step), ArrowDown: () => this.moveTo(x, y + step),
      PageUp: () => this.moveTo(x, y - page), PageDown: () => this.moveTo(x, y + page),
      Home: () => this.moveTo(0, y), End: () => this.moveTo(Infinity, y),
      Enter: () => this.choose(row, column, true), " ": () => this.choose(row, column, true),
      r: () => this.choose(row, -1, true), R: () => this.choose(row, -1, true),
      c: () => this.choose(-1, column, true), C: () => this.choose(-1, column, true),
      "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), 0: () => this.state.set({ zoom: "", at: "" }),
    }[event.key];
    if (act) {
      act();
      event.preventDefault();
    }
  }

  moveTo(x, y) {
    this.cursor = {
      x: Math.max(0, Math.min(x, this.view.columns.length - 1)),
      y: Math.max(0, Math.min(y, this.view.rows.length - 1)),
    };
    this.reveal();
    const text = this.view.rows.length && this.view.columns.length ? this.describe(this.cursor) : "nothing";
    byId("spoken").textContent = text;
    byId("readout").textContent = text;
    this.draw();
  }

  // reveal scrolls the cursor into sight.
  reveal() {
    if (!this.width) {
      return; // not in sight yet
    }
    const { scroller, cursor } = this;
    const into = (at, size, from, room) => Math.min(at * size, Math.max(from, (at + 1) * size - room + 4));
    scroller.scrollLeft = into(cursor.x, this.width, scroller.scrollLeft, scroller.clientWidth - this.left);
    scroller.scrollTop = into(cursor.y, this.height, scroller.scrollTop, scroller.clientHeight - this.top);
  }

  // show moves the cursor to a row and a column of the data, if they are in the view.
  show(row, column) {
    const y = this.view.rowAt.get(row);
    const x = this.view.columnAt.get(column);
    this.cursor = { x: x ?? this.cursor.x, y: y ?? this.cursor.y };
    this.reveal();
    this.draw();
  }

  // scrolled draws what is in sight now, and has the address tell it after a while.
  scrolled() {
    this.later();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      const { scrollLeft, scrollTop } = this.scroller;
      const moved = scrollLeft > 0 || scrollTop > 0;
      this.telling = true;
      this.state.set({ at: moved ? (scrollLeft / this.width).toFixed(1) + "," + (scrollTop / this.height).toFixed(1) : "" });
      this.telling = false;
    }, 200);
  }

  // scrollToState scrolls to what the address tells.
  scrollToState() {
    const [x, y] = this.state.get("at").split(",").map(Number);
    if (!this.telling && x >= 0 && y >= 0 && this.width) {
      this.scroller.scrollTo(x * this.width, y * this.height);
    }
  }

  // zoom makes cells larger or smaller, and keeps the cursor in sight.
  zoom(factor) {
    const size = Math.max(Math.min(1, this.fit), Math.min(cellMost, Math.min(this.width, this.height) * factor));
    this.state.set({ zoom: size <= this.fit && factor < 1 ? "" : size.toFixed(2) });
    this.reveal();
    this.draw();
  }

  // zoomAt zooms, and keeps what is at a point of the window there.
  zoomAt(factor, { clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const px = Math.max(this.left, clientX - box.left) - this.left;
    const py = Math.max(this.top, clientY - box.top) - this.top;
    const x = (this.scroller.scrollLeft + px) / this.width;
    const y = (this.scroller.scrollTop + py) / this.height;
    const size = Math.min(cellMost, Math.min(this.width, this.height) * factor);
    this.state.set({ zoom: size <= this.fit ? "" : size.toFixed(2) });
    this.scroller.scrollTo(x * this.width - px, y * this.height - py);
    this.draw();
  }
}
