import { describe, expect, it, test } from "vitest"
import { advance, fold, grantFreezes, newRun, type Run, type RunRules, settle } from "./run.ts"

const without: RunRules = { freeze_enabled: false, max_freezes: 2, freezes_per_n_events: null }
const given = (max_freezes: number): RunRules => ({ freeze_enabled: true, max_freezes, freezes_per_n_events: null })
const earned = (freezes_per_n_events: number, max_freezes: number): RunRules => ({
  freeze_enabled: true,
  max_freezes,
  freezes_per_n_events,
})

/** One character per period: `x` was done, anything else was not. */
const findDone = (history: string) => [...history].flatMap((mark, period) => (mark === "x" ? [period] : []))

/** The whole history is over. The periods that took a freeze are shown as `f`. */
const play = (rules: RunRules, history: string) => {
  const { run, frozen } = fold(rules, findDone(history), [], history.length - 1)
  const shown = [...history].map((mark, period) => (frozen.includes(period) ? "f" : mark)).join("")
  return { shown, count: run.count, longest: run.longest, freezes: run.freezes }
}

describe("a run [E2]", () => {
  test.each<[sentence: string, RunRules, history: string, count: number, longest: number]>([
    ["counts the periods in a row", without, "xxx", 3, 3],
    ["breaks by a missed period", without, "xxx.", 0, 3],
    ["begins again at 1 after a gap", without, "xxx.x", 1, 3],
    ["grows again after it has broken", without, "xx.xxx", 3, 3],
    ["keeps the longest of several", without, "xxxx.xx.x", 1, 4],
    ["does not use freezes where they are not enabled", without, "x.x", 1, 1],
    ["has no count before the first period", without, "....", 0, 0],
    ["begins with the first period that was done", without, "...x", 1, 1],
  ])("%s", (_, rules, history, count, longest) => {
    expect(play(rules, history)).toMatchObject({ count, longest })
  })
})

describe("freezes [E2]", () => {
  test.each<[sentence: string, RunRules, history: string, shown: string, count: number, freezes: number]>([
    ["cover a gap: the count goes on, without the missed period", given(1), "xx.x", "xxfx", 3, 0],
    ["cover a gap of several", given(3), "xx..x", "xxffx", 3, 1],
    ["are spent on different gaps", given(2), "x.x.x", "xfxfx", 3, 0],
    ["keep a run alive that waits", given(1), "xxx.", "xxxf", 3, 0],
    ["cover the oldest periods first, also when there are too few", given(2), "xx...x", "xxff.x", 1, 0],
    ["are all spent as a run breaks", given(2), "xx......", "xxff....", 0, 0],
    ["are not given again when a run begins again", given(1), "x.x..x.x", "xfx..x.x", 1, 0],
    ["are not spent by a run that is broken", earned(2, 1), "x....xx", "x....xx", 2, 1],
    ["are not spent before the first period", given(1), "...x", "...x", 1, 1],
    ["can be none at all", given(0), "xx.x", "xx.x", 1, 0],
  ])("%s", (_, rules, history, shown, count, freezes) => {
    expect(play(rules, history)).toMatchObject({ shown, count, freezes })
  })

  test.each<[sentence: string, RunRules, history: string, shown: string, count: number, freezes: number]>([
    ["a new run has none", earned(2, 5), "x", "x", 1, 0],
    ["one comes with each multiple", earned(2, 5), "xxxx", "xxxx", 4, 2],
    ["not beyond the cap", earned(2, 1), "xxxxxx", "xxxxxx", 6, 1],
    ["with every period, where N is 1", earned(1, 3), "xx", "xx", 2, 2],
    ["frozen periods do not count towards the next", earned(2, 5), "xx.xx", "xxfxx", 4, 1],
    ["the count towards the next begins again with the run", earned(3, 5), "xx.xx", "xx.xx", 2, 0],
    ["what was earned survives the break of a run that it did not cover", earned(2, 5), "xx..xx", "xxf.xx", 2, 1],
    ["nothing is earned where freezes are not enabled", { ...earned(1, 5), freeze_enabled: false }, "xx", "xx", 2, 0],
  ])("earned: %s", (_, rules, history, shown, count, freezes) => {
    expect(play(rules, history)).toMatchObject({ shown, count, freezes })
  })

  test.each<[sentence: string, RunRules, freezes: number]>([
    ["full, where they are given", given(3), 3],
    ["empty, where they are earned", earned(5, 3), 0],
    ["empty, where they are not enabled", without, 0],
  ])("a new user begins %s", (_, rules, freezes) => {
    expect(newRun(rules)).toEqual({ count: 0, longest: 0, freezes, last: null, settled: null })
  })
})

describe("grants", () => {
  const run = (freezes: number): Run => ({ count: 3, longest: 3, freezes, last: 5, settled: 5 })

  test.each([
    ["add", 0, 1, 1],
    ["stop at the cap", 1, 5, 2],
    ["change nothing when it is full", 2, 1, 2],
    ["stop at a cap that was lowered below what there is", 4, 1, 2],
  ])("%s", (_, before, count, after) => {
    expect(grantFreezes(given(2), run(before), count)).toEqual(run(after))
  })

  test.each<[sentence: string, history: string, grants: ReadonlyArray<[from: number, count: number]>, shown: string]>([
    ["cover the period that they were made for", "x.x.x", [[3, 1]], "xfxfx"],
    ["do not cover an earlier one", "x.x...x", [[5, 1]], "xfx...x"],
    ["are available for the first period that they could cover", "xx..x", [[3, 1]], "xxffx"],
    ["wait until they are needed", "xx.xx.x", [[3, 1]], "xxfxxfx"],
    ["do not add up beyond the cap", "xx...x", [[1, 5]], "xxf..x"],
    ["are spent once", "xxxx.x.x", [[1, 1]], "xxxxfx.x"],
  ])("%s", (_, history, grants, shown) => {
    const made = grants.map(([from, count]) => ({ from, count }))
    const { frozen } = fold(given(1), findDone(history), made, history.length - 1)
    expect([...history].map((mark, period) => (frozen.includes(period) ? "f" : mark)).join("")).toBe(shown)
  })

  it("are kept by a fold, also those later than every period", () => {
    expect(fold(earned(10, 5), [1, 2], [{ from: 9, count: 3 }], 2).run.freezes).toBe(3)
  })
})

describe("settle and advance", () => {
  const alive: Run = { count: 4, longest: 9, freezes: 1, last: 10, settled: 10 }

  it("settle nothing twice", () => {
    const once = settle(given(1), alive, 11)
    expect(once).toEqual({ run: { ...alive, freezes: 0, settled: 11 }, frozen: [11] })
    expect(settle(given(1), once.run, 11)).toEqual({ run: once.run, frozen: [] })
    expect(settle(given(1), once.run, 3)).toEqual({ run: once.run, frozen: [] })
  })

  it("leave a broken run where it broke", () => {
    const broken = settle(given(1), alive, 500).run
    expect(broken).toEqual({ count: 0, longest: 9, freezes: 0, last: 10, settled: 12 })
    expect(settle(given(1), broken, 900).run).toEqual(broken)
  })

  it("do nothing for a user who has not begun", () => {
    expect(settle(given(1), newRun(given(1)), 100)).toEqual({ run: newRun(given(1)), frozen: [] })
  })

  it("count a period once", () => {
    const next = advance(given(1), alive, 11).run
    expect(next).toEqual({ count: 5, longest: 9, freezes: 1, last: 11, settled: 11 })
    expect(advance(given(1), next, 11)).toEqual({ run: next, frozen: [] })
  })

  it("never let the longest fall", () => {
    expect(advance(without, alive, 20).run).toMatchObject({ count: 1, longest: 9 })
  })
})
