import { schemaStep } from "../schema/migration.ts"

const notifyOn = (table: string, body: string) => [
  `create function ${table}_notify_revoked_fn() returns trigger language plpgsql as $$ begin ${body}; return null; end $$`,
  `create trigger notify_revoked after update or delete on ${table}
     for each row execute function ${table}_notify_revoked_fn()`,
]

/**
 * What changes somebody's rights notifies all processes in its transaction, whoever writes it: a process that dies after its
 * commit, a release that does not announce, an operator. A row that is added takes no right away.
 */
export const revocationTriggers = schemaStep("0005-revocation-triggers", [
  ...notifyOn("project_members", "perform pg_notify('hearth_revocations', old.developer_id::text)"),
  ...notifyOn("api_keys", "perform pg_notify('hearth_revocations', old.project_id::text)"),
  ...notifyOn("link_domains", "perform pg_notify('hearth_revocations', old.id::text)"),
  ...notifyOn(
    "projects",
    `if tg_op = 'DELETE' or old.is_ready is distinct from new.is_ready then perform pg_notify('hearth_revocations', old.id::text); end if`,
  ),
])
