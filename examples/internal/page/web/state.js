// What is shown, in the address after #, so that a view can be sent to somebody.

const defaults = { tab: "matrix", sort: "clustered", q: "", ns: "", owner: "", pool: "", effect: "", zoom: "", at: "", table: "", row: "", column: "", theme: "", plan: "", budgets: "", maxNodes: "", maxPods: "", maxPercent: "", maxPerOwner: "" };

// State is the view. Those who listen are called after every change, with the names of
// what changed.
export class State {
  constructor() {
    this.values = { ...defaults };
    this.listeners = [];
    this.read();
    addEventListener("hashchange", () => this.changed(this.read()));
  }

  // read takes over the address and returns what differs.
  read() {
    const given = new URLSearchParams(location.hash.slice(1));
    const before = this.values;
    this.values = { ...defaults };
    for (const name of Object.keys(defaults)) {
      this.values[name] = given.get(name) ?? defaults[name];
    }
    return Object.keys(defaults).filter((name) => before[name] !== this.values[name]);
  }

  get(name) {
    return this.values[name];
  }

  // index returns a number that is less than the limit, or -1.
  index(name, limit) {
    const n = /^\d+$/.test(this.values[name]) ? Number(this.values[name]) : -1;
    return n < limit ? n : -1;
  }

  // set changes values, and the address.
  set(values) {
    const names = Object.keys(values).filter((name) => this.values[name] !== String(values[name]));
    names.forEach((name) => (this.values[name] = String(values[name])));
    const text = new URLSearchParams(Object.entries(this.values).filter(([name, value]) => value !== defaults[name])).toString();
    history.replaceState(null, "", "#" + text);
    this.changed(names);
  }

  changed(names) {
    if (names.length > 0) {
      this.listeners.forEach((listen) => listen(new Set(names)));
    }
  }
}
