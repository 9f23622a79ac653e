import { createReadStream, createWriteStream, readFileSync } from "node:fs"
import { mkdir, rename, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { fileURLToPath } from "node:url"
import { constants, createBrotliCompress, createGunzip, createGzip } from "node:zlib"
import { NotFound } from "@hearth/core"
import { FastResponse } from "srvx"
import { limitStall } from "../files/serve-file.ts"
import { commonHeaders, refuse } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { chooseEncoding, type Encoding } from "./encoding.ts"

const home = fileURLToPath(new URL("../../..", import.meta.url))
const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))

/** The name of Scalar's bundle. It has the version, so whatever is under it never changes. */
export const bundleName = `scalar-${manifest.devDependencies["@scalar/api-reference"]}.js`

const folder = join(home, "pages", "scalar")
const extensions: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" }
const compressedFile = (encoding: Encoding) => join(folder, `${bundleName}${extensions[encoding]}`)

/** The bundle as it came from npm; null in an installed package, which has it compressed only. */
const findSource = (): string | null => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@scalar/api-reference")), "browser/standalone.js")
  } catch {
    return null
  }
}

const makeCompressor = (encoding: Encoding, quality: number) =>
  encoding === "gzip"
    ? createGzip({ level: Math.min(9, quality) })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

/** Writes the bundle of the workspace compressed, for those who ask for it and for the package that is published. */
export const compressBundle = async (encoding: Encoding, quality: number): Promise<void> => {
  const source = findSource()
  if (source === null) throw new Error("@scalar/api-reference is not installed.")
  const file = compressedFile(encoding)
  // Others may be writing it, too: each writes a file of its own, and the last to be ready stays.
  const own = `${file}.${process.pid}`
  await mkdir(folder, { recursive: true })
  await pipeline(createReadStream(source), makeCompressor(encoding, quality), createWriteStream(own))
  await rename(own, file)
}

const sizeOf = async (file: string | null): Promise<number | null> => {
  if (file === null) return null
  const found = await stat(file).catch(() => null)
  return found?.isFile() === true ? found.size : null
}

/** Whether there is a bundle to show the reference with. */
export const hasBundle = async (): Promise<boolean> =>
  (await sizeOf(findSource())) !== null || (await sizeOf(compressedFile("gzip"))) !== null

/** What is read for an answer; `size` is null where it is not known before. */
interface Opened {
  readonly open: () => Readable
  readonly size: number | null
  readonly encoding: Encoding | null
}

const openPlain = async (): Promise<Opened | null> => {
  const source = findSource()
  const size = await sizeOf(source)
  if (source !== null && size !== null) return { open: () => createReadStream(source), size, encoding: null }
  const packed = compressedFile("gzip")
  if ((await sizeOf(packed)) === null) return null
  return { open: () => createReadStream(packed).compose(createGunzip()), size: null, encoding: null }
}

const openCompressed = async (encoding: Encoding): Promise<Opened | null> => {
  const file = compressedFile(encoding)
  const size = await sizeOf(file)
  return size === null ? null : { open: () => createReadStream(file), size, encoding }
}

/**
 * Answers Scalar's bundle, compressed as the client takes it. It is read from its file while it is sent, so it takes no memory. In a
 * workspace it is compressed at its first request; where nothing can be written there, it is sent as it is.
 */
export const makeBundleResponder = (): Responder => {
  const made = new Map<Encoding, Promise<void>>()
  const ensure = async (encoding: Encoding) => {
    const found = await openCompressed(encoding)
    if (found !== null) return found
    const making = made.get(encoding) ?? compressBundle(encoding, 6).catch(() => {})
    await made.set(encoding, making).get(encoding)
    return openCompressed(encoding)
  }
  return async (event, context) => {
    const encoding = chooseEncoding(event.req.headers.get("accept-encoding"))
    const opened = (encoding === null ? null : await ensure(encoding)) ?? (await openPlain())
    if (opened === null) return refuse(context, new NotFound())
    const headers = {
      ...commonHeaders(context),
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(opened.encoding === null ? undefined : { "content-encoding": opened.encoding }),
      ...(opened.size === null ? undefined : { "content-length": String(opened.size) }),
    }
    if (context.method === "HEAD") return new FastResponse(null, { headers })
    limitStall(event)
    return new FastResponse(Readable.toWeb(opened.open()) as ReadableStream<Uint8Array>, { headers })
  }
}
