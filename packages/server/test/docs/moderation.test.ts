import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("moderation.md", "[I6.1, I6.3, I6.4, I6.5]", ({ answer }) => {
  const { user } = answer("me")
  expect(answer("preview")).toMatchObject({ matches: 1, sample: [{ content_id: user.id, excerpt: "Cheap Watches" }] })
  expect(answer("hold")).toMatchObject({ name: "Spam", rule_type: "keyword", is_active: true })
  expect(answer("held")).toMatchObject({ display_name: "Cheap Watches 24h" })
  expect(answer("queue")).toMatchObject([{ content_type: "user", rule_id: answer("hold").id, reason: "keyword" }])
  expect(answer("escalated")).toMatchObject({ status: "escalated", resolved_at: null })
  expect(answer("approved")).toMatchObject({ status: "approved", moderator_id: "admin" })
  expect(answer("shown")).toMatchObject({ display_name: "Cheap Watches 24h" })
  expect(answer("report")).toMatchObject({ reason: "reported", report_count: 1, report_reasons: ["Rude name"] })
  expect(answer("rejected")).toMatchObject({ status: "rejected" })
  expect(answer("renamed").display_name).not.toBe("Grumpy")
  expect(answer("levels")).toMatchObject([{ auto_approve: true, app_users: { id: user.id } }])
  expect(answer("trusted")).toMatchObject({ display_name: "Cheap Watches again" })
})
