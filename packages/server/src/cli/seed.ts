import { Command } from "commander"
import type { SeededProject } from "../seed/run-seed.ts"

const describe = (origin: string, { id, name, clientKey, account, users, events, boardId, storeId }: SeededProject) => {
  const [ada] = users
  return `
${name}: ${users.length} users, ${events} events.

  Project    ${id}
  Client key ${clientKey}
  Developer  ${account.email}, password ${account.password}

Try, as ${ada?.name} (the token holds for an hour, where SESSION_TOKEN_LIFETIME says nothing else):

api=${origin}/v1
project=${id}
as() { curl -s -X "$1" "$api/client$2" -H 'x-api-key: ${clientKey}' \\
  -H 'authorization: Bearer ${ada?.sessionToken}' -H 'content-type: application/json' \${3:+-d "$3"}; echo; }
as GET /streaks
as GET /xp
as GET /achievements
as GET "/leaderboards/${boardId}/entries?limit=5"
as GET /currencies
as GET /stores/${storeId}/listings
as GET "/feed?scope=following"
as GET /groups/mine
as GET /messaging/conversations
as POST /events '{"event_name":"lesson_completed","properties":{"language":"Italian"}}'

And as the developer:

token=$(curl -s $api/auth/developer/login -H 'content-type: application/json' \\
  -d '{"email":"${account.email}","password":"${account.password}"}' | node -pe 'JSON.parse(fs.readFileSync(0)).data.access_token')
admin() { curl -s -X "$1" "$api/admin/projects/$project$2" -H "authorization: Bearer $token"; echo; }
admin GET "/users?limit=5"
admin GET "/events?limit=5"
admin GET /segments
`
}

/** `hearth seed`: an example project for trying things out. */
export const seedCommand = (): Command =>
  new Command("seed")
    .summary("make a lively example project, and say what to try")
    .description(
      "Makes an example project through the public API of the service that runs under HOST and PORT, or of one that it starts for this: twelve users with four weeks of history, streaks, XP, achievements, leaderboards, currencies, a store, groups, a feed and messages. Prints what to try with curl. Each run makes another project, with a developer of its own.",
    )
    .argument("[name]", "the name of the project", "Lingua")
    .action(async (name: string) => {
      const { findService } = await import("../demo/find-service.ts")
      const { seed } = await import("../seed/run-seed.ts")
      const { readConfig } = await import("./read-config.ts")
      const config = readConfig()
      const service = await findService(config)
      const next = config.port === 0 ? "hearth start, and put the address that it prints after api=" : "hearth start"
      try {
        process.stdout.write(describe(service.origin, await seed(service.origin, name, Date.now())))
        if (!service.found) process.stdout.write(`\nThe service was started for this, and is stopped: ${next}.\n`)
      } finally {
        await service.stop()
      }
      // Connections of fetch that are kept alive would keep the process.
      process.exit(0)
    })
