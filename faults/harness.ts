import { type Harness, makeHarness } from "../packages/server/test/harness/harness.ts"

/** Does something with processes, databases and folders of its own, and ends and removes them. */
export const withHarness = async <A>(work: (harness: Harness) => Promise<A>): Promise<A> => {
  const harness = makeHarness()
  try {
    return await work(harness)
  } finally {
    await harness.clear()
  }
}

/** Prints what was found, at most a few lines of it. */
export const printFindings = (title: string, findings: ReadonlyArray<string>) => {
  for (const finding of findings.slice(0, 10)) console.log(`  ${title}: ${finding}`)
  if (findings.length > 10) console.log(`  ${title}: ${findings.length - 10} more`)
}

/** Waits until something is so; rejects after so many milliseconds. Answers how long that took. */
export const waitUntil = async (what: string, millis: number, isSo: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - began > millis) throw new Error(`${what}: not within ${millis} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now() - began
}
