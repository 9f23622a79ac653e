import { spawn } from "node:child_process"
import { expect, it } from "vitest"

const module = new URL("../../src/cli/stop-signal.ts", import.meta.url).href
// Work that takes for ever to be taken back.
const script = `const { interruptible } = await import("${module}")
await interruptible({ stopped: "It was stopped.", left: "Half of it is left." }, () => {
  setInterval(() => {}, 1_000)
  process.stdout.write("begun")
  return new Promise(() => {})
})`

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("a second %s ends at once what is being taken back, and says what is left", async (signal, code) => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script])
  let said = ""
  child.stderr.on("data", (text) => {
    said += text
  })
  const ended = new Promise((resolve) => child.once("exit", (...how) => resolve(how)))
  await new Promise((resolve) => child.stdout.once("data", resolve))
  child.kill(signal)
  await expect.poll(() => said).toMatch(/^Stopping, .* Once more ends it at once\.\n$/)
  // One that comes right after the first is its echo.
  const again = setInterval(() => child.kill(signal), 100)
  expect(await ended).toEqual([code, null])
  clearInterval(again)
  expect(said).toMatch(/once\.\nHalf of it is left\.\n$/)
})
