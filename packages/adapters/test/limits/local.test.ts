import { setTimeout } from "node:timers/promises"
import { rateLimiterContract } from "@hearth/testing/contracts"
import { localRateLimiter } from "../../src/limits/index.ts"

rateLimiterContract("local", () => ({ limiter: localRateLimiter(), pass: (seconds) => setTimeout(seconds * 1000) }))
