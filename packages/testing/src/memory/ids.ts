import { randomUUID } from "node:crypto"
import type { Clock, Ids } from "@hearth/core"

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The same bound that `randomInt` of Node has. */
const RANGE = 2 ** 48

/** Ids that depend on nothing but the clock and `seed`: the same seed gives the same ids. Never for real secrets. */
export const memoryIds = (clock: Clock, seed = 1): Ids => {
  const random32 = mulberry32(seed)
  const integer = (below: number): number => {
    if (!Number.isSafeInteger(below) || below < 1 || below >= RANGE)
      throw new RangeError(`${below} is no usable bound.`)
    const fair = RANGE - (RANGE % below)
    let drawn: number
    do drawn = (random32() % 0x10000) * 2 ** 32 + random32()
    while (drawn >= fair)
    return drawn % below
  }
  return {
    uuid: uuids(clock, random32),
    base62: (length) => text(length, integer),
    secret: () => Buffer.from(Uint8Array.from({ length: 32 }, () => integer(256))).toString("base64url"),
    integer,
  }
}

const text = (length: number, integer: (below: number) => number): string => {
  if (!Number.isSafeInteger(length) || length < 1) throw new RangeError("A length of at least 1 is needed.")
  return Array.from({ length }, () => BASE62[integer(BASE62.length)]).join("")
}

const uuids = (clock: Clock, random32: () => number) => {
  let millis = -1
  let counter = 0
  return () => {
    const now = clock.now().getTime()
    counter = now > millis ? 0 : counter + 1
    millis = Math.max(now, millis) + (counter >>> 12)
    counter &= 0xfff
    const randB = (0x80000000 | (random32() & 0x3fffffff)) >>> 0
    const digits = [hex(millis, 12), `7${hex(counter, 3)}`, hex(randB, 8), hex(random32(), 8)].join("")
    return format(digits)
  }
}

/** A uuid of version 7 [A10] for a row that a statement makes: the time, then the number of the row among those made with it. */
export const rowUuid = (now: Date, number: number): string => {
  const digits = [
    ...[hex(now.getTime(), 12), `7${hex(number >>> 14, 3)}`, hex(0x8000 | (number & 0x3fff), 4)],
    randomUUID().slice(-12),
  ].join("")
  return format(digits)
}

const format = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0")

/** A small generator of 32 random bits per call, known to be even enough for tests. */
const mulberry32 = (seed: number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
