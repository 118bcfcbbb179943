"""A matcher in another language. It answers three kinds of questions of the vectors:
tolerates, untolerated and fits. With the name of a mistake as its argument it makes it:

    gt-as-text      Gt and Lt compare texts
    exists-any      an empty key with Exists matches every effect
    prefer-is-hard  PreferNoSchedule keeps a pod out
"""

import json
import re
import sys

MISTAKE = sys.argv[1] if len(sys.argv) > 1 else ""
INTEGER = re.compile(r"(0|-?[1-9][0-9]*)\Z", re.ASCII)
HARD = {"NoSchedule", "NoExecute"}
if MISTAKE == "prefer-is-hard":
    HARD.add("PreferNoSchedule")


def integer(text):
    """Rule N2: a canonical decimal integer of 64 bits, or None."""
    if not INTEGER.match(text):
        return None
    n = int(text)
    return n if -(2**63) <= n < 2**63 else None


def values(operator, taint, toleration, gate):
    """Rules M2, N1 and N4."""
    if operator in ("", "Equal"):
        return taint == toleration
    if operator == "Exists":
        return True
    if operator not in ("Gt", "Lt") or not gate:
        return False
    if MISTAKE == "gt-as-text":
        return taint > toleration if operator == "Gt" else taint < toleration
    a, b = integer(taint), integer(toleration)
    if a is None or b is None:
        return False
    return a > b if operator == "Gt" else a < b


def tolerates(toleration, taint, gate):
    """Rules M1 and M3: an empty effect or key matches every one."""
    effect, key = toleration.get("effect", ""), toleration.get("key", "")
    operator = toleration.get("operator", "")
    if MISTAKE == "exists-any" and not key and operator == "Exists":
        return True
    if effect and effect != taint.get("effect", ""):
        return False
    if key and key != taint.get("key", ""):
        return False
    return values(operator, taint.get("value", ""), toleration.get("value", ""), gate)


def answer(ask, given):
    gate = given.get("featureGates", {}).get("TaintTolerationComparisonOperators", False)
    if ask == "tolerates":
        return tolerates(given["toleration"], given["taint"], gate)
    taints = given["node"]["spec"].get("taints", [])
    tolerations = given["pod"]["spec"].get("tolerations", [])
    left = [i for i, x in enumerate(taints) if not any(tolerates(t, x, gate) for t in tolerations)]
    if ask == "untolerated":
        return left
    for i in left:
        if taints[i].get("effect", "") in HARD:
            return {"fits": False, "taint": i}
    return {"fits": True}


for line in sys.stdin:
    question = json.loads(line)
    reply = {"id": question["id"]}
    if question["ask"] in ("tolerates", "untolerated", "fits"):
        reply["answer"] = answer(question["ask"], question["input"])
    else:
        reply["unsupported"] = True
    print(json.dumps(reply), flush=True)
