import { createHash } from "node:crypto"
import { hasTag } from "../files/ranges.ts"
import { content, empty } from "../response/respond.ts"
import type { Responder } from "../routing/request-context.ts"
import { chooseEncoding, compress, encodedAs } from "./encoding.ts"

const prepare = async (text: string) => ({
  ...(await compress(text)),
  hash: createHash("sha256").update(text).digest("base64url").slice(0, 22),
})

/**
 * Answers a text that is always the same: compressed as the client takes it, and 304 where it has it already. It is made at its first
 * request, and kept compressed only.
 */
export const makeCompressedText = (type: string, make: () => string): Responder => {
  let kept: ReturnType<typeof prepare> | undefined
  return async ({ req }, context) => {
    kept ??= prepare(make())
    const { hash, ...compressed } = await kept
    const encoding = chooseEncoding(req.headers.get("accept-encoding"))
    const etag = encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`
    const headers = { "cache-control": "no-cache", vary: "accept-encoding", etag }
    if (hasTag(req.headers.get("if-none-match"), etag)) return empty(context, 304, headers)
    const encoded = encoding === null ? undefined : { "content-encoding": encoding }
    return content(context, 200, type, await encodedAs(compressed, encoding), { ...headers, ...encoded })
  }
}
