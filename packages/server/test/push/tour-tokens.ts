import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** The devices of the user: registered once, again, and forgotten. */
export const tourTokens: Tour = async ({ client, userId }) => {
  const token = "fcm:a/b?c=d&e #%\\ü"
  const device = await client("POST /client/push/tokens", { body: { token, platform: "android" } })
  expect(device).toEqual({
    ...{ id: expect.any(String), app_user_id: userId, platform: "android", token, is_active: true },
    created_at: expect.any(String),
  })
  expect(await client("POST /client/push/tokens", { body: { token, platform: "android" } })).toEqual(device)
  const gone = { token: encodeURIComponent(token) }
  expect(await client("DELETE /client/push/tokens/:token", gone)).toEqual({ deleted: true })
  expect(await client("DELETE /client/push/tokens/:token", gone)).toEqual({ deleted: true })
  const next = await client("POST /client/push/tokens", { body: { token, platform: "android" } })
  expect(next["id"]).not.toBe(device["id"])
}
