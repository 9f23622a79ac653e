import { getCompileCacheDir } from "node:module"

/**
 * The environment of a thread: that of the process, since Node finds trusted certificates and options there, with its cache of compiled
 * code, which Node does not hand on: without that the thread would load what strips types.
 */
export const threadEnvironment = (): NodeJS.ProcessEnv => {
  const directory = getCompileCacheDir()
  return directory === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: directory }
}
