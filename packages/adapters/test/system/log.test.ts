import { describe, expect, it } from "vitest"
import { type LogOptions, openLog } from "../../src/system/index.ts"

const written = (target: object, options: Partial<LogOptions> = {}) => {
  const lines: Array<string> = []
  const log = openLog({
    ...{ level: "info", format: null, ...options },
    target: { ...target, write: (text) => lines.push(text) },
  })
  return { log, text: () => lines.join("") }
}
const terminal = { isTTY: true, hasColors: () => true }
const withoutColors = { isTTY: true, hasColors: () => false }
const esc = "\u001b"

describe("a log that is no terminal's", () => {
  it("is an object a line, with the facts beside time, level and message", () => {
    const { log, text } = written({})
    log("warn", "a job failed", { project_id: "p", cause: "Error: x\n    at y", ms: 3 })
    expect(text().match(/\n/g)).toHaveLength(1)
    expect(JSON.parse(text())).toEqual({
      ...{ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: "warn", message: "a job failed" },
      ...{ project_id: "p", cause: "Error: x\n    at y", ms: 3 },
    })
  })

  it("leaves out what is below its level", () => {
    const { log, text } = written({}, { level: "warn" })
    log("debug", "a")
    log("info", "b")
    log("error", "c")
    expect(text().trim().split("\n")).toHaveLength(1)
  })

  it("is text without colours where the setting says so", () => {
    const { log, text } = written({ hasColors: () => true }, { format: "text" })
    log("info", "server started", { version: "0.1.0", url: "http://127.0.0.1:8080", mail: "kept, not sent" })
    expect(text()).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} info {2}server started version=0\.1\.0 url=http:\/\/127\.0\.0\.1:8080 mail="kept, not sent"\n$/,
    )
  })
})

describe("a log on a terminal", () => {
  it("has colours, unless the terminal has none or NO_COLOR is set", () => {
    const [colored, plain] = [written(terminal), written(withoutColors)]
    for (const { log } of [colored, plain]) log("error", "broken", { ms: 1, nothing: undefined, list: [1, "a b"] })
    expect(colored.text()).toContain(`${esc}[31merror${esc}[0m`)
    expect(plain.text()).not.toContain(esc)
    expect(plain.text()).toMatch(/ error broken ms=1 list=\[1,"a b"\]\n$/)
  })

  it("is JSON where the setting says so", () => {
    const { log, text } = written(terminal, { format: "json" })
    log("info", "a")
    expect(JSON.parse(text())).toMatchObject({ level: "info", message: "a" })
  })

  it("shows a stack in lines of its own", () => {
    const { log, text } = written(withoutColors)
    log("error", "request", { cause: "Error: x\n    at y", status: 500 })
    expect(text()).toMatch(/ error request status=500\n {2}cause:\n {4}Error: x\n {8}at y\n$/)
  })

  it("lets nothing that callers send write a line or move the cursor", () => {
    const { log, text } = written(withoutColors)
    const hostile = `${esc}[2Jx\r\u0007\u202e`
    log("info", `a ${hostile}`, { one: hostile, several: `first\n${hostile}`, in: { it: hostile } })
    expect(text()).not.toMatch(/[^\P{C}\n]/u)
    expect(text().split("\n")).toHaveLength(5)
  })
})
