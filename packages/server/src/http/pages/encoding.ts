import { promisify } from "node:util"
import { brotliCompress, constants, gunzip, gzip } from "node:zlib"

/** How an answer can be compressed. */
export type Encoding = "br" | "gzip"

const readQuality = (parameters: ReadonlyArray<string>): number => {
  const [, text] = parameters.map((each) => /^\s*q=([\d.]+)\s*$/i.exec(each)).find((each) => each !== null) ?? []
  return text === undefined ? 1 : Number(text)
}

/** The encoding that a client takes, by its `Accept-Encoding`; brotli where it takes both. Null for one that takes neither. */
export const chooseEncoding = (header: string | null): Encoding | null => {
  const qualities = new Map(
    (header ?? "").split(",").map((each) => {
      const [name = "", ...parameters] = each.split(";")
      return [name.trim().toLowerCase(), readQuality(parameters)] as const
    }),
  )
  const takes = (name: string) => (qualities.get(name) ?? qualities.get("*") ?? 0) > 0
  if (takes("br")) return "br"
  return takes("gzip") ? "gzip" : null
}

/** A text in both encodings. */
export interface Compressed {
  readonly br: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** Quick, and within a tenth of the smallest. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Compresses a text. */
export const compress = async (text: string): Promise<Compressed> => ({
  br: await promisify(brotliCompress)(text, brotliOptions),
  gzip: await promisify(gzip)(text),
})

/** The text that `compress` was given, in memory of its own. */
export const decompress = async (gzip: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await promisify(gunzip)(gzip))
