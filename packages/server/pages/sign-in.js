// Signs in with the token of a magic link, as an app would, and shows what the app would get.

const token = new URLSearchParams(location.search).get("token")
// It works once; nobody needs it in the history.
history.replaceState(null, "", location.pathname)

const show = (heading, ...content) => {
  document.title = `${heading} · Hearth`
  document.getElementById("result").replaceChildren(make("h1", {}, heading), ...content)
}

const showSession = (key, { user, session_token, refresh_token }) => {
  const me = [
    `curl ${location.origin}/v1/client/users/me \\`,
    `  -H 'x-api-key: ${key}' \\`,
    `  -H 'authorization: Bearer ${session_token}'`,
  ]
  show(
    "Signed in",
    make("p", {}, user.email ?? "", " is user ", make("code", {}, user.id), "."),
    make("h2", {}, "Session token"),
    copied(session_token),
    make("h2", {}, "Refresh token"),
    copied(refresh_token),
    make("h2", {}, "A first call"),
    copied(me.join("\n")),
  )
}

const signIn = async (key) => {
  const answer = await fetch("/v1/client/auth/magic-link/verify", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ token }),
  })
  const { data, error } = await answer.json()
  if (answer.ok) return showSession(key, data)
  show(
    "Not signed in",
    make("p", {}, error.message, " ", make("code", {}, error.code)),
    make("p", {}, "A link works once, and for 15 minutes. ", make("a", { href: "/dev" }, "Mails and projects")),
  )
}

/** The service was started again since the mail: it no longer knows whose link it is. */
const askForProject = (projects) => {
  const options = projects
    .filter(({ keys }) => keys.length > 0)
    .map(({ name, keys }) => make("option", { value: keys[0].key }, name))
  const select = make("select", { id: "project" }, ...options)
  const button = make("button", { class: "main", type: "button", click: () => signIn(select.value) }, "Sign in")
  show(
    "Whose link is this?",
    make("p", {}, "The mail is no longer kept. Which project is it of?"),
    make("p", {}, make("label", { for: "project" }, "Project "), select),
    make("p", {}, button),
  )
}

const run = async () => {
  if (token === null)
    return show(
      "No link",
      make("p", {}, "A magic link opens this page with its token. ", make("a", { href: "/dev" }, "The newest mails")),
    )
  const mail = ((await read("/dev/outbox")) ?? []).find(({ text }) => text.includes(`token=${token}`))
  const id = mail?.project_id
  const projects = await read(id === undefined ? "/dev/projects" : `/dev/projects?id=${encodeURIComponent(id)}`)
  const [first] = id === undefined ? [] : (projects[0]?.keys ?? [])
  return first === undefined
    ? askForProject(id === undefined ? projects : await read("/dev/projects"))
    : signIn(first.key)
}

addEventListener("DOMContentLoaded", () => {
  run().catch((error) => show("Not signed in", make("p", {}, String(error))))
})
