import { chooseTheme, type Theme, theme, themes } from "../theme.ts"
import { Choices } from "./choices.tsx"

const names: Readonly<Record<Theme, string>> = { system: "As the device", light: "Light", dark: "Dark" }

/** Light, dark, or as the device is. */
export const ThemeMenu = () => (
  <Choices
    label={`Colours: ${names[theme()]}`}
    choices={themes.map((value) => ({ value, label: value === theme() ? `${names[value]} ✓` : names[value] }))}
    choose={(value) => chooseTheme(value as Theme)}
  >
    <span aria-hidden="true">◐</span>
  </Choices>
)
