import { signalsContract } from "../src/contracts/signals.contract.ts"
import { recordedSignals } from "../src/memory/signals.ts"

signalsContract("recorded", () => {
  const signals = recordedSignals()
  return { signals, taken: (name) => signals.of(name).length }
})
