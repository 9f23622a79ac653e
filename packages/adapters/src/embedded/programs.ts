import type { SpawnOptions } from "node:child_process"
import type { Account } from "./account.ts"
import { EmbeddedDatabaseFailure, noSpace, useYourOwn } from "./failure.ts"

/**
 * Options for every program of PostgreSQL: the account, a folder it may be in, and none of our environment, which may
 * hold secrets that the account can read. (Windows programs do not start without theirs.)
 */
export const programOptions = (account: Account | undefined, cwd: string) =>
  ({
    ...account,
    cwd,
    windowsHide: true,
    ...(process.platform === "win32" ? {} : { env: { LC_ALL: "C", TZ: "UTC" } }),
  }) satisfies SpawnOptions

// What clients are told that come too early.
const refusal = /FATAL: +the database system is /

/** The first error line: later ones are usually its consequences. */
const reason = (output: string): string => {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !refusal.test(line))
  const line =
    lines.find((text) => /(FATAL|PANIC|error|fatal): /.test(text)) ??
    lines.at(-1) ??
    "it left no word, as when the disk is full"
  return line.replace(/^.*?(FATAL|PANIC|error|fatal): +|^initdb: /, "").trim()
}

/** Why a program of PostgreSQL ended, as a sentence; `end` is its exit code, or the system's code when it did not start. */
export const failureOf = (
  program: string,
  end: string | number | null | undefined,
  output: string,
): EmbeddedDatabaseFailure => {
  // Where the dynamic loader is absent, the system says ENOENT of the program itself.
  const noLoader = end === "ENOENT" || end === "ENOEXEC" || end === 127
  if (noLoader || /error while loading shared libraries|Error relocating/.test(output)) {
    const detail = output.trim() === "" ? "" : ` (${reason(output)})`
    return new EmbeddedDatabaseFailure(
      `The PostgreSQL for ${process.platform}-${process.arch} does not run on this system${detail}: it needs the GNU C library, which Alpine and other musl systems lack; ${useYourOwn}.`,
    )
  }
  if (typeof end === "string") {
    return new EmbeddedDatabaseFailure(`PostgreSQL's ${program} cannot be run here (${end}); ${useYourOwn}.`)
  }
  if (/No space left on device|Disk quota exceeded/.test(output)) return noSpace("the database in DATA_DIR")
  // Happens in a container that runs under a uid without a name.
  const hint = /could not look up effective user/.test(output) ? `; give that user a name, or ${useYourOwn}` : ""
  return new EmbeddedDatabaseFailure(`PostgreSQL's ${program} failed: ${reason(output)}${hint}.`)
}
