import { memoryPatterns } from "../src/moderation/memory-patterns.ts"
import { patternsContract } from "../src/moderation/patterns.contract.ts"

patternsContract("memory", memoryPatterns)
