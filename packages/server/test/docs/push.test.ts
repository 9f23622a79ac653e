import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("push.md", "[H4.1, H4.2, H4.3, H4.5, H4.6]", ({ answer, folder }) => {
  const { user } = answer("me")
  expect(answer("device")).toEqual({
    ...{ id: expect.any(String), app_user_id: user.id, platform: "ios", token: "apns:4f2a/1", is_active: true },
    created_at: expect.any(String),
  })
  expect(answer("tested")).toEqual({
    ...{ sent: true, delivery_id: expect.any(String), provider: "push_b", provider_message_id: expect.any(String) },
  })
  const [group] = answer("preview").groups
  expect(answer("preview")).toEqual({
    ...{ recipients: 1, devices: 2, by_platform: { ios: 1, android: 1, web: 0 } },
    groups: [{ timezone: null, fire_at: expect.any(String), recipients: 1, skipped: 0 }],
    sample: [{ app_user_id: user.id, title: "Hi Ada", body: "News from Bonn, friend." }],
  })
  expect(Date.parse(group.fire_at)).toBeLessThanOrEqual(Date.now())
  expect(answer("sent")).toMatchObject({
    status: "sent",
    sent_at: expect.any(String),
    stats: { sent: 2, recipients: 1 },
  })
  expect(answer("deliveries")).toHaveLength(2)
  const kept: ReadonlyArray<{ token: string }> = JSON.parse(readFileSync(`${folder}/kept.json`, "utf8")).data
  expect(kept.map(({ token }) => token).sort()).toEqual(["apns:4f2a/1", "fcm-77", "fcm-77"])
  expect(kept[0]).toMatchObject({
    title: "Hi Ada",
    data: { screen: "feed" },
    options: { badge: 1, collapse_id: "news" },
  })
  expect(answer("zones").groups).toEqual([
    { timezone: "Europe/Berlin", fire_at: "2999-06-01T07:00:00.000Z", recipients: 1, skipped: 0 },
  ])
  expect(answer("cancelled")).toMatchObject({ status: "cancelled", local_time: "09:00:00" })
  expect(answer("segment")).toMatchObject({ is_system: true, rules: { system: true }, user_count: 1 })
})
