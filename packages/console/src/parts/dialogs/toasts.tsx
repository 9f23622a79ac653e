import { createToaster, Toast, Toaster } from "@ark-ui/solid/toast"

const toaster = createToaster({ placement: "bottom-end", gap: 8 })

/** Says for a few seconds what was done. */
export const say = (title: string): void => void toaster.create({ title, type: "success", duration: 5_000 })

export const Toasts = () => (
  <Toaster toaster={toaster}>
    {(toast) => (
      // It only tells: what is below it can be clicked, the pointer does not keep it there, and nobody is on it when it goes.
      <Toast.Root class="toast" tabindex="-1" style={{ "pointer-events": "none" }}>
        <Toast.Title>{toast().title}</Toast.Title>
      </Toast.Root>
    )}
  </Toaster>
)
