import { describe, expect, it } from "vitest"
import { formatCursor, leastId, makeCursor, parseCursor } from "./cursor.ts"
import { earlier, isAhead, isSnapshot, makeVisible } from "./snapshot.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const later = (millis: number) => new Date(now.getTime() + millis)

describe("a snapshot", () => {
  it("has what had ended by then", () => {
    const isVisible = makeVisible("10:20:12,15")
    const seen = ["9", "10", "11", "12", "14", "15", "19", "20", "21"].filter(isVisible)
    expect(seen).toEqual(["9", "10", "11", "14", "19"])
    expect(makeVisible("9223372036854775000:9223372036854775807:")("9223372036854774999")).toBe(true)
  })

  it.each([
    "",
    "1",
    "1:2",
    "2:1:",
    "0:1:",
    "1:2:3",
    "5:9:8,7",
    "5:9:4",
    "1:2:1,",
    "1:2:1,1",
    "a:b:",
    `1:${"9".repeat(19)}:`,
  ])("is not %j", (text) => {
    expect(isSnapshot(text)).toBe(false)
  })

  it("is earlier than one that has more", () => {
    expect(earlier("5:9:", "5:8:")).toBe("5:8:")
    expect(earlier("5:9:5", "6:9:")).toBe("5:9:5")
    expect(earlier("5:9:5", "5:9:5,6")).toBe("5:9:5,6")
    expect([isAhead("5:9:", "5:8:"), isAhead("5:8:", "5:8:")]).toEqual([true, false])
  })
})

describe("a cursor", () => {
  it("is read as it was written, for five minutes", () => {
    const cursor = makeCursor("10:20:12", 30_000, now)
    expect(cursor.from).toEqual(later(-100_000))
    expect(parseCursor(formatCursor(cursor), later(300_000))).toEqual(cursor)
    expect(parseCursor(formatCursor(cursor), later(300_001))).toBeNull()
  })

  it("looks back for seven minutes and ten seconds at most", () => {
    expect(makeCursor("1:1:", 86_400_000, now).from).toEqual(later(-430_000))
  })

  it("is null for what nobody was sent", () => {
    for (const text of ["", "x", "a.b", "1.1.1:1:", `${now.getTime().toString(36)}.1.2:1:`, "z".repeat(5_000)])
      expect(parseCursor(text, now)).toBeNull()
  })

  it("begins with the least id of its time", () => {
    expect(leastId(new Date(0x019b76daa800))).toBe("019b76da-a800-7000-8000-000000000000")
  })
})
