const makeKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** Part of a form whose act must happen once: pressed again after a lost answer, it is the same act. */
export const OnceKey = () => <input type="hidden" name="once" value={makeKey()} />

/** The header that says so. */
export const readOnceKey = (form: FormData) => ({ "Idempotency-Key": String(form.get("once")) })
