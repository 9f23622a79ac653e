import { type Clock, isPastNextTick, nextTick, type Recurrence } from "@hearth/core"

interface Schedule {
  readonly workflow: string
  readonly id: string
  readonly recurrence: Recurrence
  readonly input: string
}

/** The schedules of a memory runner, each under a key, with its next tick. */
export const memorySchedules = (clock: Clock) => {
  const schedules = new Map<string, { readonly schedule: Schedule; readonly tick: Date | null }>()
  const setTick = (key: string, schedule: Schedule) =>
    schedules.set(key, { schedule, tick: nextTick(schedule.recurrence, clock.now()) })

  return {
    set: (key: string, schedule: Schedule) => {
      const known = schedules.get(key)
      const isPast = known?.tick != null && isPastNextTick(known.tick, schedule.recurrence, clock.now())
      if (isPast || JSON.stringify(known?.schedule) !== JSON.stringify(schedule)) setTick(key, schedule)
    },
    remove: (key: string) => void schedules.delete(key),
    tickOf: (key: string): Date | null => schedules.get(key)?.tick ?? null,
    /** The next ticks of the workflows that `wanted` names, in milliseconds. */
    ticks: (wanted: (workflow: string) => boolean): ReadonlyArray<number> =>
      [...schedules.values()].flatMap(({ schedule, tick }) =>
        tick !== null && wanted(schedule.workflow) ? [tick.getTime()] : [],
      ),
    /** Advances the ticks that are due, and answers the schedules that fired. */
    fire: (wanted: (workflow: string) => boolean) =>
      [...schedules].flatMap(([key, { schedule, tick }]) => {
        if (tick === null || tick > clock.now() || !wanted(schedule.workflow)) return []
        setTick(key, schedule)
        return [{ ...schedule, tick }]
      }),
  }
}
