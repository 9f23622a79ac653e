import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Streams: of each the beginning. */
export const tour: Tour = async ({ admin, client, userId }) => {
  const beginning = /^retry: 2000\n\nevent: open\nid: \S+\ndata: \{\}\n\n$/
  expect(await admin<string>("GET /live")).toMatch(beginning)
  const query = `event_name=lesson_completed&user_id=${userId}`
  expect(await admin<string>("GET /live", { query })).toMatch(beginning)
  expect(await client<string>("GET /client/stream")).toMatch(beginning)
}
