/** How many streams there may be in a process. */
export interface LiveSettings {
  /** Of one user. */
  readonly per_user: number
  /** Of one developer, in all projects together. */
  readonly per_developer: number
  /** Of one project, by its users and developers: what is left of a process is for the others. */
  readonly per_project: number
  /** In all. */
  readonly per_process: number
}

/** The bounds where nothing else is set: an app on a few devices, a console in some tabs, and what a process of 1 GB holds with ease. */
export const defaultLiveSettings: LiveSettings = {
  per_user: 5,
  per_developer: 10,
  per_project: 4_000,
  per_process: 5_000,
}
