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

/** A kind of work that is measured. */
export interface Work {
  /** Does a round of it, and answers of how many units. */
  readonly run: () => Promise<number>
  /** CPU time that the process has used that does the work, in milliseconds. */
  readonly cpuMillis?: () => number
  /** Waits for what a round has left to do in the background. That takes no time of the round. */
  readonly settle?: () => Promise<unknown>
}

/** How fast work was, in units per second, and what a unit of it cost the process in milliseconds: medians of the rounds. */
export interface Pace {
  readonly rate: number
  readonly cpu: number
}

/** Runs kinds of work in turns, so that a noisy machine is noisy for all of them. */
export const paceInTurns = async (rounds: number, ...works: ReadonlyArray<Work>): Promise<ReadonlyArray<Pace>> => {
  const measured = works.map((work) => ({ work, rates: [] as Array<number>, costs: [] as Array<number> }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { work, rates, costs } of measured) {
      const { run, cpuMillis = () => Number.NaN, settle } = work
      const [began, before] = [performance.now(), cpuMillis()]
      const units = await run()
      rates.push(units / ((performance.now() - began) / 1000))
      await settle?.()
      costs.push((cpuMillis() - before) / units)
    }
  }
  return measured.map(({ rates, costs }) => ({ rate: median(rates), cpu: median(costs) }))
}

/** Runs two kinds of work in turns, and answers the median rate of each in units per second. */
export const measureInTurns = async (
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<readonly [number, number]> => {
  const [one, other] = await paceInTurns(rounds, { run: first }, { run: second })
  return [one?.rate ?? Number.NaN, other?.rate ?? Number.NaN]
}

/** Like `measureInTurns`, where the first is calls of a service: answers also what one of its units cost the service. */
export const measureService = async (
  rounds: number,
  { cpuMillis }: { readonly cpuMillis: () => number },
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<{ readonly rates: readonly [number, number]; readonly cpu: number }> => {
  const [service, other] = await paceInTurns(rounds, { run: first, cpuMillis }, { run: second })
  return { rates: [service?.rate ?? Number.NaN, other?.rate ?? Number.NaN], cpu: service?.cpu ?? Number.NaN }
}

/** The figure with what the server used of CPU time, in milliseconds, for each unit. */
export const withCpu = (figure: Figure, cpu: number): Figure => ({
  ...figure,
  measured: `${figure.measured} at ${cpu.toFixed(3)} ms CPU each`,
})

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
