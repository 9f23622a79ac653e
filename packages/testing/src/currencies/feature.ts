import type { CurrenciesDb } from "@hearth/core/currencies"
import type { TenantFeature } from "../feature.ts"
import { memoryCurrencies, memoryPurses } from "./memory.ts"
import { currencyShape, purseShape, transactionShape, walletShape } from "./memory-shapes.ts"
import { memoryWallets } from "./memory-wallets.ts"

/** Currencies in tests. */
export const currenciesFeature: TenantFeature<CurrenciesDb> = {
  tenant: {
    shapes: [currencyShape, purseShape, walletShape, transactionShape],
    sections: { wallets: walletShape, currency_transactions: transactionShape },
    make: ({ statements }) => ({
      currencies: memoryCurrencies(statements),
      purses: memoryPurses(statements),
      wallets: memoryWallets(statements),
    }),
  },
}
