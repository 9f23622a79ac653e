import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { locatePackage } from "../../src/embedded/binaries.ts"
import { codeOf, explain } from "../../src/embedded/failure.ts"
import { failureOf } from "../../src/embedded/programs.ts"
import { aFolder, clear } from "./harness.ts"

const here = `${process.platform}-${process.arch}`

describe("PostgreSQL's programs", () => {
  afterEach(clear)

  it("are missing for an unknown platform, which the failure names", () => {
    expect(() => locatePackage("sunos", "sparc")).toThrow(
      /^There is no PostgreSQL for sunos-sparc here .* set DATABASE_URL to the address of a PostgreSQL server\.$/,
    )
  })

  it("do not run where their loader is absent, as with musl", () => {
    const program = join(aFolder(), "postgres")
    writeFileSync(program, "#!/lib64/no-such-loader\n", { mode: 0o755 })
    let end: string | number | undefined
    try {
      execFileSync(program)
    } catch (error) {
      end = codeOf(error)
    }
    expect(failureOf("initdb", end, "").message).toMatch(
      new RegExp(
        `^The PostgreSQL for ${here} does not run on this system: it needs the GNU C library, .* set DATABASE_URL`,
      ),
    )
  })

  it.each([
    [
      127,
      "initdb: error while loading shared libraries: liba.so: cannot open shared object file\n",
      `The PostgreSQL for ${here} does not run on this system (error while loading shared libraries: liba.so: cannot open shared object file): it needs the GNU C library, which Alpine and other musl systems lack; set DATABASE_URL to the address of a PostgreSQL server.`,
    ],
    [
      1,
      '2026-01-01 00:00:00.000 UTC [7] LOG:  starting\n2026-01-01 00:00:00.000 UTC [7] FATAL:  could not write to file "x": No space left on device\n2026-01-01 00:00:00.000 UTC [7] PANIC:  something that follows from it\n2026-01-01 00:00:00.000 UTC [7] LOG:  database system is shut down\n',
      "No space is left for the database in DATA_DIR: make room on its disk, or set DATA_DIR to a folder on a larger one.",
    ],
    [
      1,
      "initdb: could not look up effective user ID 1234: user does not exist\n",
      "PostgreSQL's server failed: could not look up effective user ID 1234: user does not exist; give that user a name, or set DATABASE_URL to the address of a PostgreSQL server.",
    ],
    [
      1,
      '2026-01-01 00:00:00.000 UTC [8] FATAL:  the database system is starting up\n2026-01-01 00:00:00.000 UTC [7] PANIC:  could not write to file "x": No space left on device\n',
      "No space is left for the database in DATA_DIR: make room on its disk, or set DATA_DIR to a folder on a larger one.",
    ],
    [null, "", "PostgreSQL's server failed: it left no word, as when the disk is full."],
  ])("fail with a reason (%s)", (end, output, sentence) => {
    expect(failureOf("server", end, output).message).toBe(sentence)
  })

  it.each(["ENOSPC", "EDQUOT"])("cannot run in a folder on a full disk (%s)", (code) => {
    const error = Object.assign(new Error(`${code}: no space`), { code, syscall: "write" })
    expect(explain(error, "/data")).toMatchObject({
      name: "EmbeddedDatabaseFailure",
      message:
        "No space is left for the data folder /data: make room on its disk, or set DATA_DIR to a folder on a larger one.",
    })
  })
})
