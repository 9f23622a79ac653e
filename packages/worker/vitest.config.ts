import { defineProject } from "vitest/config"

export default defineProject({
  test: { name: "worker", isolate: false, include: ["test/**/*.test.ts", "src/**/*.test.ts"] },
})
