import { createHmac } from "node:crypto"
import { createRequire } from "node:module"
import type * as Bcrypt from "@node-rs/bcrypt"
import type { Algorithm } from "./algorithm.ts"

// Loaded with the first such hash: a process that sees none does not keep it in memory.
const bcrypt = createRequire(import.meta.url).bind(null, "@node-rs/bcrypt") as () => typeof Bcrypt

const COST = 10

/** bcrypt ignores all bytes after this many. */
const MAX_BYTES = 72

/** Marks a hash that is over the digest of the password. */
const DIGESTED = "$hmac-sha256"

/** Version, cost, 22 characters of salt, 31 of hash. */
const PLAIN = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/**
 * bcrypt with a cost of 10 [B7]. It cuts at 72 bytes, and it repeats a short password with a NUL in between, so that
 * "ab" and "ab\0ab" are the same to it. Passwords that are longer or hold a NUL are therefore digested first, and their
 * hashes begin with `$hmac-sha256`. A plain hash never matches such a password, not even one that was cut elsewhere.
 */
export const bcrypt10: Algorithm = {
  dummy: `$2b$${COST}$${".".repeat(53)}`,
  reads: (hash) => {
    try {
      return PLAIN.test(plainOf(hash)) && bcrypt().parseOptions(plainOf(hash)).cost > 0
    } catch {
      return false
    }
  },
  isCurrent: (hash) => PLAIN.exec(plainOf(hash))?.[1] === String(COST),
  hash: async (password) => {
    if (!isDigested(password)) return bcrypt().hash(password, { cost: COST })
    return DIGESTED + (await bcrypt().hash(digest(password), { cost: COST }))
  },
  verify: async (password, hash) => {
    const digested = isDigested(password)
    const matches = await bcrypt().verify(digested ? digest(password) : password, plainOf(hash))
    return matches && digested === hash.startsWith(DIGESTED)
  },
}

const isDigested = (password: string) => Buffer.byteLength(password) > MAX_BYTES || password.includes("\0")

/** 44 characters without NUL. Keyed, so that digests of the same passwords that leaked elsewhere are of no use here. */
const digest = (password: string) => createHmac("sha256", "hearth/bcrypt").update(password).digest("base64")

const plainOf = (hash: string) => (hash.startsWith(DIGESTED) ? hash.slice(DIGESTED.length) : hash)
