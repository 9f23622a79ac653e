import { mergeProperties, propertiesBytes, type UserBatches, type UserRow } from "@hearth/core/users"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { userShape } from "./memory-shapes.ts"

/** Those of the users that exist, in the order of their ids. */
export const readUsers = (draft: Draft, ids: ReadonlyArray<string>): ReadonlyArray<UserRow> =>
  keepIds(ids)
    .map((id) => rowsOf(draft, userShape).get(id))
    .filter((user) => user !== undefined)

/** Operations on many users at once. */
export const memoryUserBatches = (statements: Statements): UserBatches => ({
  lockMany: (ids) => statements.query((draft) => lockRows(draft, userShape, readUsers(draft, ids)).map(({ id }) => id)),
  mayExceed: (ids, changes, bytes) =>
    statements.query((draft) =>
      readUsers(draft, ids)
        .filter(({ properties }) => propertiesBytes(mergeProperties(properties, changes)) > bytes)
        .map(({ id }) => id),
    ),
  propertiesOf: (ids) =>
    statements.query((draft) => new Map(readUsers(draft, ids).map(({ id, properties }) => [id, properties]))),
  mergeProperties: (ids, changes, at) =>
    statements.change((draft) => {
      for (const user of readUsers(draft, ids)) {
        const properties = mergeProperties(user.properties, changes)
        replaceRow(draft, userShape, user, { ...user, properties, updated_at: at })
      }
    }),
})
