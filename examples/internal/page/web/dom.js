// Elements. Text from the data is only ever put into text nodes and attributes that hold
// text, so that no name becomes markup.

// el makes an element: properties are attributes, except on..., which are listeners.
export function el(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

// svg makes an element of a picture, as el does.
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

// code shows a name or a list as it is, in the direction of its own script.
export function code(text) {
  return el("code", { dir: "auto" }, text === "" ? "(empty)" : text);
}

// byId returns an element of the page.
export function byId(id) {
  return document.getElementById(id);
}

// number writes a number with commas.
export function number(n) {
  return n.toLocaleString("en-US");
}

// count writes a number with the word for what is counted.
export function count(n, what) {
  return n === 1 ? "1 " + what : number(n) + " " + what + "s";
}

// duration writes seconds as people say them.
export function duration(seconds) {
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  let rest = Math.round(seconds);
  let text = "";
  for (const [size, unit] of parts) {
    const n = Math.floor(rest / size);
    if (n > 0) {
      text += (text ? " " : "") + n + " " + unit;
      rest -= n * size;
    }
  }
  return text || "0 s";
}

// pager shows a long list of things a hundred at a time.
export function pager(items, show) {
  const list = el("ul", { class: "plain" });
  let shown = 0;
  const more = el("button", { type: "button", onclick: () => add() });
  const add = () => {
    const next = items.slice(shown, shown + 100);
    list.append(...next.map((item) => el("li", {}, show(item))));
    shown += next.length;
    more.textContent = "Show more (" + number(items.length - shown) + ")";
    more.hidden = shown >= items.length;
  };
  add();
  return [list, more];
}
