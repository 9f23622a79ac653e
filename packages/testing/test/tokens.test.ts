import { tokensContract } from "../src/contracts/tokens.contract.ts"
import { memoryTokens } from "../src/memory/tokens.ts"

tokensContract("memory", memoryTokens)
