// The data of the page, and the questions about a row and a column.

// unpack returns packed numbers: gzip, in base64.
export async function unpack(packed) {
  const zipped = Uint8Array.from(atob(packed.data), (c) => c.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  return new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[packed.bytes](bytes);
}

// load reads the data of the page.
export async function load() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const packed = [data.cells, data.near, data.editing, data.staying, data.running, data.corrected];
  const [cells, near, editing, staying, running, corrected] = await Promise.all(packed.map(unpack));
  const corrections = new Map();
  for (let i = 0; i < corrected.length; i += 4) {
    corrections.set(corrected[i] * data.columns.length + corrected[i + 1], [corrected[i + 2], corrected[i + 3]]);
  }
  const runs = new Map();
  for (let i = 0; i < running.length; i += 3) {
    runs.set(running[i] * data.columns.length + running[i + 1], running[i + 2]);
  }
  return new Model(data, { cells, near, editing, staying, corrections, runs });
}

// Model answers for rows and columns by their numbers.
class Model {
  constructor(data, numbers) {
    Object.assign(this, { data }, numbers);
  }

  verdict(row, column) {
    return this.data.verdicts[this.cells[row * this.data.columns.length + column]];
  }

  kind(row, column) {
    return this.data.kinds[this.verdict(row, column).kind];
  }

  // running is how many pods of the row run on nodes of the column.
  running(row, column) {
    return this.runs.get(row * this.data.columns.length + column) || 0;
  }

  sentence(row, column) {
    const taints = this.data.columns[column].taints;
    return this.verdict(row, column).text.map((part) => (typeof part === "number" ? this.data.taints[taints[part]].text : part)).join("");
  }

  // reason returns why the row tolerates a taint or not; undefined if that is left out.
  reason(row, taint) {
    if (taint >= this.data.nearTaints) {
      return undefined;
    }
    const [tolerated, index, detail] = this.data.reasons[this.near[row * this.data.nearTaints + taint]];
    return { tolerated, index, detail: this.data.details[detail] };
  }

  toleration(row, index) {
    return this.data.tolerations[this.data.rows[row].tolerations[index]];
  }

  reasonText(row, taint) {
    const why = this.reason(row, taint);
    const text = this.data.taints[taint].text;
    if (!why) {
      return text + ": not explained in this file";
    }
    if (why.tolerated) {
      return text + " is tolerated by tolerations[" + why.index + "], " + this.toleration(row, why.index);
    }
    if (why.index < 0) {
      return text + " is not tolerated; no toleration comes near";
    }
    return text + " is not tolerated; nearest is tolerations[" + why.index + "], " + this.toleration(row, why.index) + ": " + why.detail;
  }

  // missing reports whether a toleration for the taint is missing for pods of the row to
  // be scheduled, or to stay.
  missing(row, taint, stay) {
    const { effect } = this.data.taints[taint];
    const why = this.reason(row, taint);
    if (stay) {
      return effect === "NoExecute" && why && why.tolerated !== 1;
    }
    return (effect === "NoExecute" || effect === "NoSchedule") && why && !why.tolerated;
  }

  // added returns the tolerations of some taints of a column, in its order.
  added(column, wanted) {
    return [...new Set(this.data.columns[column].taints.filter(wanted).map((taint) => this.data.taints[taint].add))];
  }

  // additions returns the tolerations that let pods of the row be scheduled, or stay, on
  // nodes of the column.
  additions(row, column, stay) {
    return { add: this.added(column, (taint) => this.missing(row, taint, stay)), changes: [] };
  }

  // edit returns the least widening of the tolerations that lets pods be scheduled, or
  // stay, or undefined if it is to add some.
  edit(row, column, stay) {
    const changes = new Map();
    const add = new Set();
    for (const group of this.data.columns[column].groups) {
      const taints = this.data.groups[group];
      const edit = this.data.edits[(stay ? this.staying : this.editing)[row * this.data.groups.length + group]];
      edit.changes.forEach((c) => changes.set(c.index, c));
      const missing = edit.changes.length ? (edit.add || []).map((i) => taints[i]) : taints.filter((t) => this.missing(row, t, stay));
      missing.forEach((t) => add.add(t));
    }
    if (changes.size === 0) {
      return undefined;
    }
    return { add: this.added(column, (t) => add.has(t)), changes: [...changes.values()].sort((a, b) => a.index - b.index) };
  }

  // correction returns the change of the fewest fields, or undefined if it is to add some,
  // or not known.
  correction(row, column, stay) {
    const found = this.corrections.get(row * this.data.columns.length + column);
    const { changes, add } = this.data.corrections[found ? found[stay ? 1 : 0] : 0];
    if (changes.length === 0) {
      return undefined;
    }
    const { taints } = this.data.columns[column];
    const text = (c) => (typeof c.new === "number" ? this.data.taints[taints[c.new]].add : c.new);
    return { add: (add || []).map((i) => this.data.taints[taints[i]].add), changes: changes.map((c) => ({ index: c.index, new: text(c) })) };
  }

  // repairText returns a line for each addition and each change.
  repairText(row, { add, changes }) {
    return [
      ...add.map((text) => "add " + text),
      ...changes.map((c) => "change tolerations[" + c.index + "], " + this.toleration(row, c.index) + ", to " + c.new),
    ];
  }
}
