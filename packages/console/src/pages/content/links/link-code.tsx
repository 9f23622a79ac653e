import { QrCode } from "@ark-ui/solid/qr-code"
import { CodeBlock } from "../../../parts/values/code-block.tsx"

/** The address of a link to copy, and as a picture to print. */
export const LinkCode = (props: { readonly address: string; readonly slug: string }) => (
  <section class="link-code" aria-label="How it is shared">
    <QrCode.Root value={props.address} encoding={{ ecc: "M" }} class="qr">
      <QrCode.Frame class="qr-frame" role="img" aria-label={`QR code of ${props.address}`}>
        <QrCode.Pattern />
      </QrCode.Frame>
      <div class="row">
        <QrCode.DownloadTrigger class="button plain" fileName={`${props.slug}.svg`} mimeType="image/svg+xml">
          Save SVG
        </QrCode.DownloadTrigger>
        <QrCode.DownloadTrigger class="button plain" fileName={`${props.slug}.png`} mimeType="image/png">
          Save PNG
        </QrCode.DownloadTrigger>
      </div>
    </QrCode.Root>
    <CodeBlock label="The address of the link" code={props.address} />
  </section>
)
