/** The columns of a wallet and of its currency, as expressions. */
export interface RechargeColumns {
  readonly balance: string
  readonly anchor_at: string
  readonly max_balance: string
  readonly auto_recharge_amount: string
  readonly auto_recharge_interval_hours: string
}

const millis = (instant: string) => `(extract(epoch from ${instant}) * 1000)`

/**
 * What has recharged in a wallet by an instant, as `rechargeWallet` of core has it: exact decimals, 0 where nothing has. `div`
 * counts whole intervals; a quotient would be rounded.
 */
export const rechargedSql = (columns: RechargeColumns, now: string): string => {
  const { balance, anchor_at, max_balance, auto_recharge_amount, auto_recharge_interval_hours: hours } = columns
  const passed = `greatest(0, ${millis(now)} - ${millis(anchor_at)})`
  const most = `coalesce(${max_balance}, 900000000000) - ${balance}`
  const gained = `greatest(0, least(div(${passed}, ${hours} * 3600000) * ${auto_recharge_amount}, ${most}))`
  // `least` passes over null: without recharge it would be all that is missing.
  return `case when ${hours} is null then 0 else ${gained} end`
}
