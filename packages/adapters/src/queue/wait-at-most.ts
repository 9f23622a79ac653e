/** Waits until a promise resolves or rejects, but no longer than `millis`. Answers whether it did. Never rejects. */
export const waitAtMost = async (millis: number, promise: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), millis)
  })
  const ended = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([ended, late]).finally(() => clearTimeout(timer))
}
