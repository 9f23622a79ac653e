import { defineProject } from "vitest/config"

export default defineProject({ test: { name: "test-services", isolate: false, include: ["test/**/*.test.ts"] } })
