/** Who a mail is from: an address, and a name that may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

const address = String.raw`[^\s@"<>()\[\],;:\\\p{Cc}]+@[^\s@"<>()\[\],;:\\\p{Cc}]+`
const bare = new RegExp(`^(${address})$`, "u")
const named = new RegExp(String.raw`^(?:"([^"\\\p{Cc}]*)"|([^@"<>(),;:\\\p{Cc}]*?))\s*<(${address})>$`, "u")

/** The one mailbox that a text like `Hearth <no-reply@example.com>` or `no-reply@example.com` names; null for any other. */
export const parseMailbox = (text: string): Mailbox | null => {
  const [, alone] = bare.exec(text) ?? []
  if (alone !== undefined) return { name: "", address: alone }
  const [, quoted, plain, within] = named.exec(text) ?? []
  return within === undefined ? null : { name: quoted ?? plain ?? "", address: within }
}

/** The text that names a mailbox. */
export const mailboxText = ({ name, address }: Mailbox): string => (name === "" ? address : `"${name}" <${address}>`)
