import { randomUUID } from "node:crypto"
import type { AdminClient } from "../demo/progress.ts"

/** A user of the example who is signed in. */
export interface SeededUser {
  readonly name: string
  readonly id: string
  readonly sessionToken: string
  /** Calls the client plane as this user. */
  readonly call: AdminClient
}

/** What the users have with each other: groups, follows, a conversation; and what they have bought. */
export const socialize = async (
  users: ReadonlyArray<SeededUser>,
  { storeId, listingId }: { readonly storeId: string; readonly listingId: string },
): Promise<void> => {
  const [ada, bob, chiara, deniz, emeka] = users
  if (!ada || !bob || !chiara || !deniz || !emeka) throw new Error("The example has too few people.")
  const early = await ada.call("POST", "/groups", { name: "Early birds", description: "A lesson before breakfast." })
  for (const { call } of [bob, chiara, emeka]) await call("POST", `/groups/${early.id}/join`)
  await deniz.call("POST", "/groups", { name: "Quiz night", is_public: false, max_members: 10 })
  for (const other of [bob, chiara, deniz, emeka]) await ada.call("POST", `/follows/${other.id}`)
  await bob.call("POST", `/follows/${ada.id}`)
  const conversation = await ada.call("POST", "/messaging/conversations", {
    type: "direct",
    participant_ids: [bob.id],
  })
  const says = (who: SeededUser, body: string) =>
    who.call("POST", `/messaging/conversations/${conversation.id}/messages`, { body })
  await says(ada, "Ciao Bob! Same lesson tomorrow?")
  await says(bob, "Sì. Before breakfast, if I wake up.")
  await says(ada, "The owl will wake you.")
  for (const { call } of [ada, emeka])
    await call("POST", `/stores/${storeId}/listings/${listingId}/purchase`, {
      currency_code: "COINS",
      idempotency_key: randomUUID(),
    })
}
