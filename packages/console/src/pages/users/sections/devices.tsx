import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import type { Columns } from "../../../parts/tables/table.tsx"
import { Time } from "../../../parts/values/time.tsx"
import { Listed } from "../listed.tsx"
import { RecordsList } from "../records.tsx"
import { useUser } from "../use-user.ts"

const columns: Columns<Schemas["UserSession"]> = [
  { header: "Signed in", cell: ({ row: { original } }) => <Time at={original.created_at} /> },
  { header: "Last used", cell: ({ row: { original } }) => <Time at={original.last_used_at} /> },
  { header: "Id", cell: ({ row: { original } }) => <code>{original.id}</code> },
]

/** Where the user is signed in, what pushes reach them on, and how they were used. */
const Devices = () => {
  const user = useUser()
  const sessions = createQuery(() => ({
    queryKey: user.key("sessions"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/sessions", {
        params: { path: user.path(), query: { limit: 200 } },
      }),
  }))
  return (
    <>
      <Listed title="Live sessions" of={sessions} columns={columns} empty="The user is signed in nowhere." />
      <RecordsList
        of={[
          {
            section: "push_tokens",
            title: "Devices for pushes",
            fields: ["platform", "provider", "is_active", "registered_at", "deactivated_reason"],
            empty: "No device has registered for pushes.",
          },
          {
            section: "push_deliveries",
            title: "Pushes",
            fields: ["fire_at", "status", "error", "sent_at", "delivered_at", "opened_at"],
            empty: "No push was sent to this user.",
          },
          {
            section: "tracking_sessions",
            title: "Times in the app",
            fields: ["started_at", "ended_at", "duration_seconds", "platform", "app_version", "device_model"],
            empty: "The app has told of none.",
          },
        ]}
      />
    </>
  )
}

export default Devices
