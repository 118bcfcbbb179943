// What would be if: asks the program that serves the page, and shows its answer.
import { el, code, byId, number, count, duration, pager } from "./dom.js";

const example = "kubectl cordon NODE\nkubectl taint nodes NODE maintenance=true:NoExecute\ntolerations dedicated=gpu:NoSchedule DaemonSet kube-system/agent";
const limitNames = [["maxNodes", "Nodes at a time"], ["maxPods", "Evicted pods at a time"], ["maxPercent", "Evicted, percent of all"], ["maxPerOwner", "Evicted pods of an owner"]];

// showWhatIf makes the box, which asks as one types.
export function showWhatIf(model, state) {
  const place = byId("view-whatif");
  if (!model.data.live || !place) {
    return;
  }
  const plan = el("textarea", { id: "plan", rows: "7", spellcheck: "false", autocomplete: "off", placeholder: example, maxlength: "60000" });
  const limits = limitNames.map(([name, text]) => [name, text, el("input", { type: "number", min: "0", step: name === "maxPercent" ? "any" : "1", id: "limit-" + name, placeholder: "no limit" })]);
  const answer = el("div", { id: "answer", "aria-live": "polite", "aria-busy": "false" });
  let asked;
  let waiting;
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const question = { plan: plan.value };
    limits.forEach(([name, , input]) => (question[name] = Number(input.value) || 0));
    answer.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(model.data.live, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal });
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
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.set({ plan: plan.value });
      ask();
    }, 120);
  };
  [plan, ...limits.map(([, , input]) => input)].forEach((input) => input.addEventListener("input", later));
  plan.value = state.get("plan");
  place.append(
    el("p", {}, "Commands, one a line: kubectl taint, kubectl cordon, kubectl uncordon, or tolerations LIST OWNER. Nothing is carried out."),
    el("label", { class: "box" }, "Plan", plan),
    el("div", { class: "buttons" }, limits.map(([, text, input]) => el("label", { class: "box" }, text, input))),
    answer,
  );
  if (plan.value) {
    ask();
  }
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
    el("h3", {}, count(s.nodes, "node") + " change, " + count(total, "pod") + " leave"),
    el("p", {}, sums(s)),
    a.commands && copier("Copy as kubectl commands", a.commands),
    el("h3", {}, "Limits"),
    a.violations.length > 0 ? el("ul", {}, a.violations.map((v) => el("li", { dir: "auto" }, v))) : el("p", {}, "All are kept."),
    total > 0 && [
      el("h3", {}, "Who leaves, and when"),
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
    a.stageError ? el("p", { dir: "auto" }, a.stageError) : stages(a),
  ];
}

function sums(s) {
  return [[s.now, "at once"], [s.later, "later"], [s.leaving, "leave in any case"], [s.spared, "are spared"], [s.stay, "stay"]].filter(([n]) => n > 0).map(([n, text]) => number(n) + " " + text).join(", ") || "No pod is concerned.";
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
