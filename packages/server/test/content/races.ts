import type { Api } from "../harness/api.ts"
import { aUser, type TestProject } from "../harness/fixtures.ts"

interface Row {
  readonly id: string
  readonly sort_order: number
}

/** Races for places in a library, over several API processes. Each is run once per call and answers what should not be. */
export const makeContentRaces = (apis: readonly [Api, Api], project: TestProject) => {
  const { admin, owner } = project
  const api = (turn: number) => apis[turn % 2 === 0 ? 0 : 1]
  return {
    "library places": async (): Promise<ReadonlyArray<string>> => {
      const user = await aUser(apis[0], project)
      const { id } = await apis[0].ok<Row>("POST", `${admin}/content/libraries`, owner.as, { name: "Raced" })
      const library = `${admin}/content/libraries/${id}`
      const some = (count: number) => ({ items: Array.from({ length: count }, () => ({ body: "raced" })) })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => {
          const by = api(turn)
          if (turn % 3 === 0)
            return by.call("POST", `/client/content/libraries/${id}/items`, user.as, { body: "raced" })
          return by.call("POST", `${library}/${turn % 3 === 1 ? "items" : "bulk"}`, owner.as, some(turn))
        }),
      )
      const refused = answers.filter(({ status }) => status !== 201).map(({ status, text }) => `${status}: ${text}`)
      const rows = await apis[1].ok<ReadonlyArray<Row>>("GET", `${library}/items?limit=1000`, owner.as)
      const wrong = rows.filter(({ sort_order }, at) => sort_order !== at + 1)
      await apis[1].ok("DELETE", library, owner.as)
      return [...refused, ...wrong.map(({ sort_order }) => `a place is taken twice or left out before ${sort_order}`)]
    },
    "author removal": async (): Promise<ReadonlyArray<string>> => {
      const user = await aUser(apis[0], project)
      const reader = await aUser(apis[1], project)
      const { id } = await apis[0].ok<Row>("POST", `${admin}/content/libraries`, owner.as, { name: "Raced" })
      const write = (turn: number) =>
        api(turn).call<Row>("POST", `/client/content/libraries/${id}/items`, user.as, { body: "raced" })
      const first = await Promise.all([0, 1, 2, 3].map(write))
      const [changed, written, removed] = await Promise.all([
        Promise.all(
          first.map(({ data }, turn) =>
            api(turn).call("PATCH", `/client/content/items/${data.id}`, user.as, { title: "raced" }),
          ),
        ),
        Promise.all([0, 1, 2, 3].map(write)),
        api(1).call("DELETE", "/client/users/me", user.as),
      ])
      const odd = [...changed, ...written].filter(({ status }) => status > 201 && status !== 401 && status !== 404)
      const rows = await apis[1].ok<ReadonlyArray<Row & { readonly owner_app_user_id: string | null }>>(
        ...(["GET", `/client/content/libraries/${id}`, reader.as] as const),
      )
      const acknowledged = [...first, ...written].filter(({ status }) => status === 201).length
      return [
        ...odd.map(({ status, text }) => `${status}: ${text}`),
        ...(removed.status === 200 ? [] : [`the removal answered ${removed.status}: ${removed.text}`]),
        ...(rows.length === acknowledged ? [] : [`${rows.length} items are there, and not ${acknowledged}`]),
        ...(rows.every((row) => row.owner_app_user_id === null) ? [] : ["an item is still theirs"]),
      ]
    },
    "library removal": async (): Promise<ReadonlyArray<string>> => {
      const user = await aUser(apis[0], project)
      const { id } = await apis[0].ok<Row>("POST", `${admin}/content/libraries`, owner.as, { name: "Raced" })
      const item = { body: "raced" }
      const writes = Array.from({ length: 8 }, (_, turn) =>
        turn % 2 === 0
          ? api(turn / 2).call("POST", `/client/content/libraries/${id}/items`, user.as, item)
          : api(turn).call("POST", `${admin}/content/libraries/${id}/items`, owner.as, { items: [item] }),
      )
      const removals = [0, 1].map((turn) => api(turn).call("DELETE", `${admin}/content/libraries/${id}`, owner.as))
      const [written, removed] = await Promise.all([Promise.all(writes), Promise.all(removals)])
      const odd = [
        ...written.filter(({ status }) => status !== 201 && status !== 404),
        ...removed.filter(({ status }) => status !== 200),
      ]
      const left = await apis[1].call("GET", `/client/content/libraries/${id}`, user.as)
      return [
        ...odd.map(({ status, text }) => `${status}: ${text}`),
        ...(left.status === 404 ? [] : ["the library is still there"]),
      ]
    },
  }
}
