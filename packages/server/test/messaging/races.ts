import type { Answer, Api } from "../harness/api.ts"
import { aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"

interface Row {
  readonly id: string
}

interface Found {
  readonly wrong: string
}

/** Reads a project's database. */
type ReadRows = (text: string) => Promise<ReadonlyArray<Found>>

/** What is stored of messages and does not agree with them. Nothing should be found. */
export const disagreements = `
  with seen as (
    select p.*, c.latest_at, (
      select created_at from messages m where m.conversation_id = c.id and m.sender_id = p.app_user_id
        and m.moderation = 'held' order by number desc limit 1
    ) as own_held from conversation_participants p join conversations c on c.id = p.conversation_id
  )
  select 'counts of ' || id as wrong from conversations c where
    message_count <> (select count(*) from messages m where m.conversation_id = c.id)
    or held_count <> (select count(*) from messages m where m.conversation_id = c.id and moderation = 'held')
    or last_number < (select coalesce(max(number), 0) from messages m where m.conversation_id = c.id)
  union all
  select 'instants of ' || id from conversations c where newest_at <> coalesce((
      select max(created_at) from messages m where m.conversation_id = c.id
    ), created_at)
  union all
  select 'nobody takes part in ' || id from conversations c where not exists (
    select from conversation_participants p where p.conversation_id = c.id
  )
  union all
  select 'the hour of ' || app_user_id from seen
  where latest_hour <> date_trunc('hour', greatest(latest_at, own_held), 'UTC') or held_at is distinct from own_held
  union all
  select 'a mark beyond all messages of ' || app_user_id from seen s
  where read_number > (select last_number from conversations c where c.id = s.conversation_id)
  union all
  select 'an event without its message: ' || (properties ->> 'message_id') from engagement_events e
  where event_name = 'message_sent' group by properties ->> 'message_id' having count(*) > 1`

const describeOdd = (answers: ReadonlyArray<Answer<unknown>>, ...allowed: ReadonlyArray<number>) =>
  answers.filter(({ status }) => !allowed.includes(status)).map(({ status, text }) => `${status}: ${text}`)

/** Races in conversations over several API processes. Each is run once per call and answers what should not be. */
export const makeMessagingRaces = (apis: readonly [Api, Api], project: TestProject, read: ReadRows) => {
  const messaging = "/client/messaging"
  const call = <Data = Row>(turn: number, by: TestUser, method: string, path: string, body?: unknown) =>
    apis[turn % 2 === 0 ? 0 : 1].call<Data>(method, `${messaging}${path}`, by.as, body)
  const users = (count: number) => Promise.all(Array.from({ length: count }, () => aUser(apis[0], project)))
  const found = async () => (await read(disagreements)).map(({ wrong }) => wrong)

  return {
    "direct conversation": async (): Promise<ReadonlyArray<string>> => {
      const [ada, bob] = (await users(2)) as [TestUser, TestUser]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => {
          const [by, other] = turn % 3 === 0 ? [ada, bob] : [bob, ada]
          return call(turn, by, "POST", "/conversations", { type: "direct", participant_ids: [other.id] })
        }),
      )
      const made = answers.filter(({ status }) => status === 201)
      const ids = new Set(answers.map(({ data }) => data?.id))
      return [
        ...describeOdd(answers, 200, 201),
        ...(made.length === 1 ? [] : [`${made.length} conversations were made`]),
        ...(ids.size === 1 ? [] : [`${ids.size} conversations were answered`]),
        ...(await found()),
      ]
    },

    "group conversation": async (): Promise<ReadonlyArray<string>> => {
      const [ada, bob, eve, dan, tom, zoe] = (await users(6)) as [
        ...[TestUser, TestUser, TestUser, TestUser, TestUser, TestUser],
      ]
      const others = [bob, eve, dan, tom].map(({ id }) => id)
      const { id } = (await call(0, ada, "POST", "/conversations", { type: "group", participant_ids: others })).data
      const path = `/conversations/${id}`
      const first = (await call(1, bob, "POST", `${path}/messages`, { body: "first" })).data
      const sends = [ada, bob, eve, dan, tom].flatMap((by, at) =>
        [0, 1, 2].map((turn) =>
          call(turn + at, by, "POST", `${path}/messages`, { body: `${at}`, client_message_id: `c${turn % 2}` }),
        ),
      )
      const reads = [ada, bob, eve].flatMap((by, at) => [
        call(at, by, "POST", `${path}/read`),
        call(at + 1, by, "GET", `${path}/messages?limit=3`),
        call(at, by, "GET", "/conversations"),
      ])
      const removals = [
        apis[0].call("DELETE", `${project.admin}/messaging/messages/${first.id}`, project.owner.as),
        call(0, bob, "DELETE", `/messages/${first.id}`),
      ]
      const [sent, seen, removed, left, added, gone] = await Promise.all([
        Promise.all(sends),
        Promise.all(reads),
        Promise.all(removals),
        Promise.all([call(0, eve, "POST", `${path}/leave`), call(1, eve, "POST", `${path}/leave`)]),
        Promise.all(
          [0, 1].map((turn) => call(turn, ada, "POST", `${path}/participants`, { app_user_ids: [zoe.id, eve.id] })),
        ),
        Promise.all([
          apis[1].call("DELETE", "/client/users/me", dan.as),
          apis[0].call("DELETE", "/client/users/me", tom.as),
        ]),
      ])
      return [
        ...describeOdd(sent, 200, 201, 403, 401),
        ...describeOdd(seen, 200, 403),
        ...describeOdd(removed, 200, 404),
        ...describeOdd(left, 200, 403),
        ...describeOdd(added, 201),
        ...describeOdd(gone, 200, 401),
        ...(await found()),
      ]
    },

    "last to leave": async (): Promise<ReadonlyArray<string>> => {
      const people = await users(4)
      const [ada] = people as [TestUser]
      const participant_ids = people.slice(1).map(({ id }) => id)
      const { id } = (await call(0, ada, "POST", "/conversations", { type: "group", participant_ids })).data
      const path = `/conversations/${id}`
      const [left, sent, gone] = await Promise.all([
        Promise.all(people.slice(1).map((by, turn) => call(turn, by, "POST", `${path}/leave`))),
        Promise.all(people.map((by, turn) => call(turn, by, "POST", `${path}/messages`, { body: "bye" }))),
        apis[1].call("DELETE", "/client/users/me", ada.as),
      ])
      const rows = await read(`select 'still there: ' || id as wrong from conversations where id = '${id}'`)
      return [
        ...describeOdd(left, 200),
        ...describeOdd(sent, 201, 403, 401),
        ...describeOdd([gone], 200),
        ...rows.map(({ wrong }) => wrong),
        ...(await found()),
      ]
    },
  }
}
