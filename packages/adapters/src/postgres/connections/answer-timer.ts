/** How long a connection waits for answers. Statements are answered in their order. */
export interface AnswerTimer {
  /** Notes that statements were sent that are answered together, each of which may take so many milliseconds; 0 is without limit. */
  expect(millis: ReadonlyArray<number>): void
  /** Notes that the oldest of them without an answer were answered, or failed. */
  answered(): void
}

/**
 * Calls `giveUp` when an answer takes so much longer than its statements may. Their time begins when those before them are
 * answered.
 */
export const makeAnswerTimer = (longer: number, giveUp: () => void): AnswerTimer => {
  const expected: Array<ReadonlyArray<number>> = []
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    const [next = [0]] = expected
    if (next.includes(0)) return
    const most = next.reduce((sum, millis) => sum + millis, longer)
    timer = setTimeout(giveUp, most)
  }
  return {
    expect: (millis) => {
      expected.push(millis)
      if (expected.length === 1) restart()
    },
    answered: () => {
      expected.shift()
      restart()
    },
  }
}
