import { createRequire } from "node:module"
import type * as Argon2 from "@node-rs/argon2"
import type { Algorithm } from "./algorithm.ts"

// Loaded with the first password: until then it takes no memory.
const argon2 = createRequire(import.meta.url).bind(null, "@node-rs/argon2") as () => typeof Argon2

/** OWASP's recommendation: 19 MiB, two passes, one lane [B7]. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const PREFIX = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$`

/** argon2id in PHC form. Verifies other parameters and the other two variants as well. */
export const argon2id: Algorithm = {
  dummy: `${PREFIX}${"A".repeat(22)}$${"A".repeat(43)}`,
  reads: (hash) => {
    if (!hash.startsWith("$argon2")) return false
    try {
      argon2().parseOptions(hash)
      return true
    } catch {
      return false
    }
  },
  isCurrent: (hash) => hash.startsWith(PREFIX),
  hash: (password) => argon2().hash(password, PARAMETERS),
  verify: (password, hash) => argon2().verify(hash, password),
}
