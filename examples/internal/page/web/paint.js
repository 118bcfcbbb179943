// What the matrix looks like.

const gapFrom = 7; // cells have gaps from this size on, in pixels,
const labelFrom = 12; // labels,
const signFrom = 14; // and signs
const markSize = 2; // pixels: what is smaller is drawn together
const plain = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const letter = 6.65; // pixels, in that font
const lean = Math.PI / 3;

// dark tells which colours are in use.
export function dark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// short returns the beginning of a text, set apart from text of another direction.
function short(text, most) {
  const letters = Array.from(text.slice(0, 4 * most));
  return "\u2068" + (letters.length > most ? letters.slice(0, most - 1).join("").replace(/[, +]+$/, "") + "…" : text) + "\u2069";
}

// Painter draws a matrix.
export class Painter {
  constructor(matrix) {
    Object.assign(this, { matrix, model: matrix.model, view: matrix.view, canvas: matrix.canvas, bitmap: document.createElement("canvas") });
  }

  // prepare takes over another view or other colours.
  prepare() {
    const { data } = this.model;
    const shade = dark() ? "dark" : "light";
    this.made = "";
    this.kinds = Uint8Array.from(data.verdicts, (v) => v.kind);
    this.shades = data.kinds.map((kind) => kind[shade]);
    this.inks = this.shades.map((colour) => (bright(colour) ? "#000" : "#fff"));
    this.colours = Uint32Array.from(this.shades, colourNumber);
    // Where many cells share a mark, it shows the kind that is rarest in the view.
    const order = data.kinds.map((_, i) => i).sort((a, b) => this.view.cells[a] - this.view.cells[b] || a - b);
    this.rank = new Uint8Array(order.length);
    order.forEach((kind, rank) => (this.rank[kind] = rank));
    const style = getComputedStyle(document.documentElement);
    [this.ink, this.paper, this.muted] = ["--ink", "--paper", "--muted"].map((name) => style.getPropertyValue(name));
  }

  // labelRoom returns how much room labels take at the left and on top.
  labelRoom(width, printed) {
    const { data } = this.model;
    const longest = (lists, all) => lists.reduce((n, i) => Math.max(n, all[i].brief.length), 12);
    const most = printed ? 220 : width < 640 ? 130 : 300;
    const left = Math.min(most, longest(this.view.rows, data.rows) * letter + 66);
    const top = Math.min(width < 640 ? 110 : 180, longest(this.view.columns, data.columns) * letter * Math.sin(lean) + 60);
    return { left: Math.round(Math.max(left, width < 640 ? 90 : 180)), top: Math.round(top) };
  }

  // pool makes the picture of all cells, of which draw shows a part: a point for each
  // cell, or for those that are drawn together.
  pool() {
    const { matrix, view, model } = this;
    const marks = (n, size) => Math.max(1, size < markSize ? Math.ceil((n * size) / markSize) : n);
    const wide = marks(view.columns.length, matrix.width);
    const high = marks(view.rows.length, matrix.height);
    this.pooled = wide < view.columns.length || high < view.rows.length;
    if (this.made === wide + "," + high) {
      return; // of the same view
    }
    this.made = wide + "," + high;
    const at = Uint32Array.from(view.columns, (_, i) => Math.floor((i * wide) / view.columns.length));
    const best = new Uint8Array(wide * high).fill(255);
    view.rows.forEach((row, i) => {
      const cells = row * model.data.columns.length;
      const line = Math.floor((i * high) / view.rows.length) * wide;
      for (let j = 0; j < at.length; j++) {
        const rank = this.rank[this.kinds[model.cells[cells + view.columns[j]]]];
        if (rank < best[line + at[j]]) {
          best[line + at[j]] = rank;
        }
      }
    });
    const colours = new Uint32Array(256);
    this.rank.forEach((rank, kind) => (colours[rank] = this.colours[kind]));
    this.bitmap.width = wide;
    this.bitmap.height = high;
    const context = this.bitmap.getContext("2d");
    const image = context.createImageData(wide, high);
    new Uint32Array(image.data.buffer).set(Uint32Array.from(best, (rank) => colours[rank]));
    context.putImageData(image, 0, 0);
  }

  // rarest returns the place of which the mark at a place shows the kind.
  rarest(place) {
    if (!this.pooled) {
      return place;
    }
    const { view, model, bitmap } = this;
    const range = (at, marks, n) => {
      const mark = Math.floor((at * marks) / n);
      return [Math.ceil((mark * n) / marks), Math.min(n, Math.ceil(((mark + 1) * n) / marks))];
    };
    const [x0, x1] = range(place.x, bitmap.width, view.columns.length);
    const [y0, y1] = range(place.y, bitmap.height, view.rows.length);
    const rankAt = (x, y) => this.rank[model.verdict(view.rows[y], view.columns[x]).kind];
    let best = place;
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        if (rankAt(x, y) < rankAt(best.x, best.y)) {
          best = { x, y };
        }
      }
    }
    return best;
  }

  draw() {
    const { matrix, view } = this;
    const context = this.canvas.getContext("2d");
    context.setTransform(matrix.ratio, 0, 0, matrix.ratio, 0, 0);
    context.fillStyle = this.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    if (view.rows.length === 0 || view.columns.length === 0) {
      context.fillStyle = this.ink;
      context.font = "15px system-ui, sans-serif";
      context.textAlign = "left";
      context.fillText("Nothing matches. Clear the search or a filter.", 16, 40);
      return;
    }
    const part = this.inSight();
    context.save();
    context.beginPath();
    context.rect(matrix.left - 1, matrix.top - 1, this.canvas.width, this.canvas.height);
    context.clip();
    this.cells(context, part);
    context.restore();
    this.axes(context);
    this.rowLabels(context, part);
    this.columnLabels(context, part);
  }

  // inSight returns which rows and columns are in sight.
  inSight() {
    const { scroller, width, height, left, top } = this.matrix;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    return {
      x0: Math.floor(scrollLeft / width),
      x1: Math.min(this.view.columns.length, Math.ceil((scrollLeft + clientWidth - left) / width)),
      y0: Math.floor(scrollTop / height),
      y1: Math.min(this.view.rows.length, Math.ceil((scrollTop + clientHeight - top) / height)),
    };
  }

  cells(context, part) {
    const { matrix, view, bitmap } = this;
    const { width, height } = matrix;
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, matrix.x(0), matrix.y(0), view.columns.length * width, view.rows.length * height);
    if (Math.min(width, height) >= gapFrom) {
      const { x0, x1, y0, y1 } = part;
      context.fillStyle = this.paper;
      for (let i = x0; i <= x1; i++) {
        context.fillRect(matrix.x(i) - 1, matrix.y(y0), 1, (y1 - y0) * height);
      }
      for (let i = y0; i <= y1; i++) {
        context.fillRect(matrix.x(x0), matrix.y(i) - 1, (x1 - x0) * width, 1);
      }
      this.signs(context, part);
    }
    this.frames(context);
  }

  // signs marks where pods run, and writes the signs of the kinds.
  signs(context, { x0, x1, y0, y1 }) {
    const { matrix, view, model } = this;
    const { width, height } = matrix;
    const size = Math.min(width, height);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = Math.round(size * 0.6) + "px system-ui, sans-serif";
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        const { kind } = model.verdict(view.rows[y], view.columns[x]);
        const sign = size >= signFrom ? model.data.kinds[kind].sign : "";
        context.fillStyle = this.inks[kind];
        if (model.running(view.rows[y], view.columns[x]) > 0) {
          context.beginPath();
          context.arc(matrix.x(x) + width * (sign ? 0.2 : 0.5) - 0.5, matrix.y(y) + height * (sign ? 0.8 : 0.5) - 0.5, Math.max(1.5, size * 0.13), 0, 7);
          context.fill();
        }
        if (sign) {
          context.fillText(sign, matrix.x(x) + width / 2 - 0.5, matrix.y(y) + height / 2);
        }
      }
    }
  }

  // frames frames the cell at the cursor, and the row and column that are chosen.
  frames(context) {
    const { matrix, view, model } = this;
    const { width, height, state, cursor } = matrix;
    const frame = (x, y, wide, high, line) => {
      context.lineWidth = line + 2;
      context.strokeStyle = this.paper;
      context.strokeRect(x, y, wide, high);
      context.lineWidth = line;
      context.strokeStyle = this.ink;
      context.strokeRect(x, y, wide, high);
    };
    const wide = Math.max(4, width + 1);
    const high = Math.max(4, height + 1);
    const row = view.rowAt.get(state.index("row", model.data.rows.length));
    const column = view.columnAt.get(state.index("column", model.data.columns.length));
    if (row !== undefined) {
      frame(matrix.x(0) - 1, matrix.y(row) - 1, view.columns.length * width + 1, high, 1);
    }
    if (column !== undefined) {
      frame(matrix.x(column) - 1, matrix.y(0) - 1, wide, view.rows.length * height + 1, 1);
    }
    if (document.activeElement === this.canvas || (row !== undefined && column !== undefined)) {
      frame(matrix.x(cursor.x) - 1, matrix.y(cursor.y) - 1, wide, high, 2);
    }
  }

  axes(context) {
    const { left, top } = this.matrix;
    const narrow = left < 170;
    context.fillStyle = this.muted;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "alphabetic";
    context.fillText(narrow ? "nodes ↗" : "nodes, taint lists ↗", left - 8, top - 30);
    context.fillText(narrow ? "pods ↓" : "toleration lists, pods ↓", left - 8, top - 12);
  }

  // rowLabels writes the labels of the rows in sight, as densely as they can be read.
  rowLabels(context, { y0, y1 }) {
    const { matrix, view, model } = this;
    const step = Math.max(1, Math.ceil(labelFrom / matrix.height));
    const number = view.rows.reduce((n, r) => Math.max(n, compact(model.data.rows[r].pods).length), 1) * letter + 8;
    const letters = Math.floor((matrix.left - number - 22) / letter);
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.fillStyle = this.ink;
    for (let y = Math.ceil(y0 / step) * step; y < y1; y += step) {
      const row = model.data.rows[view.rows[y]];
      const at = matrix.y(y) + matrix.height / 2;
      if (at >= matrix.top) {
        context.font = "600 " + plain;
        context.fillText(compact(row.pods), matrix.left - 8, at);
        context.font = plain;
        context.fillText(short(row.brief, letters), matrix.left - 8 - number, at);
      }
    }
  }

  columnLabels(context, { x0, x1 }) {
    const { matrix, view, model } = this;
    const step = Math.max(1, Math.ceil(15 / matrix.width));
    const letters = Math.floor((matrix.top - 34) / Math.sin(lean) / letter);
    context.fillStyle = this.ink;
    context.textAlign = "left";
    for (let x = Math.ceil(x0 / step) * step; x < x1; x += step) {
      const column = model.data.columns[view.columns[x]];
      const at = matrix.x(x) + matrix.width / 2;
      if (at >= matrix.left) {
        const many = compact(column.nodes);
        context.save();
        context.translate(at, matrix.top - 8);
        context.rotate(-lean);
        context.font = "600 " + plain;
        context.fillText(many, 0, 0);
        context.font = plain;
        context.fillText(short(column.brief, letters - many.length - 1), (many.length + 1) * letter, 0);
        context.restore();
      }
    }
  }
}

// compact writes a number so that it takes little room.
export function compact(n) {
  return n < 10000 ? String(n) : n < 1e6 ? Math.round(n / 1e3) + "k" : (n / 1e6).toFixed(1) + "M";
}

// colourNumber returns a colour as the pixels of a canvas have it.
function colourNumber(hex) {
  const n = parseInt(hex.slice(1), 16);
  return (0xff << 24) | ((n & 0xff) << 16) | (n & 0xff00) | (n >> 16);
}

// bright tells whether dark signs can be seen on a colour.
export function bright(hex) {
  const n = parseInt(hex.slice(1), 16);
  return 0.299 * (n >> 16) + 0.587 * ((n >> 8) & 0xff) + 0.114 * (n & 0xff) > 140;
}
