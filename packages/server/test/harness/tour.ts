import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Sql } from "./sql.ts"

/** What is added to a call: a body, a query, and the values of the path's parameters. */
export interface TourCall {
  readonly body?: object
  readonly query?: string
  readonly [param: string]: unknown
}

/** What a tour through the routes of a feature is given. Every call has to succeed; its data is answered. */
export interface TourTools {
  /** Calls a route below `/admin/projects/:projectId` as the owner: `"GET /streaks"`. */
  readonly admin: <Data = Record<string, unknown>>(name: string, more?: TourCall) => Promise<Data>
  /** Calls a route of the client plane as the user: `"GET /client/streaks"`. */
  readonly client: <Data = Record<string, unknown>>(name: string, more?: TourCall) => Promise<Data>
  /** Calls any other route without credentials. */
  readonly anybody: <Data = Record<string, unknown>>(name: string, more?: TourCall) => Promise<Data>
  /** Sends any request, whatever its answer. The path begins at the root of the host. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  readonly projectId: string
  readonly userId: string
  readonly sql: Sql
}

/** Calls every route of a feature, and checks the answers. */
export type Tour = (tools: TourTools) => Promise<void>

/** The tours of all features, by the feature's folder, in which it is `tour.ts`. */
export const loadTours = async (): Promise<ReadonlyArray<{ readonly feature: string; readonly tour: Tour }>> => {
  const root = join(import.meta.dirname, "..")
  const folders = readdirSync(root).filter((name) => name !== "harness" && existsSync(join(root, name, "tour.ts")))
  return Promise.all(
    folders.sort().map(async (feature) => {
      const { tour }: { readonly tour: Tour } = await import(join(root, feature, "tour.ts"))
      return { feature, tour }
    }),
  )
}
