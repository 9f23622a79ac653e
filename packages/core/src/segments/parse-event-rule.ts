import { hasMoneyDigits, maxAmount } from "../currencies/money.ts"
import { joinChoices } from "../phrases.ts"
import { isObject, isText } from "../schema.ts"
import { summedPath } from "./fields.ts"
import { readDuration } from "./instants.ts"
import { addIssue, type Fields, type Reading, readOwn } from "./rule-reading.ts"
import { countOps, type EventRule, type RuleGroup } from "./rules.ts"

const longestEvent = 255
const mostEvents = 1_000_000_000

const readCount = (reading: Reading, count: unknown, path: string) => {
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= mostEvents) return { count }
  return addIssue(
    reading,
    `${path}.count`,
    count === undefined ? "is required" : "must be an integer from 0 to 1000000000",
  )
}

const readSum = (reading: Reading, sum: unknown, path: string) => {
  if (!isObject(sum)) return addIssue(reading, `${path}.sum`, "must be an object with property and value")
  const [property, value] = [readOwn(sum, "property"), readOwn(sum, "value")]
  const isPath = typeof property === "string" && summedPath(property) !== null
  const isValue = typeof value === "number" && hasMoneyDigits(value) && Math.abs(value) <= maxAmount
  if (!isPath) addIssue(reading, `${path}.sum.property`, "must be the path of a property of the event")
  if (!isValue) {
    addIssue(reading, `${path}.sum.value`, "must be a number of at most 4 decimals, from -900000000000 to 900000000000")
  }
  return isPath && isValue ? { sum: { property, value } } : null
}

/** The number that a rule about events asks for: of events, or of what a property of theirs adds up to. */
const readThreshold = (reading: Reading, node: Fields, path: string) => {
  const [count, sum] = [readOwn(node, "count"), readOwn(node, "sum") ?? undefined]
  if (sum === undefined) return readCount(reading, count, path)
  if (count !== undefined && count !== null) return addIssue(reading, `${path}.sum`, "must not be given beside count")
  return readSum(reading, sum, path)
}

const isEventName = (event: unknown): event is string => isText(event, 1, longestEvent)

/** Reads a rule about events. `readWhere` reads its condition on events. */
export const readEventRule = (
  reading: Reading,
  node: Fields,
  path: string,
  readWhere: (where: unknown, path: string) => RuleGroup | null,
): EventRule | null => {
  const event = readOwn(node, "event")
  const within = readOwn(node, "within") ?? undefined
  const given = readOwn(node, "where") ?? undefined
  const op = countOps.find((one) => one === (readOwn(node, "op") === undefined ? "gte" : readOwn(node, "op")))
  const isTime = within === undefined || (typeof within === "string" && readDuration(within) !== null)
  if (!isEventName(event)) addIssue(reading, `${path}.event`, "must be 1 to 255 characters")
  if (op === undefined) addIssue(reading, `${path}.op`, `must be ${joinChoices(countOps)}`)
  const threshold = readThreshold(reading, node, path)
  if (!isTime) addIssue(reading, `${path}.within`, 'must be a time like "7d", "24h" or "30m", at most 36500 days')
  const where = given === undefined ? undefined : readWhere(given, `${path}.where`)
  if (!isEventName(event) || op === undefined || threshold === null || !isTime || where === null) return null
  return {
    event,
    op,
    ...threshold,
    ...(within === undefined ? {} : { within: within as string }),
    ...(where === undefined ? {} : { where }),
  }
}
