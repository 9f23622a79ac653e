import { expect, it } from "vitest"
import { restoreCommand } from "../../src/cli/restore.ts"

it("the help of restore says that users of a copy sign in again, since tokens name their project", () => {
  let said = ""
  restoreCommand()
    .configureOutput({
      writeOut: (text) => {
        said += text
      },
    })
    .outputHelp()
  expect(said).toContain("Tokens name their project, so its users sign in again.")
  expect(said).not.toContain("stays so")
})
