import { defineEntity, p } from "@mikro-orm/core"
import { Project } from "../projects/entities.ts"
import { schemaStep } from "../schema/migration.ts"

/** Calls of one kind that were refused in a project, counted. */
export const RefusedCall = defineEntity({
  name: "RefusedCall",
  tableName: "refused_calls",
  properties: {
    id: p.uuid().primary(),
    project_id: () => p.manyToOne(Project).mapToPk().deleteRule("cascade"),
    caller: p.enum(["app", "developer", "unknown"] as const),
    method: p.text(),
    path: p.text(),
    status: p.integer(),
    code: p.text(),
    message: p.text(),
    request_id: p.text(),
    count: p.integer().check("count >= 1"),
    first_at: p.datetime(3),
    last_at: p.datetime(3).index(),
  },
  uniques: [{ properties: ["project_id", "caller", "method", "path", "status", "code"] }],
})

/** The table. Removed with their project, and by age. */
export const refusedCalls = schemaStep("0010-refused-calls", [
  `create table refused_calls (
    id uuid primary key,
    project_id uuid not null constraint refused_calls_project_id_foreign references projects on delete cascade,
    caller text not null constraint refused_calls_caller_check check (caller in ('app', 'developer', 'unknown')),
    method text not null,
    path text not null,
    status int not null,
    code text not null,
    message text not null,
    request_id text not null,
    count int not null constraint refused_calls_count_check check (count >= 1),
    first_at timestamptz(3) not null,
    last_at timestamptz(3) not null,
    constraint refused_calls_project_id_caller_method_path_status_code_unique
      unique (project_id, caller, method, path, status, code)
  )`,
  "create index refused_calls_last_at_index on refused_calls (last_at)",
])
