export {
  applyChanges,
  lockPurses,
  makeWallets,
  type WalletAmount,
  type WalletChange,
} from "./change-wallets.ts"
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
export type {
  Currencies,
  CurrenciesDb,
  Mismatch,
  OpenedOne,
  OpenWallet,
  Purses,
  TransactionWrite,
  Verification,
  WalletKey,
  Wallets,
  WalletWrite,
} from "./port.ts"
export { CurrencyTransaction, TransactionSource, TransactionType, WalletReceipt } from "./transaction.ts"
export {
  readBalance,
  readRules,
  rechargeWallet,
  Wallet,
  type WalletRules,
  type WalletState,
} from "./wallet.ts"
