export { type Mailbox, parseMailbox } from "./mailbox.ts"
export { type MailConfig, type OpenMail, openMail } from "./open-mail.ts"
export { type KeptMail, type OutboxMailer, outboxMailer } from "./outbox.ts"
export { mailSettings } from "./settings.ts"
