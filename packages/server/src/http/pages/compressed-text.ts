import { createHash } from "node:crypto"
import { hasTag } from "../files/ranges.ts"
import { limitStall } from "../files/serve-file.ts"
import { content, empty } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { chooseEncoding, compress, decompress } from "./encoding.ts"

const prepare = async (text: string) => ({
  ...(await compress(text)),
  hash: createHash("sha256").update(text).digest("base64url").slice(0, 22),
})

/**
 * Answers a text that is always the same: compressed as the client takes it, and 304 where it has it already. It is made at its first
 * request, and kept compressed; plain it is kept as long as an answer has it, once for all of them.
 */
export const makeCompressedText = (type: string, make: () => string): Responder => {
  let kept: ReturnType<typeof prepare> | undefined
  // By its memory, which answers keep as long as they are not sent; the view of it goes earlier.
  let plain: WeakRef<ArrayBuffer> | undefined
  let making: ReturnType<typeof decompress> | undefined
  const readPlain = async (gzip: Uint8Array<ArrayBuffer>) => {
    const present = plain?.deref()
    if (present !== undefined) return new Uint8Array(present)
    making ??= decompress(gzip).finally(() => {
      making = undefined
    })
    const made = await making
    plain = new WeakRef(made.buffer)
    return made
  }
  return async (event, context) => {
    const { req } = event
    limitStall(event)
    kept ??= prepare(make())
    const { hash, ...compressed } = await kept
    const encoding = chooseEncoding(req.headers.get("accept-encoding"))
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
    const headers = { "cache-control": "no-cache", vary: "accept-encoding", etag }
    if (hasTag(req.headers.get("if-none-match"), etag)) return empty(context, 304, headers)
    const encoded = encoding === null ? undefined : { "content-encoding": encoding }
    const body = encoding === null ? await readPlain(compressed.gzip) : compressed[encoding]
    return content(context, 200, type, body, { ...headers, ...encoded })
  }
}
