const perSecond = 10

/** A line on the terminal that shows what is being done; nothing where the output is no terminal. */
export const makeStatusLine = (stream: NodeJS.WriteStream = process.stderr) => {
  let last = 0
  return {
    show: (text: string) => {
      const now = performance.now()
      if (!stream.isTTY || now - last < 1_000 / perSecond) return
      last = now
      stream.write(`\r\x1b[2K${text.slice(0, Math.max(20, stream.columns - 1))}`)
    },
    clear: () => {
      if (stream.isTTY) stream.write("\r\x1b[2K")
    },
  }
}
