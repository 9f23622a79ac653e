export {
  applyChanges,
  lockPurses,
  makeWallets,
  type WalletAmount,
  type WalletChange,
} from "./change-wallets.ts"
export { makeCurrencies } from "./currencies.ts"
export {
  Balance,
  Currency,
  CurrencyChanges,
  CurrencyChangesInput,
  CurrencyInput,
  CurrencyRow,
  NewCurrency,
} from "./currency.ts"
export { AlreadyReversed, CodeExists, CurrencyNotFound, InsufficientBalance, NotReversible } from "./failures.ts"
export {
  fromUnits,
  fromUnitsOfSum,
  hasMoneyDigits,
  isAmount,
  isPositiveAmount,
  maxAmount,
  maxUnits,
  toUnits,
  type Units,
} from "./money.ts"
export { Grant, GrantInput, makeMoveMoney, Spend, SpendInput } from "./move-money.ts"
export type {
  Currencies,
  CurrenciesDb,
  OpenedOne,
  OpenWallet,
  Purses,
  TransactionWrite,
  WalletKey,
  Wallets,
  WalletWrite,
} from "./port.ts"
export { currencyTransactionsSection, walletsSection } from "./sections.ts"
export { CurrencyTransaction, TransactionSource, TransactionType, Verification, WalletReceipt } from "./transaction.ts"
export {
  readBalance,
  readRules,
  rechargeWallet,
  Wallet,
  type WalletRules,
  type WalletState,
} from "./wallet.ts"
