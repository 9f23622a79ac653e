import type { Clock } from "@hearth/core"

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const COUNTER_MAX = 0xfff

/**
 * Makes uuids of version 7, each greater than the one before it. RFC 9562, 6.2, method 1: the 12 bits of `rand_a` count
 * within a millisecond. A clock that steps back is not followed; a millisecond that is used up borrows from the next.
 */
export const uuidV7 = (clock: Clock, randomByte: () => number): (() => string) => {
  let millis = -1
  let counter = 0
  let stamp = ""

  const enter = (at: number) => {
    millis = at
    // The highest bit starts at 0, so at least 2048 more fit into the same millisecond.
    counter = ((randomByte() & 0x07) << 8) | randomByte()
    const hex = at.toString(16).padStart(12, "0")
    stamp = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }
  const byte = () => HEX[randomByte()]

  return () => {
    const now = clock.now().getTime()
    if (now > millis) enter(now)
    else if (counter === COUNTER_MAX) enter(millis + 1)
    else counter += 1
    const randA = (0x1000 | counter).toString(16).slice(1)
    const variant = HEX[0x80 | (randomByte() & 0x3f)]
    return `${stamp}${randA}-${variant}${byte()}-${byte()}${byte()}${byte()}${byte()}${byte()}${byte()}`
  }
}
