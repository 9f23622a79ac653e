import type { Clock, Mail, Mailer } from "@hearth/core"
import { Effect } from "effect"
import { systemIds } from "../system/index.ts"
import { refuseUnsafe } from "./refusal.ts"

/** A mail that was kept instead of sent. */
export interface KeptMail extends Mail {
  readonly id: string
  readonly sent_at: Date
}

/** A mailer for development that sends nothing and lists what it would have sent. */
export interface OutboxMailer extends Mailer {
  /** The mails that are kept, the newest first. */
  list(): ReadonlyArray<KeptMail>
}

/** Keeps the newest `capacity` mails in memory, and refuses what the SMTP mailer refuses. */
export const outboxMailer = ({
  clock,
  capacity = 200,
}: {
  readonly clock: Clock
  readonly capacity?: number
}): OutboxMailer => {
  const ids = systemIds(clock)
  let kept: ReadonlyArray<KeptMail> = []
  return {
    list: () => kept,
    send: (mail) =>
      Effect.tap(refuseUnsafe(mail), () =>
        Effect.sync(() => {
          const { to, subject, text, html, project_id } = mail
          const project = project_id === undefined ? undefined : { project_id }
          const one = { id: ids.uuid(), ...project, to, subject, text, html, sent_at: clock.now() }
          kept = [one, ...kept].slice(0, capacity)
        }),
      ),
  }
}
