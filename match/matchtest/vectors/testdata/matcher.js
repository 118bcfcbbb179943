// A matcher in JavaScript. It answers five kinds of questions of the vectors: tolerates,
// untolerated, fits, scores and verdict.
//
// JSON.parse rounds whole numbers above 2^53. Here that is harmless: seconds that are so
// many are cut to the longest time anyway, before they are compared.

const readline = require("readline");

const longest = 9223372036854; // milliseconds, rule E3

// Rule N2: a canonical decimal integer of 64 bits, or null.
function integer(text) {
  if (!/^(0|-?[1-9][0-9]*)$/.test(text)) return null;
  const n = BigInt(text);
  return n === BigInt.asIntN(64, n) ? n : null;
}

// Rules M1 to M6 and N1 to N4. A member that is not there is empty.
function tolerates(t, x, gate) {
  if (t.effect && t.effect !== x.effect) return false;
  if (t.key && t.key !== x.key) return false;
  const [theirs, mine] = [x.value || "", t.value || ""];
  switch (t.operator || "Equal") {
    case "Exists":
      return true;
    case "Equal":
      return theirs === mine;
    case "Gt":
    case "Lt": {
      const [a, b] = [integer(theirs), integer(mine)];
      if (!gate || a === null || b === null) return false;
      return t.operator === "Gt" ? a > b : a < b;
    }
  }
  return false;
}

const taintsOf = (node) => node.spec.taints || [];
const tolerationsOf = (pod) => pod.spec.tolerations || [];

// The indexes of the taints with one of the effects, or any, that nothing tolerates.
function untolerated(pod, node, gate, ...effects) {
  const left = [];
  taintsOf(node).forEach((x, i) => {
    if (effects.length > 0 && !effects.includes(x.effect)) return;
    if (!tolerationsOf(pod).some((t) => tolerates(t, x, gate))) left.push(i);
  });
  return left;
}

const keepsOut = (pod, node, gate) => untolerated(pod, node, gate, "NoSchedule", "NoExecute")[0];
const repels = (pod, node, gate) => untolerated(pod, node, gate, "PreferNoSchedule");

function scheduling(pod, node, gate) {
  const hard = keepsOut(pod, node, gate);
  if (hard !== undefined) return { scheduling: "unschedulable", schedulingTaint: hard };
  const soft = repels(pod, node, gate)[0];
  if (soft !== undefined) return { scheduling: "avoid", schedulingTaint: soft };
  return { scheduling: "schedulable" };
}

// Rules E1 to E3: of each taint, the first toleration that matches counts, and then the
// least of their times, the first of several.
function eviction(pod, node, gate) {
  const now = untolerated(pod, node, gate, "NoExecute")[0];
  if (now !== undefined) return { eviction: "evict now", evictionTaint: now };
  let milliseconds, taint;
  taintsOf(node).forEach((x, i) => {
    if (x.effect !== "NoExecute") return;
    const seconds = tolerationsOf(pod).find((t) => tolerates(t, x, gate)).tolerationSeconds;
    if (seconds === undefined) return;
    const n = Math.max(0, Math.min(1000 * seconds, longest));
    if (milliseconds === undefined || n < milliseconds) [milliseconds, taint] = [n, i];
  });
  if (milliseconds === undefined) return { eviction: "stay" };
  if (milliseconds === 0) return { eviction: "evict now", evictionTaint: taint };
  return { eviction: "evict after", evictionTaint: taint, milliseconds };
}

// Rule F4: from 100 for the fewest taints down to 0 for the most.
function scores(counts) {
  const most = Math.max(...counts);
  return counts.map((n) => (most === 0 ? 100 : 100 - Math.floor((100 * n) / most)));
}

const kinds = {
  tolerates: ({ toleration, taint }, gate) => tolerates(toleration, taint, gate),
  untolerated: ({ pod, node }, gate) => untolerated(pod, node, gate),
  fits: ({ pod, node }, gate) => {
    const taint = keepsOut(pod, node, gate);
    return taint === undefined ? { fits: true } : { fits: false, taint };
  },
  scores: ({ pod, nodes }, gate) => scores(nodes.map((node) => repels(pod, node, gate).length)),
  verdict: ({ pod, node }, gate) => ({ ...scheduling(pod, node, gate), ...eviction(pod, node, gate) }),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, ask, input } = JSON.parse(line);
  const gate = (input.featureGates || {}).TaintTolerationComparisonOperators;
  const answer = kinds[ask];
  console.log(JSON.stringify(answer ? { id, answer: answer(input, gate) } : { id, unsupported: true }));
});
