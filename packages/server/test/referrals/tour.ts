import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

/** Codes of a developer and of users, from their making to what was claimed of them. */
export const tour: Tour = async ({ admin, client, fetch, projectId, userId, sql }) => {
  const nothing = { reward_referrer: {}, reward_referee: {}, max_uses: null }
  const open = { require_account: false, max_account_age_hours: null }
  expect(await admin("GET /referrals/program")).toEqual({ ...nothing, ...open })
  const program = { reward_referrer: { xp: 5 }, reward_referee: { xp: 10, note: "hi" }, max_uses: 100 }
  expect(await admin("PUT /referrals/program", { body: program })).toEqual({ ...program, ...open })
  expect(await admin("GET /referrals/program")).toEqual({ ...program, ...open })

  const own = await client("GET /client/referrals/my-code")
  expect(own).toEqual({ code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{8}$/), total_claims: 0 })
  expect(await client("GET /client/referrals/my-code")).toEqual(own)

  const welcome = await admin("POST /referrals", { body: { code: "Welcome-26", reward_referee: { xp: 3 } } })
  expect(welcome).toEqual({
    ...{ id: expect.any(String), code: "WELCOME-26", ...nothing, reward_referee: { xp: 3 } },
    ...{ is_active: true, app_user_id: null, total_claims: 0, created_at: expect.any(String) },
  })
  const codeId = welcome["id"]
  expect(await admin("GET /referrals")).toMatchObject([
    { code: "WELCOME-26" },
    { code: own["code"], app_user_id: userId, ...program },
  ])
  const changed = await admin("PATCH /referrals/:codeId", { codeId, body: { max_uses: 1 } })
  expect(changed).toEqual({ ...welcome, max_uses: 1 })

  const claim = await client("POST /client/referrals/redeem", { body: { code: "welcome-26" } })
  expect(claim).toEqual({
    ...{ id: expect.any(String), referral_code_id: codeId, code: "WELCOME-26", claimed_at: expect.any(String) },
    reward: { xp: 3, skipped: [] },
  })
  expect(await admin("GET /referrals/:codeId/stats", { codeId })).toEqual({
    ...{ referral_code: { ...changed, total_claims: 1 }, total_claims: 1 },
    claims: [{ id: claim["id"], claimer_id: userId, claimed_at: claim["claimed_at"] }],
  })
  expect(await admin("GET /users/:userId/events", { userId })).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ event_name: "referral_redeemed", properties: { code: "WELCOME-26", referrer_id: null } },
      }),
    ]),
  )
  const bundle = await admin<string>("GET /users/:userId/export", { userId })
  expect(bundle).toContain('"section":"referral_claims"')
  expect(await sql.rows(projectId, "select code, reward from referral_claims")).toEqual([
    { code: "WELCOME-26", reward: { xp: 3, skipped: [] } },
  ])

  await admin("DELETE /referrals/:codeId", { codeId })
  expect(await admin("GET /referrals")).toMatchObject([{ code: own["code"] }])
  expect((await fetch(`/v1/client/referrals/my-code`)).status).toBe(401)
}
