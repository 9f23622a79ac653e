import type { Activity, ProjectRow } from "@hearth/core"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, replaceRow, rowsOf } from "../memory/rows.ts"
import type { Shape } from "../memory/shape.ts"
import { shapeOf } from "../memory/shape.ts"
import { select } from "../memory/table.ts"

/** What is known of one project's work. The id is the project's. */
export interface ActivityRow {
  readonly id: string
  readonly marked_at: Date | null
  readonly drained_at: Date | null
  readonly wake_at: Date | null
  readonly evaluate_at: Date | null
}

// Work that was marked within this time before a project was found drained may have been committed after it.
const overlapMillis = 2 * 60_000

/** The table of activity, of the projects in the table `projects`. */
export const activityShape = (projects: string): Shape<ActivityRow> =>
  shapeOf<ActivityRow>(
    "activity",
    { id: "uuid", marked_at: "instant?", drained_at: "instant?", wake_at: "instant?", evaluate_at: "instant?" },
    { parents: { id: projects } },
  )

const isDue = (activity: ActivityRow | undefined, now: Date): boolean => {
  if (activity === undefined || activity.drained_at === null) return true
  const { drained_at, marked_at, wake_at } = activity
  const isMarked = marked_at !== null && marked_at.getTime() > drained_at.getTime() - overlapMillis
  return isMarked || (wake_at !== null && wake_at <= now)
}

/** When the segments of a project are to be evaluated; before everything else where nobody has said. */
const evaluateAt = (activity: ActivityRow | undefined): number =>
  activity?.evaluate_at?.getTime() ?? Number.NEGATIVE_INFINITY

/** Which projects may have work waiting. */
export const memoryActivity = (
  statements: Statements,
  shape: Shape<ActivityRow>,
  projects: Shape<ProjectRow>,
): Activity => {
  const note = (projectId: string, noted: (activity: ActivityRow) => ActivityRow) => (draft: Draft) => {
    const [project] = select(draft, projects, { id: projectId })
    if (project === undefined) return
    const unknown = { id: project.id, marked_at: null, drained_at: null, wake_at: null, evaluate_at: null }
    const present = rowsOf(draft, shape).get(project.id) ?? insertRow(draft, shape, unknown)
    replaceRow(draft, shape, present, noted(present))
  }
  return {
    mark: (projectId, at) =>
      statements.change(
        note(projectId, (present) =>
          present.marked_at !== null && present.marked_at > at ? present : { ...present, marked_at: at },
        ),
      ),
    drained: (projectId, at, wakeAt) =>
      statements.change(
        note(projectId, (present) =>
          present.drained_at !== null && present.drained_at > at
            ? present
            : { ...present, drained_at: at, wake_at: wakeAt },
        ),
      ),
    due: (now) =>
      statements.query((draft) =>
        select(draft, projects, { is_ready: true })
          .map((project) => project.id)
          .filter((id) => isDue(rowsOf(draft, shape).get(id), now)),
      ),
    evaluationsDue: (now, limit) =>
      statements.query((draft) =>
        select(draft, projects, { is_ready: true })
          .map(({ id }) => ({ id, at: evaluateAt(rowsOf(draft, shape).get(id)) }))
          .filter(({ at }) => at <= now.getTime())
          .toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at - b.at))
          .slice(0, limit)
          .map(({ id }) => id),
      ),
    evaluated: (projectId, nextAt) =>
      statements.change(
        note(projectId, (present) =>
          evaluateAt(present) > nextAt.getTime() ? present : { ...present, evaluate_at: nextAt },
        ),
      ),
  }
}
