// What would be if: asks the program that serves the page, and shows its answer.
import { el, code, byId, number, count, duration, pager } from "./dom.js";

const example = "kubectl cordon NODE\nkubectl taint nodes NODE maintenance=true:NoExecute\ntolerations dedicated=gpu:NoSchedule DaemonSet kube-system/agent";
const budgetExample = "web=1:Deployment shop/web,Deployment shop/api";
const limitNames = [["maxNodes", "Nodes at a time", "1"], ["maxPods", "Evicted pods at a time", "1"], ["maxPercent", "Evicted, % of running pods", "any"], ["maxPerOwner", "Evicted pods of one owner", "1"]];

// showWhatIf makes the box, which asks as one types.
export function showWhatIf(model, state) {
  const place = byId("view-whatif");
  if (!model.data.live || !place) {
    return;
  }
  const area = (name, rows, placeholder) => el("textarea", { id: name, rows, spellcheck: "false", autocomplete: "off", placeholder, maxlength: "60000" });
  const inputs = { plan: area("plan", "8", example), budgets: area("budgets", "2", budgetExample) };
  limitNames.forEach(([name, , step]) => (inputs[name] = el("input", { type: "number", min: "0", step, id: "limit-" + name, placeholder: "no limit" })));
  const answer = el("div", { id: "answer", "aria-live": "polite", "aria-busy": "false" });
  const ask = asker(model.data.live, inputs, answer);
  let waiting;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.set(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])));
      ask();
    }, 120);
  };
  // read takes over what the address says.
  const read = () => {
    const changed = Object.entries(inputs).filter(([name, input]) => input.value !== state.get(name));
    changed.forEach(([name, input]) => (input.value = state.get(name)));
    return changed.length > 0;
  };
  Object.values(inputs).forEach((input) => input.addEventListener("input", later));
  state.listeners.push((names) => Object.keys(inputs).some((name) => names.has(name)) && read() && ask());
  place.append(el("div", { class: "plan" },
    el("div", {},
      el("p", {}, "What would happen, one command a line: kubectl taint, kubectl cordon, kubectl uncordon, or tolerations LIST OWNER. Nothing is carried out."),
      el("label", { class: "box" }, "Plan", inputs.plan),
      el("h3", {}, "Limits to keep, in each stage"),
      el("div", { class: "buttons" }, limitNames.map(([name, text]) => el("label", { class: "box" }, text, inputs[name]))),
      el("label", { class: "box" }, "Disruption budgets, one a line: NAME=EVICTIONS, and :OWNER,OWNER if it is for some only", inputs.budgets)),
    answer));
  if (read()) {
    ask();
  }
}

// asker returns a function that asks about what is in the inputs, and shows the answer.
function asker(address, inputs, answer) {
  let asked;
  return async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const question = { plan: inputs.plan.value, budgets: inputs.budgets.value };
    limitNames.forEach(([name]) => (question[name] = Number(inputs[name].value) || 0));
    answer.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal });
      const content = response.ok ? answered(await response.json()) : [failed([await response.text()])];
      answer.replaceChildren(...content.flat(3).filter(Boolean));
    } catch (e) {
      if (signal.aborted) {
        return; // typed over
      }
      answer.replaceChildren(failed(["The program does not answer. Does it still run?"]));
    }
    answer.setAttribute("aria-busy", "false");
  };
}

function failed(lines) {
  return el("ul", { class: "errors" }, lines.map((line) => el("li", { dir: "auto" }, line)));
}

// answered shows an answer, the sum first.
function answered(a) {
  if (a.errors.length > 0) {
    return [failed(a.errors)];
  }
  const s = a.summary;
  const total = s.now + s.later;
  return [
    el("h3", {}, count(s.nodes, "node") + (s.nodes === 1 ? " is" : " are") + " affected, " + count(total, "pod") + (total === 1 ? " is" : " are") + " evicted"),
    tiles(s),
    a.commands && copier("Copy as kubectl commands", a.commands),
    el("h3", {}, "Limits"),
    limits(a),
    total > 0 && [
      el("h3", {}, "Who is evicted, and when"),
      pager(a.evictions, (e) => [code(e.pod), " from ", code(e.node), e.seconds > 0 ? " after " + duration(e.seconds) : " at once", ", because of ", code(e.taint)]),
      total > a.evictions.length && el("p", { class: "note" }, number(total - a.evictions.length) + " more."),
    ],
    a.classes.length > 0 && [
      el("h3", {}, "Who gains or loses nodes"),
      pager(a.classes, (c) => concerned(c)),
      a.moreClasses > 0 && el("p", { class: "note" }, number(a.moreClasses) + " more lists."),
    ],
    a.unschedulable.length > 0 && [el("h3", {}, "Who finds no node any more"), pager(a.unschedulable, (c) => concerned(c))],
    el("h3", {}, "Stages"),
    a.stageError ? el("p", { class: "broken", dir: "auto" }, "✕ " + a.stageError) : stages(a),
  ];
}

// tiles shows the numbers of an answer.
function tiles(s) {
  const all = [[s.nodes, "nodes affected"], [s.now, "pods evicted at once"], [s.later, "pods evicted later"], [s.anyway, "evicted in any case"], [s.spared, "are spared"], [s.stay, "stay"]];
  return el("ul", { class: "tiles" }, all.map(([n, text], i) => (n > 0 || i < 3) && el("li", {}, el("strong", {}, number(n)), text)));
}

// limits says for the plan as a whole which limits it breaks.
function limits(a) {
  if (a.limits === 0) {
    return el("p", { class: "note" }, "None are set.");
  }
  const kept = a.violations.length === 0;
  return el("ul", { class: "limits" },
    kept && el("li", { class: "kept" }, "✓ ", a.limits === 1 ? "The limit is kept." : "All " + a.limits + " limits are kept."),
    a.violations.map((v) => el("li", { class: "broken", dir: "auto" }, "✕ " + v)));
}

function sums(s) {
  return [[s.now, "at once"], [s.later, "later"], [s.anyway, "evicted in any case"], [s.spared, "are spared"], [s.stay, "stay"]].filter(([n]) => n > 0).map(([n, text]) => number(n) + " " + text).join(", ") || "No pod is concerned.";
}

function concerned(c) {
  const changes = [c.lost > 0 && "lose " + count(c.lost, "node"), c.gained > 0 && "gain " + count(c.gained, "node"), c.evicted > 0 && number(c.evicted) + " evicted"].filter(Boolean).join(", ");
  return [count(c.pods, "pod") + (changes ? ": " + changes : "") + "; ", c.owner ? code(c.owner) : "", " ", code(c.tolerations || "(no tolerations)")];
}

function stages(a) {
  if (a.stages.length === 0) {
    return el("p", {}, "There is nothing to do.");
  }
  return [
    el("ol", {}, a.stages.map((stage, i) => el("li", {}, count(stage.summary.nodes, "node") + ": " + sums(stage.summary) + " ", stage.commands ? copier("Copy stage " + (i + 1), stage.commands) : ""))),
    a.moreStages > 0 && el("p", { class: "note" }, number(a.moreStages) + " more stages."),
  ];
}

// copier is a button that copies commands, and shows them.
function copier(text, commands) {
  const button = el("button", { type: "button", class: "small" }, text);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(commands + "\n");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy them below";
    }
    setTimeout(() => (button.textContent = text), 2000);
  });
  return el("div", {}, button, el("details", {}, el("summary", {}, "Commands"), el("pre", { tabindex: "0", "aria-label": "Commands" }, commands)));
}
