import type { CurrenciesDb } from "@hearth/core/currencies"
import type { TenantFeature } from "../feature.ts"
import { fields, keepList, slice, text, uuid } from "../memory/arguments.ts"
import { memoryCurrencies, memoryPurses } from "./memory.ts"
import { currencyShape, purseShape, transactionShape, walletShape } from "./memory-shapes.ts"
import { memoryWallets } from "./memory-wallets.ts"

/** Currencies in tests. */
export const currenciesFeature: TenantFeature<CurrenciesDb> = {
  tenant: {
    shapes: [currencyShape, purseShape, walletShape, transactionShape],
    sections: { wallets: walletShape, currency_transactions: transactionShape },
    rules: {
      currencies: { findCodes: [keepList(text)] },
      purses: { lockMany: [keepList(uuid)] },
      wallets: {
        open: [keepList(fields({ app_user_id: uuid, currency_id: uuid }))],
        openOne: [uuid, text],
        lockAll: [uuid],
        ofUser: [uuid],
        transactions: [uuid, slice],
        transactionsBefore: [uuid, uuid, slice],
        findTransaction: [uuid],
        isReversed: [uuid],
      },
    },
    make: ({ statements }) => ({
      currencies: memoryCurrencies(statements),
      purses: memoryPurses(statements),
      wallets: memoryWallets(statements),
    }),
  },
}
