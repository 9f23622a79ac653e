const width = 30

/** A progress bar on `stream`. Without a terminal, it is a line at every tenth. */
export const makeProgressBar = (stream: NodeJS.WriteStream, label: string, total: number) => {
  let tenths = -1
  return (done: number) => {
    const share = total === 0 ? 1 : done / total
    const filled = Math.round(share * width)
    const text = `${label} ${"█".repeat(filled)}${"░".repeat(width - filled)} ${done}/${total}`
    if (stream.isTTY) stream.write(`\r${text}${done === total ? "\n" : ""}`)
    else if (Math.floor(share * 10) > tenths) stream.write(`${text}\n`)
    tenths = Math.floor(share * 10)
  }
}
