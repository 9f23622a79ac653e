import type { Answer, Api } from "../harness/api.ts"
import { aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"

interface Group {
  readonly id: string
  readonly owner_id: string
  readonly member_count: number
  readonly max_members: number
}

interface Member {
  readonly app_user_id: string
  readonly role: string
}

const count = <Value>(values: ReadonlyArray<Value>, wanted: (value: Value) => boolean) => values.filter(wanted).length

const faults = (answers: ReadonlyArray<Answer<unknown>>) =>
  answers.filter(({ status }) => status >= 500).map(({ status, text }) => `${status}: ${text}`)

/** Races for the places and the ownership of groups, over several API processes. Each is run once per call and answers what should not be. */
export const makeGroupRaces = (apis: readonly [Api, Api], project: TestProject) => {
  const { admin, owner } = project
  const api = (turn: number) => apis[turn % 2 === 0 ? 0 : 1]
  const users: Array<TestUser> = []
  /** So many users. They are used again by other rounds. */
  const someUsers = async (wanted: number) => {
    while (users.length < wanted) users.push(await aUser(apis[0], project))
    return users.slice(0, wanted)
  }
  const newUsers = (wanted: number) => Promise.all(Array.from({ length: wanted }, (_, at) => aUser(api(at), project)))
  const newGroup = (owner_id: string, given: object) =>
    apis[0].ok<Group>("POST", `${admin}/groups`, owner.as, { name: "Raced", owner_id, ...given })
  const add = (turn: number, groupId: string, app_user_id: string, role = "member") =>
    api(turn).call("POST", `${admin}/groups/${groupId}/members`, owner.as, { app_user_id, role })

  /** What is wrong with a group; nothing is with one that is gone and has no members. */
  const inspect = async (id: string, gone: ReadonlyArray<string> = []): Promise<ReadonlyArray<string>> => {
    const groups = await apis[1].ok<ReadonlyArray<Group>>("GET", `${admin}/groups?limit=1000`, owner.as)
    const group = groups.find((each) => each.id === id)
    const listed = await apis[0].call<ReadonlyArray<Member>>("GET", `${admin}/groups/${id}/members`, owner.as)
    if (group === undefined) return listed.status === 404 ? [] : ["a group that is gone has members"]
    const members = listed.data
    const owners = members.filter(({ role }) => role === "owner")
    return [
      ...(owners.length === 1 && owners[0]?.app_user_id === group.owner_id ? [] : [`it has ${owners.length} owners`]),
      ...(members.length === group.member_count ? [] : [`${members.length} members count as ${group.member_count}`]),
      ...members
        .filter(({ app_user_id }) => gone.includes(app_user_id))
        .map(({ app_user_id }) => `${app_user_id} is gone and a member`),
    ]
  }

  return {
    "group places": async (): Promise<ReadonlyArray<string>> => {
      const [founder, ...others] = await someUsers(31)
      if (founder === undefined) return ["there is nobody"]
      const { id } = await newGroup(founder.id, { max_members: 6 })
      const answers = await Promise.all(
        others.map(({ id: userId, as }, turn) =>
          turn % 5 === 0 ? add(turn, id, userId) : api(turn).call("POST", `/client/groups/${id}/join`, as),
        ),
      )
      const wrong = await inspect(id)
      await apis[1].ok("DELETE", `${admin}/groups/${id}`, owner.as)
      const joined = count(answers, ({ status }) => status === 201)
      const full = count(answers, ({ code }) => code === "GROUP_FULL")
      return [
        ...(joined === 5 && full === 25 ? [] : [`${joined} of 30 got in, ${full} were told it is full`]),
        ...wrong,
      ]
    },

    "invite uses": async (): Promise<ReadonlyArray<string>> => {
      const [founder, ...others] = await someUsers(13)
      if (founder === undefined) return ["there is nobody"]
      const { id } = await newGroup(founder.id, { is_public: false })
      const { code } = await apis[0].ok<{ code: string }>("POST", `/client/groups/${id}/invites`, founder.as, {
        max_uses: 5,
      })
      const answers = await Promise.all(
        others.map(({ as }, turn) => api(turn).call("POST", "/client/groups/join", as, { code })),
      )
      const wrong = await inspect(id)
      await apis[1].ok("DELETE", `${admin}/groups/${id}`, owner.as)
      const joined = count(answers, ({ status }) => status === 201)
      const ended = count(answers, (answer) => answer.code === "INVITE_NOT_FOUND")
      // Who has tried codes in many rounds is told to wait.
      const late = count(answers, ({ status }) => status === 429)
      const expected = Math.min(5, 12 - late)
      return [
        ...(joined === expected && joined + ended + late === 12 ? [] : [`${joined} of 12 used an invite for 5`]),
        ...wrong,
      ]
    },

    "group changes": async (): Promise<ReadonlyArray<string>> => {
      const [first, heir, officer, kicked, leaver, ...rest] = await newUsers(7)
      const newcomers = await someUsers(10)
      if (!first || !heir || !officer || !kicked || !leaver) return ["there is nobody"]
      const { id } = await newGroup(first.id, { max_members: 12 })
      await add(0, id, officer.id, "admin")
      for (const member of [heir, kicked, leaver, ...rest]) await add(0, id, member.id)
      const path = `/client/groups/${id}`
      const isRemoved = Math.random() < 0.2
      const calls: ReadonlyArray<(turn: number) => Promise<Answer<unknown>>> = [
        (turn) => api(turn).call("POST", `${path}/transfer`, first.as, { app_user_id: heir.id }),
        (turn) => api(turn).call("POST", `${path}/transfer`, first.as, { app_user_id: officer.id }),
        (turn) => api(turn).call("PATCH", `${admin}/groups/${id}/members/${leaver.id}`, owner.as, { role: "owner" }),
        (turn) => api(turn).call("POST", `${path}/leave`, leaver.as),
        (turn) => api(turn).call("POST", `${path}/leave`, heir.as),
        (turn) => api(turn).call("POST", `${path}/members/${kicked.id}/kick`, officer.as, { ban: true }),
        (turn) => api(turn).call("POST", `${path}/join`, kicked.as),
        (turn) => api(turn).call("POST", `${path}/members/${heir.id}/kick`, first.as, { ban: false }),
        (turn) => api(turn).call("DELETE", `${admin}/groups/${id}/members/${heir.id}`, owner.as),
        (turn) => api(turn).call("DELETE", `${admin}/groups/${id}/members/${officer.id}`, owner.as),
        (turn) => api(turn).call("PATCH", path, first.as, { max_members: 11 }),
        (turn) => api(turn).call("DELETE", "/client/users/me", first.as),
        (turn) => api(turn).call("DELETE", "/client/users/me", officer.as),
        ...newcomers.map(
          ({ as }) =>
            (turn: number) =>
              api(turn).call("POST", `${path}/join`, as),
        ),
        ...(isRemoved ? [(turn: number) => api(turn).call("DELETE", `${admin}/groups/${id}`, owner.as)] : []),
      ]
      const shuffled = calls.map((call) => [Math.random(), call] as const).toSorted(([a], [b]) => a - b)
      const answers = await Promise.all(shuffled.map(([, call], turn) => call(turn)))
      const members = (await apis[0].call<ReadonlyArray<Member>>("GET", `${admin}/groups/${id}/members`, owner.as)).data
      const wrong = await inspect(id, [first.id, officer.id])
      await apis[1].ok("DELETE", `${admin}/groups/${id}`, owner.as)
      return [...faults(answers), ...((members?.length ?? 0) > 12 ? ["it has more than 12 members"] : []), ...wrong]
    },
  }
}
