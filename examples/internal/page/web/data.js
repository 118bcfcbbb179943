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
  const [cells, near, editing, running] = await Promise.all([data.cells, data.near, data.editing, data.running].map(unpack));
  const runs = new Map();
  for (let i = 0; i < running.length; i += 3) {
    runs.set(running[i] * data.columns.length + running[i + 1], running[i + 2]);
  }
  return new Model(data, cells, near, editing, runs);
}

// Model answers for rows and columns by their numbers.
class Model {
  constructor(data, cells, near, editing, runs) {
    Object.assign(this, { data, cells, near, editing, runs });
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

  // additions returns the tolerations that let pods of the row be scheduled, or stay, on
  // nodes of the column.
  additions(row, column, stay) {
    const wanted = this.data.columns[column].taints.filter((taint) => {
      const { effect } = this.data.taints[taint];
      const why = this.reason(row, taint);
      if (stay) {
        return effect === "NoExecute" && why && why.tolerated !== 1;
      }
      return (effect === "NoExecute" || effect === "NoSchedule") && why && !why.tolerated;
    });
    return [...new Set(wanted.map((taint) => this.data.taints[taint].add))];
  }

  // edit returns the smallest change of the tolerations that lets pods be scheduled, or
  // undefined if it is to add some.
  edit(row, column) {
    const changes = [];
    const add = new Set();
    for (const group of this.data.columns[column].groups) {
      const taints = this.data.groups[group];
      const edit = this.data.edits[this.editing[row * this.data.groups.length + group]];
      changes.push(...edit.changes);
      const missing = edit.changes.length ? (edit.add || []).map((i) => taints[i]) : taints.filter((t) => !this.reason(row, t).tolerated);
      missing.forEach((t) => add.add(t));
    }
    if (changes.length === 0) {
      return undefined;
    }
    changes.sort((a, b) => a.index - b.index);
    const inOrder = this.data.columns[column].taints.filter((t) => add.has(t)).map((t) => this.data.taints[t].add);
    return { add: [...new Set(inOrder)], changes };
  }

  // repairText returns a line for each addition and each change.
  repairText(row, add, changes) {
    return [
      ...add.map((text) => "add " + text),
      ...changes.map((c) => "change tolerations[" + c.index + "], " + this.toleration(row, c.index) + ", to " + c.new),
    ];
  }
}
