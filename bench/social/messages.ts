import { systemClock, systemIds } from "@hearth/adapters"
import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, measureInTurns, ratio, runConcurrently } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { recordStatements } from "../harness/sent-statements.ts"

const ids = systemIds(systemClock)
const rounds = 5
const calls = 200
const people = 100

const insert = `
  insert into messages (id, conversation_id, number, sender_id, body, moderation, created_at)
  values ($1, $2, $3, $4, 'A message of the benchmark.', 'shown', now())`

/** Writing to a conversation of 100, each with an unread count, against a plain insert of the message on one connection. */
export const messages = async (): Promise<ReadonlyArray<Figure>> => {
  const { core, dataDir, newProject, close } = await openInProcess()
  const run = Effect.runPromise
  const { id: projectId } = await newProject("Messages")
  const users: Array<string> = []
  for (let user = 0; user < people; user += 1) users.push((await run(core.auth.anonymous(projectId))).user.id)
  const [ada = "", bob = "", ...others] = users
  const open = async (participant_ids: ReadonlyArray<string>) =>
    (await run(core.conversations.open(projectId, ada, { type: "group", participant_ids, name: null }))).row.id
  const conversation = await open([bob, ...others])
  const plain = await open([bob])
  const database = await connectTo(dataDir, projectId)
  let number = 0
  const insertPlainly = () => {
    number += 1
    return database.query({ name: "insert", text: insert, values: [ids.uuid(), plain, number, bob] })
  }
  const send = () => run(core.messages.send(projectId, ada, conversation, { body: "A message of the benchmark." }))

  // Code that has just been loaded runs several times slower.
  for (let warmUp = 0; warmUp < 1_000; warmUp += 1) await send()
  const sent = await recordStatements(send)
  const statements = sent.filter(({ text }) => !/^\s*(begin|commit)\b/.test(text)).length
  const rates = await measureInTurns(
    rounds,
    () => runConcurrently(1, calls, send),
    () => runConcurrently(1, calls, insertPlainly),
  )
  const unread = (await run(core.conversations.list(projectId, bob, { limit: 1, offset: 0 }))).rows[0]?.unread_count
  await database.end()
  await close()
  if (unread !== 100) throw new Error(`${unread} messages are unread where 100 are counted.`)
  return [
    atMost(`A message to ${people} with unread counts: statements in its transaction`, "statements", statements, 3),
    ratio(
      `Messages to ${people} with unread counts, by the use case`,
      "messages/s",
      ...rates,
      "a one-row `insert`",
      0.3,
    ),
  ]
}
