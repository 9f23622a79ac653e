/**
 * What the reference says before its first route, in Markdown. Its commands run as they are written: a test runs them. They name
 * `http://127.0.0.1:8080`, in whose place the page at `/docs` shows its own address.
 */
export const introduction = `An engagement backend: users, events, streaks, achievements, XP, leaderboards, currencies, content, groups, messages, push and more,
each project in a database of its own.

# Getting started

From nothing to a user with a streak. The commands need a POSIX shell, curl and Node; run them in order, in one shell.

**1. Be a developer.** Sign up (or log in: \`POST /auth/developer/login\`) and create a project. Its first client key comes with it.

\`\`\`sh
api=http://127.0.0.1:8080/v1
json='content-type: application/json'
field() { node -pe "JSON.parse(fs.readFileSync(0)).data.$1"; }

curl -s $api/auth/developer/signup -H "$json" \\
  -d "{\\"email\\":\\"me-$(date +%s)@example.com\\",\\"password\\":\\"a long password\\"}" > developer.json
token=$(field access_token < developer.json)

curl -s $api/admin/projects -H "authorization: Bearer $token" -H "$json" -d '{"name":"My app"}' > project.json
project=$(field id < project.json)
key=$(field client_api_key < project.json)
\`\`\`

**2. Say what counts.** A streak of a lesson a day:

\`\`\`sh
curl -s $api/admin/projects/$project/streaks -H "authorization: Bearer $token" -H "$json" \\
  -d '{"name":"Daily lesson","qualifying_event":"lesson_completed"}'
\`\`\`

**3. Be the app.** Sign a user in, anonymously to begin with, and tell what the user does:

\`\`\`sh
curl -s -X POST $api/client/auth/anonymous -H "x-api-key: $key" > user.json
session=$(field session_token < user.json)

curl -s $api/client/events -H "x-api-key: $key" -H "authorization: Bearer $session" -H "$json" \\
  -d '{"event_name":"lesson_completed"}'
\`\`\`

**4. Look.** Streaks are counted in the background, within a moment:

\`\`\`sh
sleep 1
curl -s $api/client/streaks -H "x-api-key: $key" -H "authorization: Bearer $session"
\`\`\`

While the service runs with its embedded database, \`/dev\` shows mails, pushes and client keys of this machine. Apps in TypeScript have a client
that keeps tokens and events for them: \`@hearth/client\`.

To try routes on this page, paste the key and the tokens under **Authentication**, and press **Test Request** at a route.

# Keys and tokens

- **Client key**, \`X-Api-Key: pk_…\`. A project's \`client_api_key\`; more of them from \`POST /admin/projects/{projectId}/api-keys\`. It is in the
  app, names the project and is no secret.
- **Session token**, \`Authorization: Bearer …\`, beside the client key. From any sign-in under \`/client/auth\`. It is one user's: the app keeps
  it where the platform keeps secrets.
- **Developer's access token**, \`Authorization: Bearer …\`. From \`POST /auth/developer/login\`. On your machine or your server; **never in an app**.

Which routes take what, and for how long:

- Routes under \`/client\` are for apps: the client key, and the session token for all but signing in. Pages of any origin may call them.
- Routes under \`/admin\` are for developers and trusted servers. Which of them a developer may call is a matter of the role in the project:
  owner, admin or viewer.
- A session token holds for an hour, a developer's for 15 minutes, unless the operator has set something else. After that a call is 401: send
  the \`refresh_token\` to \`POST /client/auth/refresh\` or \`POST /auth/developer/refresh\`. Each refresh token works once and comes with the
  next one.
- Your own services verify session tokens without asking, with the keys of \`/.well-known/jwks.json\`.

# What all routes share

- Bodies are JSON in UTF-8, at most 256 KB where a route takes no batches. Answers are \`{"data": …}\`. Instants are ISO 8601 in UTC, ids are UUIDs.
- Lists take \`limit\` and \`offset\`, and answer \`total\`, \`offset\` and \`limit\` beside \`data\`.
- Errors are \`{"error": {"code", "message", "details", "request_id"}}\`. The \`code\` is stable and made for programs, the sentence is for
  people. Every answer has its id in \`X-Request-Id\`: send one along, and it is used.
- 429 and 503 say in \`Retry-After\` how many seconds to wait.
- After a lost answer, send the same again: an event with its \`event_id\`, a write of money or items with its idempotency key. It happens once.
`
