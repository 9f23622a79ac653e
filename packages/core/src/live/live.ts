import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"
import { parseCursor } from "./cursor.ts"
import { makeOpenStreams } from "./open-streams.ts"
import type { LiveDb, ProjectFilter, Taken } from "./port.ts"
import { makeReader, type Reader, type Source } from "./reader.ts"
import { defaultLiveSettings, type LiveSettings } from "./settings.ts"
import { makeProjectSource, makeUsersSource } from "./sources.ts"

/** The user who listens: with this session, until then. */
export interface ListeningUser {
  readonly user_id: string
  readonly session_id: string
  readonly expires_at: Date
}

/** The developer who listens, with this session, until then, to what fits this filter. */
export interface ListeningDeveloper {
  readonly developer_id: string
  readonly session_id: string
  readonly expires_at: Date
  readonly event_name?: string
  readonly user_id?: string
}

/** What is new, as it is committed, for those who listen. Who only embeds the service reads streams in the same way. */
export const makeLive = (
  ports: Pick<Ports<LiveDb>, "clock" | "news" | "revocations" | "tenants">,
  settings: LiveSettings = defaultLiveSettings,
) => {
  const streams = makeOpenStreams(ports, settings)
  const readers = new Map<string, Reader>()
  const findReader = <Found extends Taken>(key: string, makeSource: () => Source<Found>) => {
    const known = readers.get(key)
    if (known !== undefined) return known
    const reader: Reader = makeReader(makeSource(), ports, () => {
      if (readers.get(key) === reader) readers.delete(key)
    })
    readers.set(key, reader)
    return reader
  }
  const readStart = (after: string | null) =>
    after === null ? null : (parseCursor(after, ports.clock.now()) ?? ("lost" as const))

  return {
    /**
     * What is new for a user: messages, achievements, XP, levels, feed items and streaks. `after` is the id of the last event that was
     * received; what was missed since then comes first, for up to five minutes. `RATE_LIMIT_EXCEEDED` for too many streams of the user;
     * `SERVICE_UNAVAILABLE` for too many of the project or the process, or while it stops (ADR 0023).
     */
    ofUser: Effect.fn("live.ofUser")(
      (projectId: string, { user_id, session_id, expires_at }: ListeningUser, after: string | null = null) => {
        const owner = `${projectId}/${user_id}`
        const opening = {
          ...{ projectId, owner, most: settings.per_user, userId: user_id, isCounted: false },
          ...{ dependsOn: [projectId, user_id, session_id], expiresAt: expires_at, start: readStart(after) },
        }
        return streams.open(opening, () => findReader(projectId, () => makeUsersSource(ports, projectId)))
      },
    ),

    /**
     * What is new in a project, in batches: events, what was done for them, what was set aside, and how many there were each second.
     * `RATE_LIMIT_EXCEEDED` for too many streams of the developer; `SERVICE_UNAVAILABLE` for too many of the project or the process, or
     * while it stops (ADR 0023).
     */
    ofProject: Effect.fn("live.ofProject")(
      (
        projectId: string,
        { developer_id, session_id, expires_at, event_name, user_id }: ListeningDeveloper,
        after: string | null = null,
      ) => {
        const filter: ProjectFilter = { event_name: event_name ?? null, user_id: user_id ?? null }
        const opening = {
          ...{ projectId, owner: developer_id, most: settings.per_developer, userId: "", isCounted: true },
          ...{ dependsOn: [projectId, developer_id, session_id], expiresAt: expires_at, start: readStart(after) },
        }
        const makeSource = () =>
          makeProjectSource(ports, projectId, filter, (listeners, { counts }) => streams.count(listeners, counts))
        return streams.open(opening, () => findReader(JSON.stringify([projectId, filter]), makeSource))
      },
    ),

    /** Ends all streams of this process, and lets no more in. To be called when it is about to stop. */
    stop: streams.stop,

    /** How many streams there are in this process. */
    count: streams.size,
  }
}
