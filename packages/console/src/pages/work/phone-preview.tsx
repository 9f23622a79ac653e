import { Show } from "solid-js"

interface PhoneProps {
  readonly title: string
  readonly body: string
  readonly imageUrl?: string | undefined
}

/** A push as it looks on a locked iPhone and on an Android phone. What is too long is cut where phones cut it. */
export const PhonePreview = (props: PhoneProps & { readonly app: string }) => (
  <div class="phones">
    <figure>
      <div class="phone ios">
        <div class="push">
          <span class="push-icon" aria-hidden="true" />
          <div class="push-text">
            <p class="push-head">
              <strong class="push-title">{props.title || "Title"}</strong>
              <span class="push-time">now</span>
            </p>
            <p class="push-body">{props.body || "Body"}</p>
          </div>
        </div>
      </div>
      <figcaption>iPhone: a line of title, four of body</figcaption>
    </figure>
    <figure>
      <div class="phone android">
        <div class="push">
          <div class="push-text">
            <p class="push-head">
              <span class="push-icon" aria-hidden="true" />
              <span class="push-app">{props.app}</span>
              <span class="push-time">now</span>
            </p>
            <strong class="push-title">{props.title || "Title"}</strong>
            <p class="push-body">{props.body || "Body"}</p>
          </div>
        </div>
      </div>
      <figcaption>Android: a line of each, until it is opened</figcaption>
    </figure>
    <Show when={props.imageUrl}>
      <p class="quiet small">The image is shown when the push is opened.</p>
    </Show>
  </div>
)
