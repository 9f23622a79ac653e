/** How long a connection waits for answers. Statements are answered in their order. */
export interface AnswerTimer {
  /** Notes that a statement was sent, which may take so many milliseconds; 0 is without limit. */
  expect(millis: number): void
  /** Notes that the oldest statement without an answer was answered, or failed. */
  answered(): void
}

/** Calls `giveUp` when an answer takes too long. The time of a statement begins when the one before it is answered. */
export const makeAnswerTimer = (giveUp: () => void): AnswerTimer => {
  const expected: Array<number> = []
  let timer: NodeJS.Timeout | undefined
  const restart = () => {
    clearTimeout(timer)
    const [millis = 0] = expected
    if (millis > 0) timer = setTimeout(giveUp, millis)
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
