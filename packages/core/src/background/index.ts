export { type Chore, makeTending, type Refold, type Tending } from "./dispatcher.ts"
export type { Outbox, OutboxEntry } from "./port.ts"
export type { Reaction } from "./reaction.ts"
