import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import type { Log } from "@hearth/adapters"
import { NotFound } from "@hearth/core"
import { FastResponse } from "srvx"
import { hasTag } from "../files/ranges.ts"
import { limitStall } from "../files/serve-file.ts"
import type { RequestEvent } from "../request/request.ts"
import { commonHeaders, content, empty, refuse } from "../response/respond.ts"
import type { RequestContext, Responder } from "../routing/request-context.ts"
import { consoleFolder, ensureConsole } from "./console-files.ts"
import { chooseEncoding, type Encoding } from "./encoding.ts"
import { html, makePage } from "./page.ts"

const extensions: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" }

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
}

/** Nothing but the files of the console, and no calls but to this service and to where the files of projects are. */
const writePolicy = (origins: ReadonlyArray<string>): string => {
  const also = origins.map((origin) => ` ${origin}`).join("")
  return [
    "default-src 'none'",
    ...["script-src 'self'", "style-src 'self'", `connect-src 'self'${also}`, `img-src 'self' data: blob:${also}`],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join("; ")
}

const missing = makePage({
  title: "Hearth console",
  style: "style.css",
  body: html`<main><h1>Hearth</h1><p>The console could not be built: the log of the service says why. The API is described at
<a href="/docs">/docs</a>.</p></main>`,
})

/** A file of the build, whose name never stands for anything else. */
const sendAsset = async (name: string, { req }: RequestEvent, context: RequestContext): Promise<Response | null> => {
  const type = types[/\.(\w+)$/.exec(name)?.[1] ?? ""]
  if (type === undefined || !/^[\w-]+(\.[\w-]+)+$/.test(name)) return null
  const encoding = chooseEncoding(req.headers.get("accept-encoding"))
  const path = join(consoleFolder, "assets", `${name}${encoding === null ? "" : extensions[encoding]}`)
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  const headers = {
    ...commonHeaders(context),
    "content-type": type,
    "content-length": String(found.size),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    ...(encoding === null ? undefined : { "content-encoding": encoding }),
  }
  if (context.method === "HEAD") return new FastResponse(null, { headers })
  return new FastResponse(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>, { headers })
}

const sendPage = async ({ req }: RequestEvent, context: RequestContext, policy: string): Promise<Response | null> => {
  const text = await readFile(join(consoleFolder, "index.html"), "utf8").catch(() => null)
  if (text === null) return null
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`
  const headers = {
    "cache-control": "no-cache",
    etag,
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
  }
  if (hasTag(req.headers.get("if-none-match"), etag)) return empty(context, 304, headers)
  return content(context, 200, "text/html; charset=utf-8", text, headers)
}

/**
 * The console, at `/console` and below: its files under `assets`, and its page at every other path, which the page itself
 * understands. In a workspace it is built at its first request. `fileOrigins` are where files of projects come and go.
 */
export const consolePages = (log: Log, fileOrigins: ReadonlyArray<string>): Record<string, Responder> => {
  const policy = writePolicy(fileOrigins)
  let made: Promise<void> | undefined
  const answer: Responder = async (event, context) => {
    made ??= ensureConsole().catch((cause) => log("warn", "The console could not be built.", { cause: String(cause) }))
    await made
    const [, asset] = /^\/console\/assets\/(.*)$/.exec(event.url.pathname) ?? []
    if (asset !== undefined) {
      limitStall(event)
      return (await sendAsset(asset, event, context)) ?? refuse(context, new NotFound())
    }
    const page = await sendPage(event, context, policy)
    return page ?? content(context, 503, "text/html; charset=utf-8", missing.text, missing.headers)
  }
  return { "/console": answer, "/console/**": answer }
}
