const whyNot = (code: string | undefined) =>
  code === "ENOSPC" || code === "EDQUOT" ? "no space is left" : (code ?? "for an unknown reason")

/**
 * Has a command that cannot write its output say so in one sentence, and exit with 1 where it would with 0. Where nobody reads it any
 * more, as behind `head`, it says nothing.
 */
export const watchOutput = (): void => {
  let isTold = false
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    process.exitCode ??= 1
    if (isTold || code === "EPIPE") return
    isTold = true
    process.stderr.write(
      `The output could not be written (${whyNot(code)}): send it elsewhere, or make room. The command went on without it.\n`,
    )
  })
  process.stderr.on("error", () => {
    process.exitCode ??= 1
  })
}
