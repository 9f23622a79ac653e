import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { executables } from "../harness/process.ts"

const run = (program: "server" | "worker", argument: string) =>
  spawnSync(process.execPath, [executables[program], argument], { encoding: "utf8", timeout: 20_000 })

describe.each(["server", "worker"] as const)("the program of the %s", (program) => {
  it("says what it is when it is asked for help", () => {
    const { status, stdout, stderr } = run(program, "--help")
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(stdout).toMatch(new RegExp(`^This starts the ${program} and takes no arguments`))
    expect(stdout).toMatch(/environment.*\.env\.example.*hearth --help/)
  })

  it("does not start with an argument that it would ignore", () => {
    const { status, stdout, stderr } = run(program, "--port=9000")
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(/takes no arguments/)
  })
})
