/** A parsed mail: its header fields in order, and the texts of its parts by content type, decoded. */
export interface ReadMail {
  readonly fields: ReadonlyArray<readonly [string, string]>
  readonly parts: ReadonlyMap<string, string>
}

const unquoted = (text: string): string =>
  text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8")

/** Decodes encoded words (RFC 2047). Space between two of them is dropped. */
const decodedWords = (value: string): string =>
  value
    .replaceAll(/(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi, "$1")
    .replaceAll(/(?:=\?utf-8\?[bq]\?[^?\s]*\?=)+/gi, (words) =>
      utf8(
        [...words.matchAll(/=\?utf-8\?([bq])\?([^?\s]*)\?=/gi)]
          .map(([, kind, text = ""]) =>
            kind?.toLowerCase() === "b"
              ? Buffer.from(text, "base64").toString("latin1")
              : unquoted(text.replaceAll("_", " ")),
          )
          .join(""),
      ),
    )

const split = (raw: string) => {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, "")
  const fields = head.split("\r\n").map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return { fields, body: raw.slice(end + 4) }
}

const decodedBody = (body: string, encoding: string | undefined): string => {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8")
  return utf8(encoding === "quoted-printable" ? unquoted(body.replaceAll(/[ \t]*=\r\n/g, "")) : body)
}

/** Reads a message as it came over the wire, one character per byte. */
export const readMail = (raw: string): ReadMail => {
  const { fields, body } = split(raw)
  const field = (of: typeof fields, name: string) => of.find(([key]) => key === name)?.[1]
  const boundary = /boundary="([^"]+)"/.exec(field(fields, "content-type") ?? "")?.[1]
  const parts = body
    .split(`\r\n--${boundary}`)
    .slice(0, -1)
    .map((part) => {
      const inner = split(part.replace(/^(--[^\r]*)?\r\n/, ""))
      const type = field(inner.fields, "content-type")?.split(";")[0] ?? ""
      const text = decodedBody(inner.body, field(inner.fields, "content-transfer-encoding"))
      return [type, text.replaceAll("\r\n", "\n")] as const
    })
  return { fields: fields.map(([name, value]) => [name, decodedWords(value)]), parts: new Map(parts) }
}
