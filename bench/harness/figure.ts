/** One figure of a benchmark with the bound that it must keep. */
export interface Figure {
  readonly name: string
  readonly measured: string
  /** What it is compared with, measured in the same run; or the limit. */
  readonly bound: string
  /** Whether the bound is kept. */
  readonly kept: boolean
}

/** The value in the middle. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** A figure that must be at least `least` times its reference. */
export const ratio = (
  name: string,
  unit: string,
  measured: number,
  reference: number,
  what: string,
  least: number,
): Figure => ({
  name,
  measured: `${Math.round(measured).toLocaleString("en")} ${unit} = ${(measured / reference).toFixed(2)} ×`,
  bound: `≥ ${least} × ${what} (${Math.round(reference).toLocaleString("en")} ${unit})`,
  kept: measured >= least * reference,
})

/** A figure that must not be above `most`. */
export const atMost = (name: string, unit: string, measured: number, most: number, digits = 0): Figure => ({
  name,
  measured: `${measured.toFixed(digits)} ${unit}`,
  bound: `≤ ${most} ${unit}`,
  kept: measured <= most,
})

/** Runs two kinds of work in turns, so that a noisy machine is noisy for both, and answers the median rate of each in units per second. */
export const measureInTurns = async (
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<readonly [number, number]> => {
  const rates: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of [first, second].entries()) {
      const began = performance.now()
      const units = await work()
      rates[index as 0 | 1].push(units / ((performance.now() - began) / 1000))
    }
  }
  return [median(rates[0]), median(rates[1])]
}

/** Makes `total` calls, `count` of them at the same time. */
export const runConcurrently = async (
  count: number,
  total: number,
  call: (index: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0
  const loop = async () => {
    for (let index = next++; index < total; index = next++) await call(index)
  }
  await Promise.all(Array.from({ length: count }, loop))
  return total
}
