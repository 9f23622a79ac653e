import { describe, expect, it } from "vitest"
import { batchNote, makeBatchNotes } from "./batch-notes.ts"

describe("notes of a batch", () => {
  const amounts = batchNote<number>("amounts")

  it("are read in the order in which they were added", () => {
    const notes = makeBatchNotes()
    notes.add(amounts, [1, 2])
    notes.add(amounts, [3])
    expect(notes.read(amounts)).toEqual([1, 2, 3])
  })

  it("are kept apart by kind and by batch", () => {
    const notes = makeBatchNotes()
    notes.add(batchNote<number>("amounts"), [1])
    expect(notes.read(amounts)).toEqual([])
    notes.add(amounts, [2])
    expect(makeBatchNotes().read(amounts)).toEqual([])
  })
})
