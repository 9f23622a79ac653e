import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")

/** Kinds of blocks that show something, rather than being run, compiled or compared. */
const shown = new Set(["text", "console"])

/** The pages that people read, with the blocks that must be true. */
const pages = globSync("{*.md,docs/*.md,packages/*/README.md}", { cwd: root }).flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8")
  const kinds = [...text.matchAll(/^```(\S+)/gm)].map(([, kind = ""]) => kind).filter((kind) => !shown.has(kind))
  return kinds.length === 0 ? [] : [{ page, kinds }]
})

const suites = globSync("packages/*/test/**/*.ts", { cwd: root, exclude: ["**/node_modules/**"] })
  .filter((file) => file !== "packages/server/test/docs/blocks.test.ts")
  .map((file) => readFileSync(join(root, file), "utf8"))

describe("blocks of documents", () => {
  it("are found", () => {
    expect(pages.length).toBeGreaterThan(12)
  })

  it.each(pages)("of $page are read by a suite", ({ page }) => {
    // A page of docs/ by its name; the others, whose names repeat, by their paths.
    const name = page.startsWith("docs/") ? basename(page) : page
    expect(suites.some((text) => new RegExp(`["'/]${name.replaceAll(".", String.raw`\.`)}["'\`]`).test(text))).toBe(
      true,
    )
  })

  it.each(pages)("of $page name their language", ({ page }) => {
    const fences = [...readFileSync(join(root, page), "utf8").matchAll(/^```(.*)$/gm)].map(([, kind = ""]) => kind)
    const openings = fences.filter((_, index) => index % 2 === 0)
    expect(openings.filter((kind) => kind.trim() === "")).toEqual([])
  })

  // The shell of macOS takes no comments at its prompt: `npm install mine # and theirs` would install all of these words. A line that
  // is a comment alone is an unknown command, as long as nothing in it means something to the shell.
  it.each(pages)("of $page can be pasted into zsh", ({ page }) => {
    const blocks = [...readFileSync(join(root, page), "utf8").matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)]
    const lines = blocks.flatMap(([, block = ""]) => block.split("\n"))
    const isHarmless = (comment: string) =>
      !/[[\]*?()<>&;|$`\\]/.test(comment) && ["'", '"'].every((quote) => comment.split(quote).length % 2 === 1)
    const isTaken = (line: string) => (line.startsWith("# ") ? isHarmless(line) : !/\s#\s/.test(line))
    expect(lines.filter((line) => !isTaken(line))).toEqual([])
  })
})
