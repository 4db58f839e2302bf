// The small menu of a class or cluster.

function menuItems(g, axis, index) {
  const { before, after } = AXES[axis];
  const last = namesOf(g.table, axis).length - 1;
  const item = (text, run, able = true) => ({ text, run, able });
  const [r, c] = axis === "class" ? [index, -1] : [-1, index];
  const [earlier, later] = axis === "class" ? ["above", "below"] : ["to the left", "to the right"];
  return [
    item("Rename", () => openEditor(g, r, c)),
    item(`Insert a ${axis} ${earlier}`, () => addAt(g, axis, index)),
    item(`Insert a ${axis} ${later}`, () => addAt(g, axis, index + 1)),
    item(`Move ${before}`, () => moveTo(g, axis, index, index - 1), index > 0),
    item(`Move ${after}`, () => moveTo(g, axis, index, index + 1), index < last),
    item("Remove", () => remove(g, axis, index)),
  ];
}

function openMenu(g, head) {
  const { axis, index } = spotOf(head);
  const name = namesOf(g.table, axis)[index];
  setActive(g, ...(axis === "class" ? [index, -1] : [-1, index]));
  g.menu.setAttribute("aria-label", `${axis} ${name}`);
  g.menu.replaceChildren(
    ...menuItems(g, axis, index).map(({ text, run, able }) => {
      const item = el(
        "button",
        { type: "button", role: "menuitem", tabindex: "-1", "aria-disabled": able ? undefined : "true" },
        text,
      );
      item.addEventListener("click", () => {
        if (!able) return;
        closeMenu(g);
        run();
      });
      return item;
    }),
  );
  g.menu.showPopover();
  const box = head.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = g.menu;
  g.menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - offsetWidth - 8))}px`;
  const below = box.bottom + 4;
  const above = Math.max(8, box.top - offsetHeight - 4);
  g.menu.style.top = `${below + offsetHeight > innerHeight ? above : below}px`;
  g.menu.firstChild.focus();
}

function closeMenu(g) {
  if (!g.menu.matches(":popover-open")) return;
  g.menu.hidePopover();
  g.tabbable.focus({ preventScroll: true });
}

function onMenuKey(g, event) {
  const items = [...g.menu.children];
  const at = items.indexOf(event.target);
  const go = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  event.stopPropagation();
  if (go !== undefined) items[(go + items.length) % items.length].focus();
  else if (event.key === "Escape" || event.key === "Tab") closeMenu(g);
  else return;
  event.preventDefault();
}
