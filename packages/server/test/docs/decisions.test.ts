import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")
const number = String.raw`[A-Z]\d+(?:\.\d+)?[a-z]?\b`
// One number or several in brackets, as comments have them: `[E2]`, `[I8.2, I8.4]`.
const citation = new RegExp(String.raw`\[(${number}[^\]\n]*)\]`, "g")
const entry = new RegExp(String.raw`^- \[(${number})\]`, "gm")

const read = (file: string) => readFileSync(join(root, file), "utf8")

/** The citations of sources and documents, each with its file and line. */
const readCitations = () =>
  globSync("{packages,bench,docs}/**/*.{ts,md}", { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).flatMap(
    (file) =>
      read(file)
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(citation)]
            .flatMap(([, list = ""]) => list.match(new RegExp(String.raw`\b${number}`, "g")) ?? [])
            .map((cited) => `[${cited}] in ${file}:${index + 1}`),
        ),
  )

describe("docs/decisions.md", () => {
  const entries = [...read("docs/decisions.md").matchAll(entry)].map(([, decision]) => decision)

  it("has every decision once", () => {
    expect(entries.length).toBeGreaterThan(100)
    expect(entries.filter((decision, index) => entries.indexOf(decision) !== index)).toEqual([])
  })

  it("has every decision that a source or a document cites", () => {
    const citations = readCitations()
    expect(citations.length).toBeGreaterThan(100)
    const known = new Set(entries.map((decision) => `[${decision}]`))
    expect(citations.filter((cited) => !known.has(cited.split(" ")[0] ?? ""))).toEqual([])
  })
})
