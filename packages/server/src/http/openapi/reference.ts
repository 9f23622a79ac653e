import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { content } from "../response/respond.ts"
import type { ExtraHeaders } from "../routing/limits.ts"
import type { Responder } from "../routing/request-context.ts"

// All files come from this server: the page works without a network and runs no other script.
const policy: ExtraHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Hearth</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `window.onload = () => SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  persistAuthorization: false,
  validatorUrl: null,
})
`

const assets: Readonly<Record<string, string>> = {
  "favicon-32x32.png": "image/png",
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}

/** A file of the package swagger-ui-dist, read at its first request. */
const asset = (name: string, type: string): Responder => {
  const file = join(dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json")), name)
  let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined
  return async (_event, context) => {
    bytes ??= readFile(file)
    return content(context, 200, type, await bytes, { ...policy, "cache-control": "public, max-age=3600" })
  }
}

/** The API reference at `/docs`, and the files that it consists of [A1]. */
export const reference = (): Record<string, Responder> => ({
  "/docs": (_event, context) => content(context, 200, "text/html; charset=utf-8", page, policy),
  "/docs/start.js": (_event, context) => content(context, 200, "text/javascript; charset=utf-8", start, policy),
  ...Object.fromEntries(Object.entries(assets).map(([name, type]) => [`/docs/${name}`, asset(name, type)])),
})
