// What the pages of development have in common. Texts stay texts: nothing here makes HTML of them.

/** An element with its attributes, listeners and children. */
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/** The data that an address of this server answers. */
const read = async (path) => (await (await fetch(path)).json()).data

/** A text, and a button that copies it. */
const copied = (text) => {
  const button = make("button", { type: "button", click: () => copy() }, "Copy")
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 1500)
  }
  return make("div", { class: "copied" }, make("pre", { class: "wrap" }, make("code", {}, text)), button)
}

/** An entry of a list: a heading, what is said quietly beside it, and the rest. */
const entry = (heading, beside, ...rest) =>
  make(
    "div",
    { class: "entry" },
    make("div", { class: "head" }, make("h3", {}, heading), make("span", { class: "quiet small" }, beside)),
    ...rest,
  )

const showTime = (instant) => new Date(instant).toLocaleString()
