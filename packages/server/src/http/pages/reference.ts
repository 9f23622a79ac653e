import { content } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { bundleName, hasBundle, makeBundleResponder } from "./bundle.ts"
import { html, makePage } from "./page.ts"

const missing = html`<main><h1>Hearth</h1><p>The page that shows the reference was not built:
<code>npx -y pnpm@12 install</code> brings it. The API is described by <a href="/openapi.json">/openapi.json</a>.</p></main>`

// The container stays empty until the bundle fills it: what is in it would be taken for a page that was rendered before.
const body = html`<style>#reference:empty::before { content: "Loading the reference …"; display: block; padding: 2rem; font-family: system-ui, sans-serif }</style>
<div id="reference"></div>
<noscript>This page needs scripts. The API is described by <a href="/openapi.json">/openapi.json</a>.</noscript>`

/** The API reference at `/docs`, and the bundle that shows it [A1]. Everything comes from this server. */
export const reference = (): Record<string, Responder> => {
  const title = "Hearth API reference"
  const library = `/docs/${bundleName}`
  const page = makePage({ title, body, scripts: ["reference.js"], library })
  const without = makePage({ title, body: missing, style: "style.css" })
  return {
    "/docs": async (_event, context) => {
      const { text, headers } = (await hasBundle()) ? page : without
      return content(context, 200, "text/html; charset=utf-8", text, headers)
    },
    [library]: makeBundleResponder(),
  }
}
