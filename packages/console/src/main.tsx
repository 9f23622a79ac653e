import "./styles/base.css"
import "./styles/parts.css"
import { render } from "solid-js/web"
import { App } from "./app.tsx"
import { watchService } from "./connection.ts"

const root = document.getElementById("console")
watchService()
if (root !== null) render(() => <App />, root)
