// Shows what a service kept for the developer on this machine, and looks again while the page is seen.

const mostShown = 50

const showMail = ({ to, subject, text, sent_at }) => {
  const [link] = /^https?:\/\/\S+$/m.exec(text) ?? []
  const open = link === undefined ? [] : [make("p", {}, make("a", { href: link }, "Open the link"))]
  const details = make("details", {}, make("summary", { class: "small" }, "Text"), make("pre", { class: "wrap" }, text))
  return entry(subject, `${to}, ${showTime(sent_at)}`, ...open, details)
}

const showPush = ({ title, body, provider, token, payload, at }) =>
  entry(
    title,
    `${provider}, ${showTime(at)}`,
    make("p", {}, body),
    make("p", { class: "quiet small" }, "to ", make("code", {}, token)),
    make(
      "details",
      {},
      make("summary", { class: "small" }, "What the provider would have been sent"),
      make("pre", {}, JSON.stringify(payload, null, 2)),
    ),
  )

const showProject = ({ id, name, created_at, keys }) =>
  entry(
    name,
    showTime(created_at),
    make("p", { class: "quiet small" }, "project ", make("code", {}, id)),
    ...keys.map(({ key }) => copied(key)),
    ...(keys.length === 0 ? [make("p", { class: "quiet" }, "All of its keys are revoked.")] : []),
  )

/** Fills a list from an address. Entries that are there stay as they are, so that what was unfolded stays unfolded. */
const makeList = (name, show, idOf) => {
  const list = document.getElementById(name)
  if (list === null) return () => {}
  const empty = list.firstElementChild
  const shown = new Map()
  return async () => {
    const rows = (await read(`/dev/${name}`)).slice(0, mostShown)
    const entries = rows.map((row) => {
      const id = idOf(row)
      const element = shown.get(id) ?? show(row)
      shown.set(id, element)
      return element
    })
    const wanted = entries.length === 0 ? [empty] : entries
    if (wanted.length !== list.children.length || wanted[0] !== list.firstElementChild) list.replaceChildren(...wanted)
  }
}

addEventListener("DOMContentLoaded", () => {
  const lists = [
    makeList("outbox", showMail, ({ id }) => id),
    makeList("push", showPush, ({ delivery_id, at }) => `${delivery_id} ${at}`),
    makeList("projects", showProject, (project) => JSON.stringify(project)),
  ]
  const state = document.getElementById("state")
  const look = async () => {
    if (document.visibilityState !== "visible") return
    try {
      await Promise.all(lists.map((fill) => fill()))
      state.textContent = ""
    } catch {
      state.textContent = "The service does not answer. The page looks again by itself."
    }
  }
  document.addEventListener("visibilitychange", look)
  setInterval(look, 5000)
  void look()
})
