import type { Refused, RefusedCallRow } from "./record.ts"

// A row has a few hundred bytes. Calls that nobody stands behind have room of their own: they cannot take that of a project's callers.
const mostOfProject = 200
const mostKnown = 2_000
const mostUnknown = 200

const maxCount = 2_147_483_647

const keyOf = ({ project_id, caller, method, path, status, code }: Refused): string =>
  `${project_id} ${caller} ${method} ${path} ${status} ${code}`

const later = (a: RefusedCallRow, b: RefusedCallRow): RefusedCallRow => (b.last_at >= a.last_at ? b : a)

const addUp = (a: RefusedCallRow, b: RefusedCallRow): RefusedCallRow => ({
  ...later(a, b),
  id: a.id,
  count: Math.min(a.count + b.count, maxCount),
  first_at: new Date(Math.min(a.first_at.getTime(), b.first_at.getTime())),
})

/** Refused calls that are not written yet, by their kind. However many there are, the memory that they take is bounded. */
export const makeWaiting = (makeId: () => string) => {
  let rows = new Map<string, RefusedCallRow>()
  let known = new Map<string, number>()
  let sum = { known: 0, unknown: 0 }

  const hasRoom = ({ caller, project_id }: Refused): boolean =>
    caller === "unknown"
      ? sum.unknown < mostUnknown
      : sum.known < mostKnown && (known.get(project_id) ?? 0) < mostOfProject

  const insert = (key: string, row: RefusedCallRow): void => {
    if (!hasRoom(row)) return
    rows.set(key, row)
    if (row.caller === "unknown") sum.unknown += 1
    else {
      sum.known += 1
      known.set(row.project_id, (known.get(row.project_id) ?? 0) + 1)
    }
  }

  return {
    /** Counts a call. A kind for which there is no room is dropped. */
    note: (refused: Refused, now: Date): void => {
      const key = keyOf(refused)
      const present = rows.get(key)
      const row = { ...refused, id: present?.id ?? makeId(), count: 1, first_at: now, last_at: now }
      if (present === undefined) insert(key, row)
      else rows.set(key, addUp(present, row))
    },

    /** Takes all of them out. */
    take: (): ReadonlyArray<RefusedCallRow> => {
      const taken = [...rows.values()]
      rows = new Map()
      known = new Map()
      sum = { known: 0, unknown: 0 }
      return taken
    },

    /** Puts back what could not be written. */
    putBack: (taken: ReadonlyArray<RefusedCallRow>): void => {
      for (const row of taken) {
        const key = keyOf(row)
        const present = rows.get(key)
        if (present === undefined) insert(key, row)
        else rows.set(key, addUp(row, present))
      }
    },
  }
}
