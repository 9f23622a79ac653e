import { createSignal } from "solid-js"

/** The schemes to choose from; `system` is that of the device. */
export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

const key = "hearth.console.theme"

const read = (): Theme => {
  try {
    const kept = localStorage.getItem(key)
    return themes.find((theme) => theme === kept) ?? "system"
  } catch {
    return "system"
  }
}

const device = matchMedia("(prefers-color-scheme: dark)")
const [theme, setTheme] = createSignal<Theme>(read())
const [isDeviceDark, setIsDeviceDark] = createSignal(device.matches)
device.addEventListener("change", ({ matches }) => setIsDeviceDark(matches))

export { theme }

/** Whether the page is dark now. What draws by itself draws anew when it changes. */
export const isDark = (): boolean => theme() === "dark" || (theme() === "system" && isDeviceDark())

const show = (chosen: Theme) => {
  if (chosen === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = chosen
}

/** Chooses a scheme for this browser. */
export const chooseTheme = (chosen: Theme): void => {
  setTheme(chosen)
  show(chosen)
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
}

show(theme())
