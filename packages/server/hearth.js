#!/usr/bin/env node
import { enableCompileCache } from "node:module"

// As in main.js: before anything else is imported.
enableCompileCache()
await import("./src/cli/main.ts")
