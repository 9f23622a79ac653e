import { randomInt } from "node:crypto"
import type { Clock, Ids } from "@hearth/core"
import { randomBytePool } from "./random-bytes.ts"
import { uuidV7 } from "./uuid.ts"

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Ids from the system's random source. Make one for the process: its uuids ascend among themselves [A10]. */
export const systemIds = (clock: Clock): Ids => {
  const randomByte = randomBytePool()
  return {
    uuid: uuidV7(clock, randomByte),
    base62: (length) => {
      if (!Number.isSafeInteger(length) || length < 1) throw new RangeError("A length of at least 1 is needed.")
      let text = ""
      while (text.length < length) {
        // 62 and 63 are thrown away: a remainder would favour the first characters.
        text += BASE62[randomByte() & 0x3f] ?? ""
      }
      return text
    },
    secret: () => Buffer.from(Uint8Array.from({ length: 32 }, randomByte)).toString("base64url"),
    integer: (below) => randomInt(below),
  }
}
