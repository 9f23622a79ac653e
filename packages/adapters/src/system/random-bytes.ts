import { randomFillSync } from "node:crypto"

/** One call to the system's generator costs as much as a few thousand bytes from memory. */
const POOL_BYTES = 8192

/** Cryptographically random bytes, one at a time. No byte is used twice. */
export const randomBytePool = (): (() => number) => {
  const pool = new Uint8Array(POOL_BYTES)
  let used = POOL_BYTES
  return () => {
    if (used === POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const byte = pool[used] as number
    pool[used++] = 0
    return byte
  }
}
