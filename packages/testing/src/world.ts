import {
  createEngagement,
  type Engagement,
  expectEffect,
  expectKnownNames,
  type OwnPorts,
  type Ports,
  replacePorts,
} from "@hearth/core"
import type { NewProject } from "@hearth/core/projects"
import { Clock, type Duration, Effect, Scheduler } from "effect"
import { type MemoryStorage, memoryStorage } from "./media/memory-storage.ts"
import { type ManualClock, manualClock } from "./memory/clock.ts"
import { memoryControlPlane } from "./memory/control-plane.ts"
import { counted } from "./memory/counted.ts"
import { type MemoryIdentityVerifier, memoryIdentityVerifier } from "./memory/identity-verifier.ts"
import { memoryIds } from "./memory/ids.ts"
import { type MemoryMailer, memoryMailer } from "./memory/mailer.ts"
import { type MemoryNews, memoryNews } from "./memory/news.ts"
import { memoryPasswordHashers } from "./memory/password-hasher.ts"
import { memoryRateLimiter } from "./memory/rate-limiter.ts"
import { type MemoryRevocations, memoryRevocations } from "./memory/revocations.ts"
import { memorySecretBox } from "./memory/secret-box.ts"
import { type RecordedSignals, recordedSignals } from "./memory/signals.ts"
import { memorySignatures } from "./memory/signatures.ts"
import { type MemoryTenants, memoryTenants } from "./memory/tenants.ts"
import { manualTimers } from "./memory/timers.ts"
import { memoryTokens } from "./memory/tokens.ts"
import { type DeadRun, type MemoryWorkflows, memoryWorkflows } from "./memory/workflow-runner.ts"
import { memoryPatterns } from "./moderation/memory-patterns.ts"
import { type MemoryPushGateway, memoryPushGateway } from "./push/memory-gateway.ts"
import { type WorkOptions, worldTime } from "./world-time.ts"

/** The start of a world. */
export interface TestWorldOptions {
  /** What its clock shows at first. */
  readonly startAt?: Date | string
  /**
   * Replaces ports, for example to make one fail: by those that are given, or that a function makes of the memory adapters. The clock is
   * the world's: see `startAt` and `advance`.
   */
  readonly ports?: OwnPorts
}

/** A project with a developer who owns it. */
export interface OwnedProject {
  readonly projectId: string
  readonly ownerId: string
  /** The key that the project's app sends with every request. */
  readonly clientKey: string
}

/** An end user with a session. */
export interface SignedInUser {
  readonly userId: string
  readonly sessionToken: string
  readonly refreshToken: string
}

/** The whole service in memory, in a time that passes only when it is told to. */
export interface TestWorld {
  readonly core: Engagement
  readonly clock: ManualClock
  readonly control: Ports["control"]
  readonly tenants: MemoryTenants
  readonly workflows: MemoryWorkflows
  /** The identity providers. */
  readonly identities: MemoryIdentityVerifier
  /** Records the mails. */
  readonly mailer: MemoryMailer
  /** Records the pushes, and answers what it is told to. */
  readonly push: MemoryPushGateway
  /** The files of media. */
  readonly storage: MemoryStorage
  /** What was revoked, as the world's process hears it. */
  readonly revocations: MemoryRevocations
  /** Tells of what is committed. */
  readonly news: MemoryNews
  /** Records the signals. */
  readonly signals: RecordedSignals
  /** The tries of workflows that died. */
  readonly deaths: ReadonlyArray<DeadRun>
  /** The ports of the service. A second service over them is in the same process. */
  readonly ports: Ports
  /** The service in another process of the same installation. */
  otherProcess(): Engagement
  /**
   * Runs an effect in the world's time. Rejects with its failure or defect. One that waits settles only as the time is moved beside it:
   * begin it, `advance`, then await it. `events.recordOwnWithEffects` waits where earlier events of the user are pending.
   */
  run<A, E>(effect: Effect.Effect<A, E>): Promise<A>
  /** Does all background work that is due. The clock does not move. Rejects when a workflow died, unless `allowDeaths`. */
  runPending(options?: WorkOptions): Promise<void>
  /**
   * Moves the clock: stops at every timer, schedule and deadline on the way, in their order, and does what is due there.
   * Segments are evaluated at those stops and at the end, not every 15 minutes. Rejects at the stop at which a workflow died,
   * unless `allowDeaths`. The time is rounded to whole milliseconds.
   */
  advance(by: Duration.Input, options?: WorkOptions): Promise<void>
  /** A new project and its owner. */
  aProjectWithOwner(settings?: Partial<NewProject>): Promise<OwnedProject>
  /** A new anonymous user of a project, in a time zone if one is given. */
  aSignedInUser(projectId: string, profile?: { readonly timezone?: string }): Promise<SignedInUser>
}

// Nothing in a world waits for the outside, so its fibers take turns without a turn of the event loop for each.
const resolved = Promise.resolve()
const inMicrotasks = (run: () => void) => {
  let isCancelled = false
  void resolved.then(() => {
    if (!isCancelled) run()
  })
  return () => {
    isCancelled = true
  }
}

const optionNames: Readonly<Record<keyof TestWorldOptions, true>> = { startAt: true, ports: true }

/** A new world, independent of real time, of the network and of other worlds. Throws a `TypeError` where there is no such option or port. */
export const testWorld = (options: TestWorldOptions = {}): TestWorld => {
  expectKnownNames("option", options, optionNames)
  const { startAt, ports: own } = options
  const clock = manualClock(startAt)
  const timers = manualTimers(clock)
  const scheduler = new Scheduler.MixedScheduler("async", inMicrotasks)
  const deaths: Array<DeadRun> = []
  const signals = recordedSignals()
  let used = 0
  const news = memoryNews()
  const tenants = counted(memoryTenants({ clock, onCommitted: news.tell }), () => {
    used += 1
  })
  const workflows = memoryWorkflows(clock, (run) => deaths.push(run))
  const identities = memoryIdentityVerifier(clock)
  const revocations = memoryRevocations()
  const mailer = memoryMailer()
  const push = memoryPushGateway(clock)
  const storage = memoryStorage()
  const memory: Ports = {
    clock,
    control: counted(memoryControlPlane(), () => {
      used += 1
    }),
    identities,
    ids: memoryIds(clock),
    limiter: memoryRateLimiter(clock),
    mailer,
    news,
    passwords: memoryPasswordHashers(),
    patterns: memoryPatterns,
    push,
    revocations,
    secrets: memorySecretBox(),
    signals,
    signatures: memorySignatures,
    storage,
    tenants,
    tokens: memoryTokens(clock),
    workflows,
  }
  const ports = replacePorts(memory, own)
  if (ports.clock !== clock)
    throw new Error("A world has a clock of its own: set it with startAt, advance and world.clock.")
  const core = createEngagement(ports)
  workflows.serve(core.background.workflows)
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.provideService(expectEffect(effect), Clock.Clock, timers.effectClock), { scheduler })
  const time = worldTime({
    clock,
    timers,
    workflows,
    background: core.background,
    run,
    deaths,
    uses: () => used,
  })

  return {
    ...{
      core,
      clock,
      control: ports.control,
      tenants,
      workflows,
      identities,
      mailer,
      push,
      storage,
      revocations,
      news,
      signals,
      deaths,
      ports,
      otherProcess: () => createEngagement({ ...ports, revocations: revocations.otherProcess() }),
      run,
      ...time,
    },
    ...makeShortcuts(core, ports, run),
  }
}

const makeShortcuts = (
  core: Engagement,
  { ids }: Ports,
  run: TestWorld["run"],
): Pick<TestWorld, "aProjectWithOwner" | "aSignedInUser"> => ({
  aProjectWithOwner: (settings = {}) =>
    run(
      Effect.gen(function* () {
        const email = `owner-${ids.base62(8).toLowerCase()}@example.com`
        const { developer } = yield* core.developers.signup({ email, password: "correct horse" })
        const { id, client_api_key } = yield* core.projects.create(developer.id, {
          name: "Project",
          ...settings,
        })
        return { projectId: id, ownerId: developer.id, clientKey: client_api_key }
      }),
    ),
  aSignedInUser: (projectId, profile = {}) =>
    run(
      Effect.gen(function* () {
        expectKnownNames("option", profile, { timezone: true })
        const { user, session_token, refresh_token } = yield* core.auth.anonymous(projectId)
        if (profile.timezone !== undefined) yield* core.users.update(projectId, user.id, profile)
        return { userId: user.id, sessionToken: session_token, refreshToken: refresh_token }
      }),
    ),
})
