import type { KeptMail } from "@hearth/adapters"
import type { Responder } from "./exchange.ts"
import { content } from "./respond.ts"

/** `GET /dev/outbox`: the mails that were kept instead of sent, the newest first [B11]. */
export const keptMails =
  (list: () => ReadonlyArray<KeptMail>): Responder =>
  (_event, exchange) =>
    content(exchange, 200, "application/json", JSON.stringify({ data: list() }))
