import { defineProject } from "vitest/config"

export default defineProject({ test: { name: "client", isolate: false, include: ["test/**/*.test.ts"] } })
