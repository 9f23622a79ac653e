import { content } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { html, makePage, wantsHtml } from "./page.ts"

const summary =
  "An engagement backend: users, events, streaks, achievements, currencies, content, groups, push and more."

/** `GET /`: what this is and where to go, as a page for browsers and as JSON for everybody else. */
export const makeWelcome = (version: string, hasDevelopmentPages: boolean): Responder => {
  const places = [
    { name: "console", path: "/console", says: "look at everything, and act: users, definitions, work lists" },
    { name: "reference", path: "/docs", says: "every route, with samples and calls to try; how to get started" },
    { name: "openapi", path: "/openapi.json", says: "the same for programs, as OpenAPI 3.1" },
    { name: "api", path: "/v1", says: "where all routes of the API begin" },
    { name: "health", path: "/health/ready", says: "whether it works, and what it needs" },
    { name: "keys", path: "/.well-known/jwks.json", says: "the public keys that verify session tokens" },
    ...(hasDevelopmentPages
      ? [{ name: "development", path: "/dev", says: "mails, pushes and client keys of this machine" }]
      : []),
  ]
  const links = Object.fromEntries(places.map(({ name, path }) => [name, path]))
  const json = `${JSON.stringify({ data: { name: "Hearth", version, summary, links } }, null, 2)}\n`
  const rows = places.map(({ path, says }) => {
    // Nothing is answered at /v1 itself.
    const shown = path === "/v1" ? html`<code>${path}</code>` : html`<a href="${path}">${path}</a>`
    return html`<div><dt>${shown}</dt><dd>${says}</dd></div>
`
  })
  const body = html`<main>
<h1>Hearth</h1>
<p class="quiet">Version ${version}</p>
<p>${summary}</p>
<dl>
${rows}</dl>
</main>`
  const page = makePage({ title: "Hearth", body, style: "style.css" })
  return ({ req }, context) =>
    wantsHtml(req.headers)
      ? content(context, 200, "text/html; charset=utf-8", page.text, page.headers)
      : content(context, 200, "application/json", json, { vary: "accept" })
}
