import { Menu } from "@ark-ui/solid/menu"
import { For, type JSX } from "solid-js"

interface Choice {
  readonly value: string
  readonly label: string
}

interface ChoicesProps {
  /** What is chosen from, for those who hear the page. */
  readonly label: string
  /** What the button shows. */
  readonly children: JSX.Element
  readonly choices: ReadonlyArray<Choice>
  readonly choose: (value: string) => void
}

/** A button that opens a menu, which stays in the part of the page that its button is in. */
export const Choices = (props: ChoicesProps) => (
  <Menu.Root onSelect={({ value }) => props.choose(value)} lazyMount unmountOnExit>
    <Menu.Trigger class="button plain choices" aria-label={props.label}>
      {props.children}
      <span aria-hidden="true"> ▾</span>
    </Menu.Trigger>
    <Menu.Positioner>
      <Menu.Content class="menu" aria-label={props.label}>
        <For each={props.choices}>
          {(choice) => (
            <Menu.Item class="menu-item" value={choice.value}>
              {choice.label}
            </Menu.Item>
          )}
        </For>
      </Menu.Content>
    </Menu.Positioner>
  </Menu.Root>
)
