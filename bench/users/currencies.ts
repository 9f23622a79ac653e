import { systemClock, systemIds } from "@hearth/adapters"
import { Effect } from "effect"
import type pg from "pg"
import { type Call, type Clients, makeClients } from "../harness/clients.ts"
import { connectTo } from "../harness/database.ts"
import { type Figure, measureInTurns, measureService, ratio, runConcurrently, withCpu } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const ids = systemIds(systemClock)
const rounds = 5
const calls = 400
const clients = 30

const update = `
  update wallets set balance = balance + $3, updated_at = now() where app_user_id = $1 and currency_id = $2 returning balance`
const insert = `
  insert into currency_transactions (
    id, app_user_id, currency_id, currency_code, amount, balance_after, transaction_type, source, created_at
  ) values ($1, $2, $3, 'BENCH', $4, $5, 'grant', 'admin', now())`

/** The bound: the least that changes a wallet and writes it down, on one connection. */
const changePlainly = async (
  database: pg.Client,
  wallet: readonly [user: string, currency: string],
  amount: number,
) => {
  await database.query("begin")
  const { rows } = await database.query({ name: "update", text: update, values: [...wallet, amount] })
  await database.query({ name: "insert", text: insert, values: [ids.uuid(), ...wallet, amount, rows[0].balance] })
  await database.query("commit")
}

const plainly = "`update … returning` and `insert` in a transaction on one connection"

/** Spending and grants by the core's functions in this process against the same change by plain statements. */
export const currenciesInProcess = async (): Promise<ReadonlyArray<Figure>> => {
  const { core, dataDir, newProject, close } = await openInProcess()
  const { id: projectId } = await newProject("Bench")
  const limits = { max_balance: null, auto_recharge_amount: null, auto_recharge_interval_hours: null }
  const currency = { code: "BENCH", name: "Bench", description: null, is_premium: false, initial_balance: 1_000_000 }
  const { id: currencyId } = await Effect.runPromise(core.currencies.create(projectId, { ...currency, ...limits }))
  const grant = (app_user_id: string, key: string | null) => {
    const input = { app_user_id, currency_code: "BENCH", amount: 1.25, reason: "bench" }
    return Effect.runPromise(core.currencies.grant(projectId, input, key))
  }
  const newUser = async () => {
    const { user } = await Effect.runPromise(core.auth.anonymous(projectId))
    await grant(user.id, null)
    return user.id
  }
  const [userId, other] = [await newUser(), await newUser()]
  const database = await connectTo(dataDir, projectId)
  const measure = async (name: string, count: number, work: () => Promise<unknown>) => {
    const rates = await measureInTurns(
      rounds,
      () => runConcurrently(count, calls, work),
      () => runConcurrently(1, calls, () => changePlainly(database, [other, currencyId], 1.25)),
    )
    return ratio(`${name}, by the use case`, "calls/s", ...rates, plainly, 0.4)
  }
  const spend = () => Effect.runPromise(core.currencies.spend(projectId, userId, "BENCH", { amount: 0.25 }))
  const figures = [
    await measure("Spending by one client", 1, spend),
    await measure(`Spending by ${clients} clients from one wallet`, clients, spend),
    await measure("Grants by one client", 1, () => grant(userId, null)),
    await measure("Grants with an Idempotency-Key by one client", 1, () => grant(userId, crypto.randomUUID())),
  ]
  await database.end()
  await close()
  return figures
}

/** Spending and grants over HTTP against the same change by plain statements, and many clients on one wallet. */
export const currencies = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { client, developer, projectId, userIds } = await setUp(service, 50)
  const admin = `/admin/projects/${projectId}/currencies`
  const make = (code: string) =>
    call(service, "POST", admin, developer, JSON.stringify({ code, name: code, initial_balance: 1_000_000 }))
  const { id: currencyId } = await make("BENCH")
  await make("SCARCE")
  const spend = (code: string, body: object) =>
    call(service, "POST", `/client/currencies/${code}/spend`, client, JSON.stringify(body))
  const grantBody = { currency_code: "BENCH", amount: 1.25, reason: "bench" }
  // The first is the client's own.
  const [, other = ""] = userIds
  const database = await connectTo(service.dataDir, projectId)
  const plain = (user: string, amount: number) => () =>
    runConcurrently(1, calls, () => changePlainly(database, [user, currencyId], amount))

  const [alone, many] = [makeClients(service.origin, 1), makeClients(service.origin, clients)]
  const spendCall: Call = {
    ...{ method: "POST", path: "/v1/client/currencies/BENCH/spend", headers: client },
    body: JSON.stringify({ amount: 0.25 }),
  }
  const grantCall = (index: number, key: Readonly<Record<string, string>> = {}): Call => ({
    ...{ method: "POST", path: `/v1${admin}/grant`, headers: { ...developer, ...key } },
    body: JSON.stringify({ ...grantBody, app_user_id: userIds[index % userIds.length] }),
  })
  const spends = (by: Clients) => () => by.send(calls, () => spendCall)
  // Code that has just been loaded runs several times slower.
  await many.send(2_000, (index) => grantCall(index))
  await many.send(2_000, () => spendCall)
  const oneSpends = await measureService(rounds, service, spends(alone), plain(other, -0.25))
  const allSpend = await measureService(rounds, service, spends(many), plain(other, -0.25))
  const grants = (by: Clients) => () => by.send(calls, (index) => grantCall(index))
  const oneGrants = await measureService(rounds, service, grants(alone), plain(other, 1.25))
  const allGrant = await measureService(rounds, service, grants(many), plain(other, 1.25))
  const keyed = () => many.send(calls, (index) => grantCall(index, { "idempotency-key": crypto.randomUUID() }))
  const withKeys = await measureService(rounds, service, keyed, plain(other, 1.25))

  const refused = new Map<string, number>()
  await runConcurrently(clients, 600, () =>
    spend("SCARCE", { amount: 2_500 }).catch(({ message }: Error) => {
      const status = /: (\d{3}) /.exec(message)?.[1] ?? message
      refused.set(status, (refused.get(status) ?? 0) + 1)
    }),
  )
  alone.close()
  many.close()
  const { mismatches } = await call(service, "GET", `${admin}/verify`, developer)
  await database.end()
  const others = [...refused].filter(([status]) => status !== "409")
  return [
    withCpu(ratio("Spending by one client over HTTP", "calls/s", ...oneSpends.rates, plainly, 0.4), oneSpends.cpu),
    withCpu(
      ratio(`Spending by ${clients} clients from one wallet over HTTP`, "calls/s", ...allSpend.rates, plainly, 0.4),
      allSpend.cpu,
    ),
    withCpu(ratio("Grants by one client over HTTP", "calls/s", ...oneGrants.rates, plainly, 0.4), oneGrants.cpu),
    withCpu(ratio(`Grants by ${clients} clients over HTTP`, "calls/s", ...allGrant.rates, plainly, 0.4), allGrant.cpu),
    withCpu(
      ratio(
        `Grants with an Idempotency-Key by ${clients} clients over HTTP`,
        "calls/s",
        ...withKeys.rates,
        plainly,
        0.4,
      ),
      withKeys.cpu,
    ),
    {
      name: `${clients} clients spend from one wallet until it is empty, and then on`,
      measured: `${refused.get("409") ?? 0} of 600 refused with 409, ${others.length} kinds of other failures, ${mismatches.length} mismatches`,
      bound: "200 refused, none for another reason, no mismatch",
      kept: refused.get("409") === 200 && others.length === 0 && mismatches.length === 0,
    },
  ]
}
