// Which rows and columns are shown, and in which order.

// View is the numbers of the rows and columns that are shown, in order.
export class View {
  constructor(model, state) {
    Object.assign(this, { model, state });
    const { data } = model;
    this.rowTexts = data.rows.map((row) => this.text(row, row.tolerations.map((t) => data.tolerations[t])));
    this.columnTexts = data.columns.map((column) => this.text(column, column.taints.map((t) => data.taints[t].text)));
    this.update();
  }

  // text is what a search looks at.
  text(list, words) {
    return (words.join("\n") + "\n" + list.members.map((m) => m.name).join("\n")).toLowerCase();
  }

  update() {
    const { data } = this.model;
    const get = (name) => this.state.get(name);
    const namespace = data.namespaces.indexOf(get("ns"));
    const owner = data.owners.indexOf(get("owner"));
    const pool = data.pools.indexOf(get("pool"));
    const chosen = (g) => (!get("ns") || g[0] === namespace) && (!get("owner") || g[1] === owner);
    let rows = this.ordered(data.rows, data.rowOrder, "pods").filter((r) => data.rows[r].groups.some(chosen));
    let columns = this.ordered(data.columns, data.columnOrder, "nodes").filter(
      (c) =>
        (!get("pool") || data.columns[c].pools.some(([p]) => p === pool)) &&
        (!get("effect") || data.columns[c].taints.some((t) => data.taints[t].effect === get("effect"))),
    );
    const query = get("q").trim().toLowerCase();
    if (query) {
      const foundRows = rows.filter((r) => this.rowTexts[r].includes(query));
      const foundColumns = columns.filter((c) => this.columnTexts[c].includes(query));
      if (foundRows.length + foundColumns.length === 0) {
        rows = columns = [];
      } else {
        rows = foundRows.length ? foundRows : rows;
        columns = foundColumns.length ? foundColumns : columns;
      }
    }
    this.rows = rows;
    this.columns = columns;
    this.rowAt = new Map(rows.map((r, i) => [r, i]));
    this.columnAt = new Map(columns.map((c, i) => [c, i]));
    const pods = rows.map((r) => data.rows[r].groups.reduce((n, g) => n + (chosen(g) ? g[2] : 0), 0));
    const nodes = columns.map((c) => data.columns[c].pools.reduce((n, [p, k]) => n + (!get("pool") || p === pool ? k : 0), 0));
    this.pods = pods.reduce((n, k) => n + k, 0);
    this.nodes = nodes.reduce((n, k) => n + k, 0);
    this.sum(pods, nodes);
  }

  // sum counts the cells, and the pairs of a pod and a node, of each kind.
  sum(pods, nodes) {
    const { data, cells } = this.model;
    const each = data.verdicts.map(() => ({ cells: 0, pairs: 0 }));
    this.rows.forEach((row, i) => {
      const start = row * data.columns.length;
      for (let j = 0; j < this.columns.length; j++) {
        const sum = each[cells[start + this.columns[j]]];
        sum.cells++;
        sum.pairs += pods[i] * nodes[j];
      }
    });
    this.cells = data.kinds.map(() => 0);
    this.pairs = data.kinds.map(() => 0);
    data.verdicts.forEach((v, i) => {
      this.cells[v.kind] += each[i].cells;
      this.pairs[v.kind] += each[i].pairs;
    });
  }

  // ordered returns the numbers of the lists. Rows come with the most pods first, and
  // columns with the most nodes, from the beginning.
  ordered(lists, clustered, size) {
    const numbers = lists.map((_, i) => i);
    switch (this.state.get("sort")) {
      case "name":
        return numbers.sort((a, b) => (lists[a].brief < lists[b].brief ? -1 : lists[a].brief > lists[b].brief ? 1 : a - b));
      case size:
        return numbers;
      case "clustered":
        return clustered.slice();
    }
    return clustered.slice(); // the other side is sorted by its size
  }
}
