import { exportSections, type TenantDb } from "@hearth/core"
import { sectionLine, type TableSection } from "@hearth/core/exports"
import type { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import type { Contract } from "../contracts/feature-suites.ts"
import { readAllPages } from "./exports.contract.ts"

/** A user, and the rows of a section about them: at least two where the section can have several, in the order of its key. */
export interface SectionRows {
  readonly userId: string
  readonly rows: ReadonlyArray<object>
}

const title = "sections of the file about a user"

const readAll = async (
  db: DatabaseUnderTest<TenantDb>,
  section: TableSection,
  userId: string,
  limit: number,
  order?: "asc" | "desc",
): Promise<string> => {
  const budget = { rows: limit, bytes: 1_000_000 }
  const pages = await readAllPages((after) =>
    db.read((tx) => tx.exports.section(section, userId, after, budget, order)),
  )
  return pages.flatMap(({ texts }) => texts).join("")
}

/**
 * What a project promises about one section of the file about a user. `write` makes another user each time, so the section
 * is read while another user has rows too.
 */
export const sectionContract =
  (section: TableSection, write: (db: TenantDb) => Effect.Effect<SectionRows, unknown>): Contract<TenantDb> =>
  (open) =>
    describe(title, () => {
      it(`${section.name}: every row once, by its key, as core writes it`, async () => {
        const db = await open()
        await db.transact(write)
        const { userId, rows } = await db.transact(write)
        const expected = rows.map((row) => sectionLine(section.name, section.columns, { ...row })).join("")
        expect(expected).not.toBe("")
        expect(await readAll(db, section, userId, 1_000)).toBe(expected)
        expect(await readAll(db, section, userId, 1)).toBe(expected)
        const downwards = expected.split("\n").reverse().slice(1)
        for (const limit of [1, 1_000]) {
          const read = await readAll(db, section, userId, limit, "desc")
          expect(read.split("\n").slice(0, -1)).toEqual(downwards)
        }
        expect(expected).not.toMatch(/secret-hash|undefined/)
      })
    })

/** What a project promises about every section of the file about a user. */
export const sectionsContract: Contract<TenantDb> = (open) =>
  describe(title, () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const tables = exportSections.flatMap((section) => ("read" in section ? [] : [section]))
    it.for(tables.map((section) => [section.name, section] as const))(
      "%s: is empty for a user without rows",
      async ([, section]) => {
        expect(await readAll(db, section, anId(), 1_000)).toBe("")
      },
    )
  })
