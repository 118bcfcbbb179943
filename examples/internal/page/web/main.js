// The page: reads the data, makes the controls, and keeps the parts in step.
import { el, byId, number, count } from "./dom.js";
import { load } from "./data.js";
import { State } from "./state.js";
import { View } from "./view.js";
import { Matrix } from "./matrix.js";
import { Details } from "./details.js";
import { showFindings } from "./lists.js";
import { showSilence } from "./silence.js";
import { Table } from "./table.js";
import { showWhatIf } from "./whatif.js";

const filters = ["sort", "q", "ns", "owner", "pool", "effect"];

async function start() {
  const model = await load();
  const { data } = model;
  const state = new State();
  const view = new View(model, state);
  const choose = (row, column, focus) => {
    state.set({ row: row < 0 ? "" : row, column: column < 0 ? "" : column });
    if (focus) {
      details.focus();
    }
  };
  const details = new Details(model, state, choose);
  const matrix = new Matrix(model, view, state, choose);
  const table = new Table(model, view, state, choose);

  byId("title").textContent = data.title || "Taints and tolerations";
  makeSummary(data);
  byId("notes").append(...data.notes.map((note) => el("p", { class: "note", dir: "auto" }, note)));
  makeControls(model, state, matrix);
  makeTabs(data, state);
  makeButtons(state);
  showFindings(model, choose);
  showSilence(model);
  showWhatIf(model, state);

  state.listeners.push((names) => {
    if (names.has("theme")) {
      applyTheme(state);
    }
    if (filters.some((name) => names.has(name))) {
      view.update();
    }
    if (names.has("theme") || filters.some((name) => names.has(name))) {
      matrix.refresh();
    }
    if (filters.some((name) => names.has(name))) {
      showCounts(model, view, details);
      if (!names.has("table")) {
        state.set({ table: "" }); // from the beginning
      }
    }
    if (names.has("tab")) {
      showTab(state);
    }
    if (state.get("tab") === "table" && (names.has("tab") || names.has("table") || filters.some((name) => names.has(name)))) {
      table.show();
    }
    if (names.has("zoom") || names.has("tab")) {
      matrix.layout();
      matrix.reveal();
    }
    if (names.has("row") || names.has("column")) {
      details.show();
      matrix.show(state.index("row", data.rows.length), state.index("column", data.columns.length));
    }
    syncControls(state);
  });
  applyTheme(state);
  showTab(state);
  showCounts(model, view, details);
  matrix.refresh();
  table.show();
  details.show();
  matrix.show(state.index("row", data.rows.length), state.index("column", data.columns.length));
  matrix.scrollToState();
  syncControls(state);
  state.listeners.push((names) => names.has("at") && matrix.scrollToState());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => matrix.refresh());
  addEventListener("beforeprint", () => {
    table.show();
    printing(matrix, true);
  });
  addEventListener("afterprint", () => printing(matrix, false));
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

// makeSummary says how large all is.
function makeSummary(data) {
  const facts = [[data.pods, "pod"], [data.rows.length, "toleration list"], [data.nodes, "node"], [data.columns.length, "taint list"], [data.findings.length, "finding"]];
  byId("summary").append(...facts.map(([n, what]) => el("li", {}, el("strong", {}, number(n)), " " + what + (n === 1 ? "" : "s"))));
}

// showCounts says how much is shown, and how much of it has which colour.
function showCounts(model, view, details) {
  const { data } = model;
  byId("counts").textContent = "Shown: " + number(view.rows.length) + " of " + count(data.rows.length, "row") + " (" + count(view.pods, "pod") + "), " + number(view.columns.length) + " of " + count(data.columns.length, "column") + " (" + count(view.nodes, "node") + ").";
  const all = view.pairs.reduce((n, k) => n + k, 0);
  const used = new Set(data.verdicts.map((v) => v.kind));
  const share = (n) => (n === 0 || n === all ? (n ? "100" : "0") : n / all < 0.001 ? "<0.1" : n / all > 0.999 ? ">99.9" : (100 * n / all).toFixed(1));
  const items = data.kinds.map((kind, i) => used.has(i) && el("li", { title: number(view.pairs[i]) + " of " + number(all) + " pairs of a pod and a node shown" },
    details.swatch(kind), " " + kind.name + " ", el("span", { class: "note" }, share(view.pairs[i]) + " %")));
  if (model.runs.size > 0) {
    items.push(el("li", {}, el("span", { class: "swatch dot", "aria-hidden": "true" }, "●"), " pods run there now"));
  }
  byId("legend").replaceChildren(...items.filter(Boolean));
}

// makeControls makes the search, the order and the filters.
function makeControls(model, state, matrix) {
  const { data } = model;
  const controls = byId("controls");
  controls.addEventListener("submit", (e) => e.preventDefault());
  const field = (name, text, input) => {
    input.id = "control-" + name;
    let frame; // what is typed faster than it is drawn is looked for once
    input.addEventListener("input", () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => state.set({ [name]: input.value }));
    });
    controls.append(el("label", {}, text, input));
  };
  const choice = (name, text, options) => field(name, text, el("select", {}, options.map(([value, label]) => el("option", { value }, label))));
  // A list of thousands is typed into, not scrolled through.
  const either = (name, text, names) => {
    const sorted = names.filter(Boolean).sort();
    if (sorted.length <= 50) {
      choice(name, text, [["", "all"], ...sorted.map((n) => [n, n.length > 60 ? n.slice(0, 60) + "…" : n])]);
      return;
    }
    const list = el("datalist", { id: "options-" + name }, sorted.slice(0, 2000).map((n) => el("option", { value: n })));
    controls.append(list);
    field(name, text, el("input", { type: "search", list: list.id, placeholder: "all", autocomplete: "off" }));
  };
  field("q", "Search", el("input", { type: "search", placeholder: "key, pod or node", autocomplete: "off", maxlength: "200" }));
  choice("sort", "Order", [["clustered", "alike together"], ["pods", "rows by pods"], ["nodes", "columns by nodes"], ["name", "by name"]]);
  either("ns", "Namespace", data.namespaces);
  either("owner", "Owner", data.owners);
  either("pool", "Node pool", data.pools);
  choice("effect", "Effect", [["", "all"], ["NoSchedule", "NoSchedule"], ["PreferNoSchedule", "PreferNoSchedule"], ["NoExecute", "NoExecute"]]);
  const button = (text, label, act) => el("button", { type: "button", class: "zoom", "aria-label": label, onclick: act }, text);
  controls.append(el("span", { class: "buttons", role: "group", "aria-label": "Zoom" },
    button("−", "Zoom out", () => matrix.zoom(1 / 1.4)), button("+", "Zoom in", () => matrix.zoom(1.4)), button("Fit", "Fit all in", () => state.set({ zoom: "", at: "" })),
    el("button", { type: "button", id: "reset", onclick: () => state.set({ q: "", sort: "clustered", ns: "", owner: "", pool: "", effect: "", zoom: "", at: "", table: "", row: "", column: "" }) }, "Reset")));
  addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) {
      e.preventDefault();
      state.set({ tab: "matrix" });
      byId("control-q").focus();
    }
  });
  byId("skip").addEventListener("click", (e) => {
    e.preventDefault();
    byId("canvas").focus();
  });
}

function syncControls(state) {
  for (const name of filters) {
    const input = byId("control-" + name);
    if (input.value !== state.get(name)) {
      input.value = state.get(name);
    }
  }
  byId("theme").textContent = "Theme: " + (state.get("theme") || "system");
  byId("canvas").setAttribute("aria-label", "Matrix of toleration lists by taint lists. " + byId("counts").textContent);
}

const tabs = [["matrix", "Matrix"], ["table", "Table"], ["findings", "Findings"], ["silence", "If a pool goes silent"], ["whatif", "What if"]];

function makeTabs(data, state) {
  const shown = tabs.filter(([name]) => name !== "whatif" || data.live);
  const choose = (name) => {
    state.set({ tab: name });
    byId("tab-" + name).focus();
  };
  byId("tabs").append(...shown.map(([name, text]) => el("button", {
    type: "button", role: "tab", id: "tab-" + name, "aria-controls": "view-" + name,
    onclick: () => choose(name),
    onkeydown: (e) => {
      const at = shown.findIndex(([n]) => n === name) + { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (shown[at]) {
        choose(shown[at][0]);
      }
    },
  }, text + (name === "findings" ? " (" + number(data.findings.length) + ")" : ""))));
  if (!data.live) {
    byId("view-whatif").remove();
  }
}

function showTab(state) {
  const chosen = byId("tab-" + state.get("tab")) ? state.get("tab") : "matrix";
  for (const [name] of tabs) {
    const tab = byId("tab-" + name);
    if (tab) {
      tab.setAttribute("aria-selected", String(name === chosen));
      tab.tabIndex = name === chosen ? 0 : -1;
      byId("view-" + name).classList.toggle("off", name !== chosen);
    }
  }
  document.body.dataset.tab = chosen;
}

function makeButtons(state) {
  byId("theme").addEventListener("click", () => state.set({ theme: { "": "light", light: "dark", dark: "" }[state.get("theme")] }));
  byId("link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("link").textContent = "Copied";
    } catch {
      byId("link").textContent = "Copy it from the address";
    }
    setTimeout(() => (byId("link").textContent = "Copy link"), 2000);
  });
}

function applyTheme(state) {
  if (["light", "dark"].includes(state.get("theme"))) {
    document.documentElement.dataset.theme = state.get("theme");
  } else {
    delete document.documentElement.dataset.theme;
  }
}

// printing draws the matrix in light colours and as wide as paper, and back.
function printing(matrix, begins) {
  const root = document.documentElement;
  if (begins) {
    root.dataset.before = root.dataset.theme || "";
    root.dataset.theme = "light";
  } else if (root.dataset.before) {
    root.dataset.theme = root.dataset.before;
  } else {
    delete root.dataset.theme;
  }
  document.querySelectorAll("#view-silence details").forEach((d) => (d.open = begins));
  matrix.onPaper(begins);
}

start();
