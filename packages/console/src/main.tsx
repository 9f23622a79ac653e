import "./styles/base.css"
import "./styles/parts.css"
import { render } from "solid-js/web"
import { App } from "./app.tsx"

const root = document.getElementById("console")
if (root !== null) render(() => <App />, root)
