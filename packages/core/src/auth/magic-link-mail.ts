import { escapeHtml } from "../escape-html.ts"
import type { Mail } from "../ports/mailer.ts"

/** The most characters of a project's name: a subject has to fit into a list of mails. */
const shownCharacters = 80

/** A project's name on one line, without control characters, line breaks and bidi marks. */
const cleanName = (name: string): string => {
  const line = name
    .toWellFormed()
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
  const characters = [...line]
  if (characters.length <= shownCharacters) return line === "" ? "your account" : line
  return `${characters.slice(0, shownCharacters - 1).join("")}…`
}

const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const button =
  "display: inline-block; padding: 12px 28px; border-radius: 8px; background: #1d5bd8; color: #ffffff; font-weight: 600; text-decoration: none"

/** Only the button has a colour, so that mail programs in dark mode can choose the others. */
const renderHtml = (name: string, link: string, terms: string, unasked: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Sign in to ${name}</title>
</head>
<body style="margin: 0; padding: 32px 16px; font-size: 16px; line-height: 1.5; ${font}">
<div style="max-width: 480px; margin: 0 auto">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3">Sign in to <bdi>${name}</bdi></h1>
<p style="margin: 0 0 24px">Somebody, hopefully you, asked to sign in with this email address.</p>
<p style="margin: 0 0 24px"><a href="${link}" style="${button}">Sign in</a></p>
<p style="margin: 0 0 24px; font-size: 14px">If the button does nothing, open this address:<br><a href="${link}" style="word-break: break-all">${link}</a></p>
<p style="margin: 0; font-size: 14px">${terms}<br>${unasked}</p>
</div>
</body>
</html>
`

/**
 * The mail with a magic link. `link` is the whole address, `minutes` how long it is valid. The project's name may be any
 * text; it is shown on one line and cut when it is long.
 */
export const magicLinkMail = ({
  to,
  link,
  projectName,
  minutes,
}: {
  readonly to: string
  readonly link: string
  readonly projectName: string
  readonly minutes: number
}): Mail => {
  const name = cleanName(projectName)
  const terms = `The link works once, and for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`
  const unasked = "If you did not ask for it, you can ignore this mail: without the link nobody gets in."
  return {
    to,
    subject: `Sign in to ${name}`,
    text: `Sign in to ${name} by opening this address:\n\n${link}\n\n${terms}\n${unasked}\n`,
    html: renderHtml(escapeHtml(name), escapeHtml(link), terms, unasked),
  }
}
