import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"
import { tourItems } from "./tour-items.ts"
import { tourSchedules } from "./tour-schedules.ts"

/** Content: libraries and their items, of developers and of users. */
export const tour: Tour = async (tools) => {
  const { admin } = tools
  const libraryId = await tourItems(tools)
  await tourSchedules(tools, libraryId)
  expect(await admin("GET /content/libraries/:libraryId", { libraryId })).toMatchObject({ id: libraryId })
  await admin("DELETE /content/libraries/:libraryId", { libraryId })
  expect(await admin("GET /content/libraries")).toEqual([])
}
