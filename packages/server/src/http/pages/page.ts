import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { escapeHtml } from "@hearth/core"
import type { ExtraHeaders } from "../routing/limits.ts"

/** HTML that is safe to send: `html` makes it, and nothing else does. */
export interface Html {
  readonly safe: string
}

type Shown = string | number | Html | ReadonlyArray<Html>

const show = (value: Shown): string => {
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value))
  return "safe" in value ? value.safe : value.map(({ safe }) => safe).join("")
}

/** HTML with values in it, which are escaped unless they are HTML themselves. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Shown>): Html => ({
  safe: parts.reduce((all, part, at) => `${all}${show(values[at - 1] ?? "")}${part}`),
})

/** A file of `packages/server/pages`. */
const readPart = (name: string): string => readFileSync(new URL(`../../../pages/${name}`, import.meta.url), "utf8")

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** A flame, in the colour that every page has. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%23d9480f' d='M17 2c1 6-8 8-8 17a7.500 7.500 0 0 0 15 1c0-4-2-6-3-9-1 2-2 3-3 3 1-4 1-9-1-12z'/%3E%3C/svg%3E"

/** What a page is made of: its own style and script are files of `packages/server/pages`. */
export interface PageParts {
  readonly title: string
  readonly body: Html
  /** Left out for a page that brings its styles itself, and may set them anywhere. */
  readonly style?: string
  /** Its scripts, in this order. */
  readonly scripts?: ReadonlyArray<string>
  /** The path of a script that is loaded after its own. */
  readonly library?: string
}

/** A page, and the headers that let it do what it is made for and nothing else: no other host, no frame, no other script. */
export const makePage = ({
  title,
  body,
  style,
  scripts = [],
  library,
}: PageParts): { text: string; headers: ExtraHeaders } => {
  const css = style === undefined ? null : readPart(style)
  const js = scripts.length === 0 ? null : scripts.map(readPart).join("\n")
  const allowed = [...(js === null ? [] : [hashOf(js)]), ...(library === undefined ? [] : ["'self'"])].join(" ")
  const policy = [
    "default-src 'none'",
    `script-src ${allowed === "" ? "'none'" : allowed}`,
    `style-src ${css === null ? "'unsafe-inline'" : hashOf(css)}`,
    ...["img-src 'self' data:", "font-src data:", "connect-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ]
  const text = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="${icon}">
    ${css === null ? "" : `<style>${css}</style>`}
    ${js === null ? "" : `<script>${js}</script>`}
    ${library === undefined ? "" : `<script src="${library}" defer></script>`}
  </head>
  <body>
${body.safe}
  </body>
</html>
`
  return {
    text,
    headers: { "content-security-policy": policy.join("; "), "referrer-policy": "no-referrer", vary: "accept" },
  }
}

/** Whether a client asks for a page: browsers do, programs and curl do not. */
export const wantsHtml = (headers: Headers): boolean =>
  (headers.get("accept") ?? "").toLowerCase().includes("text/html")
