// Shows one view of the page at a time, copies, and asks the program that serves it. What it
// shows is in the page, or comes from the program as HTML that the same templates make.

const live = document.body.dataset.live === "true";
const byId = (id) => document.getElementById(id);
const views = [...document.querySelectorAll(".view")];
const policy = globalThis.trustedTypes ? trustedTypes.createPolicy("tolero", { createHTML: (text) => text }) : { createHTML: (text) => text };

// show shows the view that the address names, or that of the element that it names, and brings
// the element into sight. The program explains the cells that are not in the page.
async function show() {
  const id = decodeURIComponent(location.hash.slice(1)) || "overview";
  if (live && !byId(id) && /^[wl]c[0-9]+-[0-9]+$/.test(id)) {
    const place = document.createElement("div");
    byId("details").append(place);
    await ask("cell", { id }, place);
  }
  const target = byId(id) || views[0];
  const view = target.closest(".view") || views[0];
  views.forEach((v) => v.classList.toggle("shown", v === view));
  document.querySelectorAll("nav a").forEach((a) => (a.hash === "#" + view.id ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current")));
  document.querySelectorAll("#details article").forEach((a) => a.classList.toggle("shown", a === target));
  if (location.hash) {
    target.focus({ preventScroll: true });
    (target === view ? document.body : target).scrollIntoView();
  }
}

// The way back from details leads to the cell or line that led there.
let from;
document.addEventListener("click", (e) => {
  const link = e.target.closest("a[href^='#']");
  if (link && link.closest(".view:not(#details)")) {
    from = link;
    byId("back").hash = link.closest(".view").id;
  }
});
const goBack = () => {
  location.hash = byId("back").hash;
  setTimeout(() => from?.focus());
};
byId("back").addEventListener("click", (e) => {
  e.preventDefault();
  goBack();
});
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && byId("details").classList.contains("shown")) {
    goBack();
  }
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key];
  const cell = e.target.closest?.("td");
  if (step && cell) {
    e.preventDefault();
    const rows = [...cell.closest("table").querySelectorAll("tbody tr:not(.space)")].filter((r) => r.offsetParent);
    rows[rows.indexOf(cell.parentElement) + step[0]]?.cells[cell.cellIndex + step[1]]?.querySelector("a")?.focus();
  }
});

// copiers gives every text to copy a button.
function copiers(place) {
  place.querySelectorAll(".copy pre").forEach((pre) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "copier", textContent: "Copy" });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent.replace(/\n?$/, "\n"));
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(pre);
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    pre.before(button);
  });
}

// ask asks the program, and shows its answer.
let asked;
async function ask(path, question, place) {
  asked?.abort();
  asked = new AbortController();
  const { signal } = asked;
  place.setAttribute("aria-busy", "true");
  const bar = document.createElement("progress");
  bar.setAttribute("aria-label", "The program is asked");
  const slow = setTimeout(() => place.before(bar), 1000);
  try {
    const response = await fetch("ask/" + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question), signal });
    const text = await response.text();
    if (response.ok) {
      place.innerHTML = policy.createHTML(text);
    } else {
      place.textContent = text;
    }
    copiers(place);
  } catch {
    if (signal.aborted) {
      return; // typed over
    }
    place.textContent = "The program does not answer. Does it still run?";
  } finally {
    clearTimeout(slow);
    bar.remove();
  }
  place.setAttribute("aria-busy", "false");
}

const values = (form) => Object.fromEntries(new FormData(form));

if (live) {
  const plan = byId("ask-plan");
  let waiting;
  plan.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => ask("plan", values(plan), byId("answer-plan")), 150);
  });
  byId("ask-why").addEventListener("submit", (e) => {
    e.preventDefault();
    ask("why", values(e.target), byId("answer-why"));
  });
  document.addEventListener("click", (e) => {
    const button = e.target.closest(".go");
    if (button?.dataset.plan) {
      plan.elements.plan.value = button.dataset.plan;
      location.hash = "plan";
      ask("plan", values(plan), byId("answer-plan")).then(() => byId("answer-plan").scrollIntoView({ block: "nearest" }));
    } else if (button) {
      ask("outage", { of: button.dataset.of, name: button.dataset.name }, button.closest("article"));
    }
  });
}

// What is found in a matrix are rows, by the names of workloads and namespaces.
document.querySelectorAll(".find").forEach((input) => input.addEventListener("input", () => {
  const wanted = input.value.trim().toLowerCase();
  byId(input.dataset.for).querySelectorAll("tbody").forEach((space) => {
    const title = space.querySelector(".space button")?.textContent.toLowerCase() || "";
    space.querySelectorAll("tr:not(.space)").forEach((row) => row.classList.toggle("unfound", !(title + " " + row.cells[0].textContent.toLowerCase()).includes(wanted)));
  });
}));
document.querySelectorAll(".space button").forEach((button) => button.addEventListener("click", () => {
  button.setAttribute("aria-expanded", String(!button.closest("tbody").classList.toggle("closed")));
}));

const themes = ["system", "light", "dark"];
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").textContent = "Theme: " + name;
}
byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]));
setTheme("system");

copiers(document);
addEventListener("hashchange", show);
document.documentElement.dataset.ready = "true";
show();
