/** The last times that there are, by the type of the field. With years of four digits one goes on after the fourth. */
export const lastTimes: Readonly<Record<string, string>> = {
  date: "9999-12-31",
  "datetime-local": "9999-12-31T23:59:59",
}

interface OfInput {
  readonly currentTarget: HTMLInputElement
}

/**
 * Controls a field of a date or a time, part by part. One that is half typed is not empty: what was there before holds until it is
 * whole, and is shown again to who leaves it so.
 */
export const dateInput = (value: () => string, take: (text: string) => void) => ({
  get value() {
    return value()
  },
  onChange: ({ currentTarget }: OfInput) => {
    if (!currentTarget.validity.badInput) take(currentTarget.value)
  },
  onBlur: ({ currentTarget }: OfInput) => {
    if (currentTarget.validity.badInput && value() !== "") currentTarget.value = value()
  },
})
