import { Effect } from "effect"
import { expect, it } from "vitest"
import { passwordHasherContract } from "../src/contracts/password-hasher.contract.ts"
import { memoryPasswordHasher } from "../src/memory/password-hasher.ts"

passwordHasherContract("memory", {
  make: () => memoryPasswordHasher(),
  makeOutdated: () => memoryPasswordHasher({ round: 0 }),
  makeBounded: (capacity) => memoryPasswordHasher({ capacity }),
})

it("always fails with a capacity of 0", async () => {
  const busy = memoryPasswordHasher({ capacity: 0 })
  expect((await Effect.runPromise(Effect.flip(busy.hash("a"))))._tag).toBe("HashingBusy")
  expect((await Effect.runPromise(Effect.flip(busy.verify("a", null))))._tag).toBe("HashingBusy")
})
