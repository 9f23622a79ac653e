import { describe, expect, it } from "vitest"
import type { GroupRole } from "./group.ts"
import type { GroupInviteRow } from "./invite.ts"
import {
  isLive,
  isOpen,
  makeUpInviteCode,
  type Right,
  readInviteCode,
  readRole,
  refuseFounder,
  refuseInvited,
  refuseKick,
  refuseMember,
  refuseOwner,
  refuseRole,
  refuseStranger,
  refuseUninvited,
  useInvite,
} from "./rules.ts"

const code = (refusal: { readonly code: string } | null) => refusal?.code ?? null
const shown = { is_public: true, moderation: "shown" } as const
const hidden = { is_public: false, moderation: "shown" } as const

it.each([
  [true, "shown", true],
  [true, "held", false],
  [true, "rejected", false],
  [false, "shown", false],
] as const)("a group that is public: %s and %s is seen by everybody: %s [I6.3]", (is_public, moderation, open) => {
  expect(isOpen({ is_public, moderation })).toBe(open)
})

it.each([
  ["owner", { app_user_id: "a", is_admin: true }],
  ["owner", { app_user_id: "a", is_admin: false }],
  ["admin", { app_user_id: "b", is_admin: true }],
  ["member", { app_user_id: "b", is_admin: false }],
  [null, null],
] as const)("is %s in a group of a [I2.1]", (role, member) => {
  expect(readRole({ owner_id: "a" }, member)).toBe(role)
})

describe("what a caller may do [I2.3, I2.4]", () => {
  const cases: ReadonlyArray<
    readonly [GroupRole | null, Right | "visible", inPublic: string | null, inPrivate: string | null]
  > = [
    ["owner", "visible", null, null],
    ["owner", "admin", null, null],
    ["owner", "owner", null, null],
    ["admin", "visible", null, null],
    ["admin", "admin", null, null],
    ["admin", "owner", "FORBIDDEN", "FORBIDDEN"],
    ["member", "visible", null, null],
    ["member", "admin", "FORBIDDEN", "FORBIDDEN"],
    ["member", "owner", "FORBIDDEN", "FORBIDDEN"],
    [null, "visible", null, "NOT_FOUND"],
    [null, "admin", "FORBIDDEN", "NOT_FOUND"],
    [null, "owner", "FORBIDDEN", "NOT_FOUND"],
  ]
  it.each(cases)("as %s with a right of %s: %s in a public group, %s in a private one", (role, right, one, other) => {
    const refuse = (group: Parameters<typeof refuseStranger>[0]) =>
      code(refuseStranger(group, role) ?? (right === "visible" ? null : refuseRole(role, right)))
    expect(refuse(shown)).toBe(one)
    expect(refuse(hidden)).toBe(other)
    expect(refuse({ ...shown, moderation: "held" })).toBe(other)
  })
})

it.each([
  ["owner", "admin", null],
  ["owner", "member", null],
  ["owner", "owner", "OWNER_CANNOT_LEAVE"],
  ["admin", "owner", "OWNER_CANNOT_LEAVE"],
  ["admin", "admin", "FORBIDDEN"],
  ["admin", "member", null],
] as const)("a kick by %s of %s: %s [I2.4]", (kicker, kicked, refusal) => {
  expect(code(refuseKick(kicker, kicked))).toBe(refusal)
})

it.each([
  [1, 2, 0, null],
  [2, 2, 0, "GROUP_FULL"],
  // Lowered since.
  [5, 2, 0, "GROUP_FULL"],
  [1, 2, 4_999, null],
  [1, 2, 5_000, "QUOTA_EXCEEDED"],
  [2, 2, 5_000, "GROUP_FULL"],
])(
  "a member more for %i of %i, by somebody with %i memberships: %s [I2.2, I0.2]",
  (member_count, max_members, memberships, refusal) => {
    expect(code(refuseMember({ member_count, max_members }, { memberships }))).toBe(refusal)
  },
)

it.each([
  [0, 0, null, null],
  [999, 4_999, null, null],
  [1_000, 0, "QUOTA_EXCEEDED", "QUOTA_EXCEEDED"],
  [0, 5_000, null, "QUOTA_EXCEEDED"],
])("who owns %i of %i groups may own another: %s, make one: %s [I0.2]", (owned, memberships, own, make) => {
  expect(code(refuseOwner({ owned }))).toBe(own)
  expect(code(refuseFounder({ owned, memberships }))).toBe(make)
})

it.each([
  [shown, false, null, null],
  [hidden, false, "NOT_PUBLIC", null],
  [{ ...shown, moderation: "held" }, false, "NOT_PUBLIC", null],
  [shown, true, "FORBIDDEN", "FORBIDDEN"],
  [hidden, true, "FORBIDDEN", "FORBIDDEN"],
] as const)("entering %o, banned: %s: %s, with an invite: %s [I2.3, I2.5]", (group, isBanned, uninvited, invited) => {
  expect(code(refuseUninvited(group, isBanned))).toBe(uninvited)
  expect(code(refuseInvited(isBanned))).toBe(invited)
})

describe("invites [I2.5]", () => {
  const now = new Date("2026-03-01T12:00:00.000Z")
  const later = new Date(now.getTime() + 1)
  const invite: GroupInviteRow = {
    ...{ id: "i", group_id: "g", code: "C", created_by: "u", max_uses: null, uses: 7, is_ended: false },
    ...{ expires_at: later, created_at: now },
  }

  it.each([
    [{}, true],
    [{ expires_at: now }, false],
    [{ is_ended: true }, false],
    [{ max_uses: 8 }, true],
    [{ max_uses: 7 }, false],
  ])("with %o let somebody in: %s", (given, live) => {
    expect(isLive({ ...invite, ...given }, now)).toBe(live)
  })

  it("end with their last use", () => {
    expect(useInvite(invite, now)).toEqual({ uses: 8, is_ended: false, expires_at: later })
    expect(useInvite({ ...invite, max_uses: 9 }, now)).toEqual({ uses: 8, is_ended: false, expires_at: later })
    expect(useInvite({ ...invite, max_uses: 8 }, now)).toEqual({ uses: 8, is_ended: true, expires_at: now })
  })

  it("have codes of 16 characters out of A-Z and 2-9 without look-alikes", () => {
    const all = Array.from({ length: 31 }, (_, n) => makeUpInviteCode({ integer: () => n }))
    expect(all.every((each) => /^([A-HJKMNP-Z2-9])\1{15}$/.test(each))).toBe(true)
    expect(new Set(all).size).toBe(31)
    const below: Array<number> = []
    makeUpInviteCode({ integer: (bound) => below.push(bound) - 1 })
    expect(below).toEqual(Array(16).fill(31))
  })

  it.each([
    ["abcdefghjkmnpqrs", "ABCDEFGHJKMNPQRS"],
    ["ABCDEFGHJKMNPQ29", "ABCDEFGHJKMNPQ29"],
    ["", null],
    ["ABCDEFGHJKMNPQR", null],
    ["ABCDEFGHJKMNPQRST", null],
    [" ABCDEFGHJKMNPQRS", null],
    ["ABCDEFGHJKMNPQR1", null],
    // In upper case it would be two letters.
    ["ABCDEFGHJKMNPQRß", null],
    ["ABCDEFGHJKMNPQR\u0000", null],
  ])("read %j as %j", (text, read) => {
    expect(readInviteCode(text)).toBe(read)
  })
})
