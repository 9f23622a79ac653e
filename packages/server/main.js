import module from "node:module"
import { findProgram } from "./find-program.js"
import { requireNode } from "./require-node.js"

requireNode()
// Whoever asks for help, or sets a port by an argument, is told instead of being given a server that has not heard of it.
if (process.argv.length > 2) {
  const isHelp = ["-h", "--help"].includes(process.argv[2])
  const print = isHelp ? console.log : console.error
  print(
    "This starts the server and takes no arguments. Settings are variables of the environment, like PORT=9000, or of the file .env: " +
      ".env.example lists them. What else there is: npx -y pnpm@12 hearth --help.",
  )
  process.exit(isHelp ? 0 : 2)
}
// Node keeps compiled code on disk: the next start takes half the time. This must run before anything else is imported, and in
// JavaScript: the first file of TypeScript would load what strips types, and keep it, though all others come from the cache.
module.enableCompileCache()
const bundled = findProgram("main")
await (bundled === null ? import("./src/main.ts") : import(bundled))
