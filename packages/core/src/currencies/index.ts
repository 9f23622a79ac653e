export {
  addAmounts,
  fromUnits,
  hasMoneyDigits,
  isAmount,
  isPositiveAmount,
  maxAmount,
  maxUnits,
  subtractAmounts,
  toUnits,
  type Units,
} from "./money.ts"
