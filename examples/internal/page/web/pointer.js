// Mouse and fingers on the matrix: click, drag, wheel and pinch.

const dragFrom = 5; // pixels: less is a click

// followPointer has a matrix follow the mouse and two fingers. One finger scrolls, as
// everywhere.
export function followPointer(matrix) {
  const { canvas, scroller } = matrix;
  let held; // where the mouse was pressed
  let dragged = false;
  canvas.addEventListener("pointerdown", (e) => {
    dragged = false;
    if (e.pointerType === "mouse" && e.button === 0) {
      held = { x: e.clientX, y: e.clientY, left: scroller.scrollLeft, top: scroller.scrollTop };
    }
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!held) {
      matrix.pointAt(e);
      return;
    }
    const dx = e.clientX - held.x;
    const dy = e.clientY - held.y;
    if (!dragged && Math.hypot(dx, dy) >= dragFrom) {
      dragged = true;
      canvas.setPointerCapture(e.pointerId);
      canvas.classList.add("dragged");
    }
    if (dragged) {
      scroller.scrollTo(held.left - dx, held.top - dy);
    }
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(end, () => {
      held = undefined;
      canvas.classList.remove("dragged");
    });
  }
  canvas.addEventListener("click", (e) => dragged || matrix.chooseAt(e));

  scroller.addEventListener("wheel", (e) => {
    if (e.ctrlKey || e.metaKey) { // a pinch on a touchpad has the same
      e.preventDefault();
      matrix.zoomAt(e.deltaY < 0 ? 1.2 : 1 / 1.2, e);
    }
  }, { passive: false });

  let apart; // how far two fingers are from each other
  const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  const middle = ([a, b]) => ({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
  const touch = (e) => {
    if (e.touches.length !== 2) {
      apart = undefined;
      return;
    }
    e.preventDefault();
    const now = distance(e.touches);
    if (apart) {
      matrix.zoomAt(now / apart, middle(e.touches));
    }
    apart = now;
  };
  for (const name of ["touchstart", "touchmove", "touchend"]) {
    canvas.addEventListener(name, touch, { passive: false });
  }
}
