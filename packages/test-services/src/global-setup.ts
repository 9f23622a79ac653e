import { rmSync } from "node:fs"
import type { TestProject } from "vitest/node"
import { startPostgresContainer, startRedisContainer } from "./docker/containers.ts"
import { dockerAnswers } from "./docker/daemon.ts"
import { findServices, type ServiceDrivers, ServicesNotFound } from "./find-services.ts"
import { makeMemoryFolder } from "./local/memory-folder.ts"
import { startLocalPostgres } from "./local/postgres.ts"
import { hasRedisServer } from "./local/redis.ts"
import "./provided.ts"

const drivers: ServiceDrivers = {
  dockerAnswers: () => dockerAnswers(process.env),
  hasRedisServer,
  startPostgres: { docker: startPostgresContainer, local: startLocalPostgres },
  tryRedisContainer: async () => (await startRedisContainer()).stop(),
  print: (sentence) => void process.stderr.write(`${sentence}\n`),
}

/** Ends the run with the sentence alone: vitest would add a stack of its own functions. */
const exitWithMessage = (error: unknown): never => {
  if (!(error instanceof ServicesNotFound)) throw error
  drivers.print(error.message)
  process.exit(1)
}

/** Has tests make their temporary folders in memory, where there is room and `TMPDIR` names no other place. */
const useMemoryFolder = (): void => {
  const folder = process.env["TMPDIR"] === undefined ? makeMemoryFolder() : null
  if (folder === null) return
  process.env["TMPDIR"] = folder
  process.once("exit", () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    } catch {
      // Something writes there yet. The next run removes it, and this one has not failed.
    }
  })
}

/** Finds the services for all tests of the run, once: every project that needs them names this file. */
export const setup = async ({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> => {
  if (vitest.getProvidedContext().services !== undefined) return undefined
  useMemoryFolder()
  const { stop, ...services } = await findServices(process.env, drivers).catch(exitWithMessage)
  vitest.provide("services", services)
  return stop
}
