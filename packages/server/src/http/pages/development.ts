import type { KeptMail, KeptPush } from "@hearth/adapters"
import type { AddressReader } from "../request/address.ts"
import { content } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { answerHere } from "../system/here.ts"
import { type Html, html, makePage, type PageParts } from "./page.ts"

/** A project of this machine, with its client keys. */
export interface DevelopmentProject {
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly keys: ReadonlyArray<{ readonly name: string | null; readonly key: string }>
}

/** What a service shows to the developer on its machine without a credential. Only with the embedded database, never in production. */
export interface Development {
  /** The mails that were kept instead of sent, at `GET /dev/outbox`; left out where a mail server sends them. */
  readonly outbox?: () => ReadonlyArray<KeptMail>
  /** The pushes that were kept instead of sent, at `GET /dev/push`. */
  readonly pushes?: () => ReadonlyArray<KeptPush>
  /** The newest projects, or the one with an id, at `GET /dev/projects`. With it there are pages, too. */
  readonly projects?: (id: string | null) => Promise<ReadonlyArray<DevelopmentProject>>
}

const makeOverview = ({ outbox, pushes }: Development): Html => {
  const places = [
    ["/console", "look at everything, and act"],
    ["/docs", "every route, with samples and calls to try"],
    ...(outbox === undefined ? [] : [["/dev/outbox", "the mails below, as JSON"]]),
    ...(pushes === undefined ? [] : [["/dev/push", "the pushes below, as JSON"]]),
    ["/dev/projects", "the projects below, as JSON"],
    ["/health/ready", "whether it works, and what it needs"],
    ["/metrics", "figures for Prometheus"],
  ].map(
    ([path = "", says = ""]) => html`<div><dt><a href="${path}">${path}</a></dt><dd>${says}</dd></div>
`,
  )
  const mails = html`<h2>Mails</h2>
<p class="quiet small">Nothing is sent: the newest 200 are kept until the service stops.</p>
<div id="outbox"><p class="quiet">None yet. <code>POST /v1/client/auth/magic-link/request</code> makes one.</p></div>`
  const sent = html`<h2>Pushes</h2>
<p class="quiet small">What campaigns would have sent; the newest 1,000 are kept until the service stops.</p>
<div id="push"><p class="quiet">None yet. A campaign to a registered device makes some.</p></div>`
  return html`<main>
<h1>Development</h1>
<p>What this service keeps for you while its database is embedded. It is shown to this machine only.</p>
<p id="state" role="status"></p>
<dl>
${places}</dl>
${outbox === undefined ? [] : mails}
${pushes === undefined ? [] : sent}
<h2>Projects and their client keys</h2>
<p class="quiet small">The newest twenty. Client keys are in every copy of an app; they are no secrets.</p>
<div id="projects"><p class="quiet">None yet. The <a href="/docs">reference</a> says how to get started.</p></div>
<noscript><p>This page needs scripts; the addresses above do not.</p></noscript>
</main>`
}

const signIn = html`<main id="result" aria-live="polite">
<h1>Signing in …</h1>
<noscript><p>This page needs scripts.</p></noscript>
</main>`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const showPage = (parts: PageParts): Responder => {
  const page = makePage({ ...parts, style: "style.css" })
  return (_event, context) => content(context, 200, "text/html; charset=utf-8", page.text, page.headers)
}

const showList =
  (list: () => ReadonlyArray<unknown>): Responder =>
  (_event, context) =>
    content(context, 200, "application/json", JSON.stringify({ data: list() }))

const showProjects =
  (projects: NonNullable<Development["projects"]>): Responder =>
  async ({ url }, context) => {
    const id = url.searchParams.get("id")
    const rows = id === null || uuid.test(id) ? await projects(id) : []
    return content(context, 200, "application/json", JSON.stringify({ data: rows }))
  }

/**
 * What is for the developer on this machine: mails [B11], pushes [H4.2] and projects as JSON, `/dev`, which shows them, and
 * `/auth/verify`, which a magic link opens. Callers who are not on this machine get 404.
 */
export const developmentPages = (shown: Development, readAddress: AddressReader): Record<string, Responder> => {
  const { outbox, pushes, projects } = shown
  const responders: Record<string, Responder> = {
    ...(outbox === undefined ? undefined : { "/dev/outbox": showList(outbox) }),
    ...(pushes === undefined ? undefined : { "/dev/push": showList(pushes) }),
  }
  if (projects !== undefined) {
    const overview = makeOverview(shown)
    responders["/dev"] = showPage({ title: "Development · Hearth", body: overview, scripts: ["dom.js", "dev.js"] })
    responders["/dev/projects"] = showProjects(projects)
    responders["/auth/verify"] = showPage({ title: "Hearth", body: signIn, scripts: ["dom.js", "sign-in.js"] })
  }
  const guarded = Object.entries(responders).map(([path, responder]) => [path, answerHere(readAddress, responder)])
  return Object.fromEntries(guarded)
}
