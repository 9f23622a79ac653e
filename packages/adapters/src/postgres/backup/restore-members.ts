import { randomUUID } from "node:crypto"
import type pg from "pg"
import { BackupUnusable } from "./manifest.ts"

/** A row of the control database of a backup. */
export type SavedRow = Readonly<Record<string, unknown>>

/** Who is to be a member of a restored project. */
export interface MembersChoice {
  /** Whether the members of the backup come back. Else it has those that the project has now. */
  readonly savedMembers: boolean
  /** The email of an account here that becomes an owner; null is nobody beside them. */
  readonly owner: string | null
}

/** A member, as it is told to the operator. */
export interface NamedMember {
  readonly email: string
  readonly role: string
  /** Of a member of the backup: whether the account is here, is not here, or is not while another one has its address. */
  readonly account: "here" | "gone" | "another"
}

interface Membership extends NamedMember {
  readonly developer_id: string
  /** The membership as it is here, or in the backup. */
  readonly row: SavedRow
}

/** The members that a project is restored with. */
export interface MembersPlan {
  readonly members: ReadonlyArray<Membership>
  /** Members of the backup who are none of the project. */
  readonly leftOut: ReadonlyArray<NamedMember>
  /** Accounts of the backup that come back with their members. */
  readonly accounts: ReadonlyArray<SavedRow>
}

const tell = ({ email, role, account }: NamedMember): string => {
  const what = { here: "", gone: ", without an account here", another: ", whose address another account has here" }
  return `${email} (${role}${what[account]})`
}

/** Members in a sentence. */
export const tellMembers = (members: ReadonlyArray<NamedMember>): string => members.map(tell).join(", ") || "nobody"

const readNow = async (client: pg.Client, projectId: string): Promise<ReadonlyArray<Membership>> => {
  const { rows } = await client.query(
    `select to_jsonb(m) as row, d.email from project_members m join developers d on d.id = m.developer_id
     where m.project_id = $1 order by m.created_at, m.id`,
    [projectId],
  )
  return rows.map(({ row, email }) => ({
    ...{ email, role: row.role, account: "here", developer_id: row.developer_id, row },
  }))
}

/** An account is known by its id. Its address proves nothing: whoever came later may have signed up with it. */
const readSaved = async (
  client: pg.Client,
  saved: { readonly developers: ReadonlyArray<SavedRow>; readonly project_members: ReadonlyArray<SavedRow> },
): Promise<ReadonlyArray<Membership>> => {
  const emails = new Map(saved.developers.map((row) => [row["id"], String(row["email"])]))
  const found = await client.query<{ readonly id: string; readonly email: string }>(
    "select id, email from developers where id = any($1::uuid[]) or email = any($2)",
    [[...emails.keys()], [...emails.values()]],
  )
  return saved.project_members.map((row) => {
    const email = emails.get(row["developer_id"]) ?? ""
    const own = found.rows.find(({ id }) => id === row["developer_id"])
    const isTaken = found.rows.some((each) => each.email === email)
    const account = own !== undefined ? "here" : isTaken ? "another" : "gone"
    return {
      ...{ email: own?.email ?? email, role: String(row["role"]), account },
      ...{ developer_id: String(row["developer_id"]), row },
    }
  })
}

const addOwner = async (
  client: pg.Client,
  members: ReadonlyArray<Membership>,
  email: string,
): Promise<ReadonlyArray<Membership>> => {
  const { rows } = await client.query("select id, email from developers where email = $1", [email.trim().toLowerCase()])
  if (rows.length === 0) throw new BackupUnusable(`There is no account ${email} here that could own the project.`)
  const [{ id }] = rows
  const present = members.find(({ developer_id }) => developer_id === id)
  if (present !== undefined)
    return members.map((each) =>
      each === present ? { ...each, role: "owner", row: { ...each.row, role: "owner" } } : each,
    )
  const row = { id: randomUUID(), developer_id: id, role: "owner", created_at: new Date().toISOString() }
  return [...members, { email: rows[0].email, role: "owner", account: "here", developer_id: id, row }]
}

/**
 * Who is a member of a project that is restored. Rejects with `BackupUnusable` where nobody would own it, and says who could. A
 * project that is not here has no members now.
 */
export const planMembers = async (
  client: pg.Client,
  projectId: string,
  saved: { readonly developers: ReadonlyArray<SavedRow>; readonly project_members: ReadonlyArray<SavedRow> },
  { savedMembers, owner }: MembersChoice,
): Promise<MembersPlan> => {
  const ofBackup = await readSaved(client, saved)
  const chosen = savedMembers
    ? ofBackup.filter(({ account }) => account !== "another")
    : await readNow(client, projectId)
  const members = owner === null ? chosen : await addOwner(client, chosen, owner)
  if (!members.some(({ role }) => role === "owner"))
    throw new BackupUnusable(
      `Nobody would own the project: ${savedMembers ? "no owner of the backup can come back" : "it is not here, so it has no members now"}. The members of the backup: ${tellMembers(ofBackup)}.${savedMembers ? "" : " --members brings them back;"} --owner <email> gives it to an account that is here.`,
    )
  const isMember = new Set(members.map(({ developer_id }) => developer_id))
  const returning = new Set(members.filter(({ account }) => account === "gone").map(({ developer_id }) => developer_id))
  return {
    members,
    leftOut: ofBackup.filter(({ developer_id }) => !isMember.has(developer_id)),
    accounts: saved.developers.filter(({ id }) => returning.has(String(id))),
  }
}
