import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("social.md", "[I2.1, I2.5, I3.1, I3.2, I4.1, I4.2, I4.3]", ({ answer }) => {
  const [ada, bob] = [answer("ada").user, answer("bob").user]

  const group = answer("group")
  expect(group).toMatchObject({ name: "Early birds", max_members: 50, is_public: true, owner_id: ada.id })
  expect(answer("mine")).toEqual([{ role: "member", groups: { ...group, member_count: 2 } }])
  const member = { group_id: group.id, app_user_id: bob.id, role: "member", joined_at: expect.any(String) }
  for (const name of ["joined", "invited"]) expect(answer(name)).toEqual(member)
  expect(answer("private")).toMatchObject({ is_public: false })
  expect([answer("left"), answer("kicked")]).toEqual([{ left: true }, { kicked: true }])
  expect(answer("promoted")).toEqual({ ...member, role: "admin" })
  expect(answer("transferred")).toMatchObject({ owner_id: bob.id })
  expect(answer("back")).toEqual({ ...member, app_user_id: ada.id })

  expect(answer("feed")).toEqual([
    {
      ...{ id: expect.any(String), actor_id: bob.id, action: "read", target_id: "moby-dick" },
      created_at: expect.any(String),
      actor: { id: bob.id, display_name: bob.display_name, avatar_url: null },
    },
  ])
  expect(answer("followed-feed")).toEqual(answer("feed"))
  for (const name of ["followed", "blocked"])
    expect(answer(name)).toMatchObject({ id: bob.id, display_name: bob.display_name })
  expect(answer("unblocked")).toEqual({ deleted: true })

  expect(answer("repeated")).toEqual(answer("hello"))
  expect(answer("conversations")[0]).toMatchObject({
    id: answer("conversation").id,
    last_message: answer("question"),
  })
  expect(answer("newer")).toEqual([answer("question")])
  expect(answer("read")).toMatchObject({ id: answer("conversation").id, unread_count: 0 })
  expect(answer("messages")).toMatchObject([{ body: null, sender_id: ada.id }, { body: "Hello Bob" }])
  expect(answer("messaging")).toMatchObject({ total_conversations: 1, total_messages: 2 })

  expect(answer("ada-review")).toMatchObject({ rating: 5, is_approved: false, moderation: "shown" })
  expect(answer("shown").map(({ app_users }: { readonly app_users: object }) => app_users)).toMatchObject([
    { id: bob.id },
    { id: answer("ada").user.id },
  ])
  expect(answer("changed")).toMatchObject({ rating: 4, is_approved: false })
  expect(answer("items")).toMatchObject([{ item_id: "moby-dick", avg_rating: 5, review_count: 1 }])
  expect(answer("waiting")).toMatchObject([{ id: answer("bob-review").id, reviewable_items: { item_type: "book" } }])
  expect(answer("stats")).toMatchObject({ total_reviews: 2, average_rating: 5, pending_approval: 1 })
})
