const millis = (instant: string) => `(extract(epoch from ${instant}) * 1000)`

/**
 * What has recharged in the wallet `w` of the currency `c`, two aliases, by an instant, as `rechargeWallet` of core has it: exact
 * decimals, 0 where nothing has. `div` counts whole intervals; a quotient would be rounded. Null without a wallet.
 */
export const rechargedSql = (w: string, c: string, now: string): string => {
  const hours = `${c}.auto_recharge_interval_hours`
  const passed = `greatest(0, ${millis(now)} - ${millis(`${w}.anchor_at`)})`
  const most = `coalesce(${c}.max_balance, 900000000000) - ${w}.balance`
  const gained = `greatest(0, least(div(${passed}, ${hours} * 3600000) * ${c}.auto_recharge_amount, ${most}))`
  // `least` and `greatest` pass over null: without recharge it would be all that is missing.
  return `case when ${w}.balance is null then null when ${hours} is null then 0 else ${gained} end`
}
