// The matrix: a canvas that draws what is in sight of a scrolled area.

const cellMost = 28;
const gapFrom = 7; // cells have gaps from this size on, in pixels,
const labelFrom = 11; // labels,
const signFrom = 14; // and signs

// dark tells which colours are in use.
export function dark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// short returns the beginning of a text, set apart from text of another direction.
function short(text, most) {
  const letters = Array.from(text.slice(0, 4 * most));
  return "\u2068" + (letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text) + "\u2069";
}

// Matrix draws a view and turns clicks and keys into choices: choose(row, column, focus)
// is called for a cell, and for a row or column alone with -1 in place of the other.
export class Matrix {
  constructor(model, view, state, choose) {
    Object.assign(this, { model, view, state, choose });
    this.canvas = document.getElementById("canvas");
    this.scroller = document.getElementById("scroller");
    this.spacer = document.getElementById("spacer");
    this.bitmap = document.createElement("canvas");
    this.cursor = { x: 0, y: 0 }; // places in the view
    this.scroller.addEventListener("scroll", () => this.later());
    this.canvas.addEventListener("click", (e) => this.click(e));
    this.canvas.addEventListener("mousemove", (e) => this.point(e));
    this.canvas.addEventListener("keydown", (e) => this.key(e));
    this.canvas.addEventListener("focus", () => this.later());
    this.canvas.addEventListener("blur", () => this.later());
    this.scroller.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    new ResizeObserver(() => this.layout()).observe(this.scroller);
  }

  // refresh takes over another order or choice of rows and columns, or other colours.
  refresh() {
    const { rows, columns } = this.view;
    const { data, cells } = this.model;
    const shade = dark() ? "dark" : "light";
    const colours = data.verdicts.map((v) => colourNumber(data.kinds[v.kind][shade]));
    this.bitmap.width = Math.max(1, columns.length);
    this.bitmap.height = Math.max(1, rows.length);
    const context = this.bitmap.getContext("2d");
    const image = context.createImageData(this.bitmap.width, this.bitmap.height);
    const pixels = new Uint32Array(image.data.buffer);
    let at = 0;
    for (const row of rows) {
      const start = row * data.columns.length;
      for (let j = 0; j < columns.length; j++) {
        pixels[at++] = colours[cells[start + columns[j]]];
      }
    }
    context.putImageData(image, 0, 0);
    this.cursor.x = Math.max(0, Math.min(this.cursor.x, columns.length - 1));
    this.cursor.y = Math.max(0, Math.min(this.cursor.y, rows.length - 1));
    this.layout();
  }

  // layout finds the size of a cell, and makes the scrolled area as large as the matrix.
  layout() {
    const { clientWidth, clientHeight } = this.scroller;
    if (clientWidth === 0) {
      return; // not in sight
    }
    const narrow = clientWidth < 640;
    this.left = narrow ? 130 : this.printed ? 220 : 300;
    this.top = narrow ? 110 : 170;
    const { rows, columns } = this.view;
    const room = Math.min((clientWidth - this.left - 8) / Math.max(1, columns.length), (clientHeight - this.top - 8) / Math.max(1, rows.length));
    this.fit = Math.min(cellMost, room);
    this.size = !this.printed && Number(this.state.get("zoom")) > 0 ? Math.min(cellMost, Number(this.state.get("zoom"))) : this.fit;
    this.spacer.style.width = Math.max(clientWidth, this.left + columns.length * this.size + 8) + "px";
    this.spacer.style.height = Math.max(clientHeight, this.top + rows.length * this.size + 8) + "px";
    const ratio = this.printed ? 2 : devicePixelRatio || 1;
    this.canvas.style.width = clientWidth + "px";
    this.canvas.style.height = clientHeight + "px";
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.ratio = ratio;
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
    const context = this.canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    this.ink = style.getPropertyValue("--ink");
    this.paper = style.getPropertyValue("--paper");
    this.muted = style.getPropertyValue("--muted");
    this.accent = style.getPropertyValue("--accent");
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.view.rows.length === 0 || this.view.columns.length === 0) {
      context.fillStyle = this.ink;
      context.font = "15px system-ui, sans-serif";
      context.fillText("Nothing matches. Clear the search or a filter.", 16, 40);
      return;
    }
    const part = this.inSight();
    context.save();
    context.beginPath();
    context.rect(this.left, this.top, this.canvas.width, this.canvas.height);
    context.clip();
    this.drawCells(context, part);
    context.restore();
    this.drawLabels(context, part);
    this.drawAxes(context);
  }

  // inSight returns which rows and columns are in sight.
  inSight() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroller;
    const { size, left, top } = this;
    return {
      x0: Math.floor(scrollLeft / size),
      x1: Math.min(this.view.columns.length, Math.ceil((scrollLeft + clientWidth - left) / size)),
      y0: Math.floor(scrollTop / size),
      y1: Math.min(this.view.rows.length, Math.ceil((scrollTop + clientHeight - top) / size)),
    };
  }

  x(place) {
    return this.left + place * this.size - this.scroller.scrollLeft;
  }

  y(place) {
    return this.top + place * this.size - this.scroller.scrollTop;
  }

  drawCells(context, { x0, x1, y0, y1 }) {
    const { size } = this;
    context.imageSmoothingEnabled = size < 1;
    context.drawImage(this.bitmap, x0, y0, x1 - x0, y1 - y0, this.x(x0), this.y(y0), (x1 - x0) * size, (y1 - y0) * size);
    if (size >= gapFrom) {
      context.fillStyle = this.paper;
      for (let i = x0; i <= x1; i++) {
        context.fillRect(this.x(i) - 1, this.y(y0), 1, (y1 - y0) * size);
      }
      for (let i = y0; i <= y1; i++) {
        context.fillRect(this.x(x0), this.y(i) - 1, (x1 - x0) * size, 1);
      }
      this.drawSigns(context, { x0, x1, y0, y1 });
    }
    this.drawCursor(context);
  }

  // drawSigns marks where pods run, and writes the signs of the kinds.
  drawSigns(context, { x0, x1, y0, y1 }) {
    const { size, view, model } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = Math.round(size * 0.6) + "px system-ui, sans-serif";
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        const kind = model.kind(view.rows[y], view.columns[x]);
        const colour = kind[dark() ? "dark" : "light"];
        const runs = model.running(view.rows[y], view.columns[x]) > 0;
        context.fillStyle = bright(colour) ? "#000" : "#fff";
        if (runs) {
          context.beginPath();
          context.arc(this.x(x) + size * (kind.sign && size >= signFrom ? 0.2 : 0.5) - 0.5, this.y(y) + size * (kind.sign && size >= signFrom ? 0.8 : 0.5) - 0.5, Math.max(1.5, size * 0.13), 0, 7);
          context.fill();
        }
        if (kind.sign && size >= signFrom) {
          context.fillText(kind.sign, this.x(x) + size / 2 - 0.5, this.y(y) + size / 2);
        }
      }
    }
  }

  // drawCursor frames the cell at the cursor, and the row and column that are chosen.
  drawCursor(context) {
    const { size } = this;
    const frame = (x, y, width, height, line) => {
      context.lineWidth = line + 2;
      context.strokeStyle = this.paper;
      context.strokeRect(x, y, width, height);
      context.lineWidth = line;
      context.strokeStyle = this.ink;
      context.strokeRect(x, y, width, height);
    };
    const wide = this.view.columns.length * size;
    const high = this.view.rows.length * size;
    const row = this.view.rowAt.get(this.state.index("row", this.model.data.rows.length));
    const column = this.view.columnAt.get(this.state.index("column", this.model.data.columns.length));
    if (row !== undefined) {
      frame(this.x(0) - 1, this.y(row) - 1, wide + 1, size + 1, 1);
    }
    if (column !== undefined) {
      frame(this.x(column) - 1, this.y(0) - 1, size + 1, high + 1, 1);
    }
    if (document.activeElement === this.canvas || (row !== undefined && column !== undefined)) {
      frame(this.x(this.cursor.x) - 1, this.y(this.cursor.y) - 1, size + 1, size + 1, 2);
    }
  }

  // drawLabels writes the labels of all rows and columns in sight, as densely as they
  // can be read.
  drawLabels(context, { x0, x1, y0, y1 }) {
    const { size, view, model, left, top } = this;
    const step = Math.max(1, Math.ceil(labelFrom / size));
    const letters = Math.floor((left - 56) / 6.7);
    const stepAcross = Math.max(1, Math.ceil(15 / size));
    context.textBaseline = "middle";
    context.fillStyle = this.paper;
    context.fillRect(0, 0, left, this.canvas.height);
    context.fillRect(0, 0, this.canvas.width, top);
    for (let y = Math.ceil(y0 / step) * step; y < y1; y += step) {
      const row = model.data.rows[view.rows[y]];
      const at = this.y(y) + size / 2;
      if (at < top) {
        continue;
      }
      context.textAlign = "right";
      context.fillStyle = this.ink;
      context.font = "600 11px ui-monospace, Consolas, 'DejaVu Sans Mono', monospace";
      context.fillText(compact(row.pods), left - 8, at);
      context.font = "11px ui-monospace, Consolas, 'DejaVu Sans Mono', monospace";
      context.fillText(short(row.brief, letters), left - 50, at);
    }
    for (let x = Math.ceil(x0 / stepAcross) * stepAcross; x < x1; x += stepAcross) {
      const column = model.data.columns[view.columns[x]];
      const at = this.x(x) + size / 2;
      if (at < left) {
        continue;
      }
      context.save();
      context.translate(at, top - 8);
      context.rotate(-Math.PI / 3);
      context.textAlign = "left";
      context.fillStyle = this.ink;
      context.font = "600 11px ui-monospace, Consolas, 'DejaVu Sans Mono', monospace";
      const many = compact(column.nodes);
      context.fillText(many, 0, 0);
      context.font = "11px ui-monospace, Consolas, 'DejaVu Sans Mono', monospace";
      context.fillText(short(column.brief, Math.floor((top - 36) / 0.866 / 6.7) - many.length), many.length * 6.7 + 6, 0);
      context.restore();
    }
  }

  drawAxes(context) {
    context.fillStyle = this.paper;
    context.fillRect(0, 0, this.left - 4, this.top - 4);
    context.fillStyle = this.muted;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "right";
    const narrow = this.left < 200;
    context.fillText(narrow ? "nodes ↗" : "taint lists, nodes ↗", this.left - 8, this.top - 30);
    context.fillText(narrow ? "pods ↓" : "toleration lists, pods ↓", this.left - 8, this.top - 12);
  }

  // place returns what is at a point: places in the view, -1 for a label's other side.
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    const px = event.clientX - box.left;
    const py = event.clientY - box.top;
    const x = px < this.left ? -1 : Math.floor((px - this.left + this.scroller.scrollLeft) / this.size);
    const y = py < this.top ? -1 : Math.floor((py - this.top + this.scroller.scrollTop) / this.size);
    return x < this.view.columns.length && y < this.view.rows.length && (x >= 0 || y >= 0) ? { x, y } : undefined;
  }

  click(event) {
    const at = this.place(event);
    if (at) {
      this.cursor = { x: Math.max(0, at.x), y: Math.max(0, at.y) };
      this.choose(at.y < 0 ? -1 : this.view.rows[at.y], at.x < 0 ? -1 : this.view.columns[at.x], false);
    }
  }

  point(event) {
    const at = this.place(event);
    document.getElementById("readout").textContent = at ? this.describe(at) : "\u00a0";
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
    const step = event.shiftKey ? 10 : 1;
    const page = Math.max(1, Math.floor((this.scroller.clientHeight - this.top) / this.size) - 1);
    const { x, y } = this.cursor;
    const moves = {
      ArrowLeft: [x - step, y], ArrowRight: [x + step, y], ArrowUp: [x, y - step], ArrowDown: [x, y + step],
      PageUp: [x, y - page], PageDown: [x, y + page], Home: [0, y], End: [Infinity, y],
    };
    const row = this.view.rows[y] ?? -1;
    const column = this.view.columns[x] ?? -1;
    if (moves[event.key]) {
      this.moveTo(...moves[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(row, column, true);
    } else if (event.key === "r" || event.key === "R") {
      this.choose(row, -1, true);
    } else if (event.key === "c" || event.key === "C") {
      this.choose(-1, column, true);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(1.4);
    } else if (event.key === "-") {
      this.zoom(1 / 1.4);
    } else if (event.key === "0") {
      this.state.set({ zoom: "" });
    } else {
      return;
    }
    event.preventDefault();
  }

  moveTo(x, y) {
    this.cursor = {
      x: Math.max(0, Math.min(x, this.view.columns.length - 1)),
      y: Math.max(0, Math.min(y, this.view.rows.length - 1)),
    };
    this.reveal();
    const text = this.view.rows.length && this.view.columns.length ? this.describe(this.cursor) : "nothing";
    document.getElementById("spoken").textContent = text;
    document.getElementById("readout").textContent = text;
    this.draw();
  }

  // reveal scrolls the cursor into sight.
  reveal() {
    if (!this.size) {
      return; // not in sight yet
    }
    const { size, scroller, left, top, cursor } = this;
    const into = (at, from, room) => Math.min(at * size, Math.max(from, (at + 1) * size - room + 4));
    scroller.scrollLeft = into(cursor.x, scroller.scrollLeft, scroller.clientWidth - left);
    scroller.scrollTop = into(cursor.y, scroller.scrollTop, scroller.clientHeight - top);
  }

  // show moves the cursor to a row and a column of the data, if they are in the view.
  show(row, column) {
    const y = this.view.rowAt.get(row);
    const x = this.view.columnAt.get(column);
    this.cursor = { x: x ?? this.cursor.x, y: y ?? this.cursor.y };
    this.reveal();
    this.draw();
  }

  wheel(event) {
    if (event.ctrlKey) {
      event.preventDefault();
      const at = this.place(event);
      if (at) {
        this.cursor = { x: Math.max(0, at.x), y: Math.max(0, at.y) };
      }
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2);
    }
  }

  // zoom makes cells larger or smaller, and keeps the cursor in sight.
  zoom(factor) {
    const size = Math.max(Math.min(1, this.fit), Math.min(cellMost, this.size * factor));
    this.state.set({ zoom: size <= this.fit && factor < 1 ? "" : size.toFixed(2) });
    this.reveal();
    this.draw();
  }
}

// compact writes a number so that it takes little room.
export function compact(n) {
  return n < 10000 ? String(n) : n < 1e6 ? Math.round(n / 1e3) + "k" : (n / 1e6).toFixed(1) + "M";
}

function colourNumber(hex) {
  const n = parseInt(hex.slice(1), 16);
  return (0xff << 24) | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16);
}

function bright(hex) {
  const n = parseInt(hex.slice(1), 16);
  return 0.299 * (n >> 16) + 0.587 * ((n >> 8) & 0xff) + 0.114 * (n & 0xff) > 140;
}
