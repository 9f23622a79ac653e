import "uplot/dist/uPlot.min.css"
import { createEffect, createSignal, onCleanup, onMount } from "solid-js"
import UPlot from "uplot"
import { isDark } from "../theme.ts"

/** One line of a chart. */
export interface Series {
  readonly label: string
  readonly values: ReadonlyArray<number | null>
}

interface ChartProps {
  /** What it shows, for those who hear the page. */
  readonly label: string
  /** The times of the values, in seconds since 1970, ascending. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  /** What stands below the times, with their zone. */
  readonly over: string
  /** Its values are of days: marks are whole days apart. */
  readonly isByDay?: boolean
  /** What is counted. */
  readonly of: string
  readonly height?: number
  /** Bars in place of lines: for values that stand alone. */
  readonly bars?: boolean
}

const colours = ["--chart-1", "--chart-2", "--chart-3"]

/** What makes a series one of bars. */
const barsIn = (fill: string): Partial<UPlot.Series> => {
  const paths = UPlot.paths.bars?.({ size: [0.6, 40, 4] })
  return { fill, points: { show: false }, ...(paths === undefined ? {} : { paths }) }
}

/** The first and the last bar stand on the edges of the time that is shown: so much of it is added. */
const aroundBars = (_: UPlot, least: number, most: number): UPlot.Range.MinMax => {
  const margin = Math.max((most - least) * 0.08, 1_800)
  return [least - margin, most + margin]
}

/** How many there are begins at nothing, and ends a little above the most. */
const fromNothing = (_: UPlot, __: number | null, most: number | null): UPlot.Range.MinMax => [
  0,
  most ? (UPlot.rangeNum(0, most, 0.1, true)[1] ?? most) : 1,
]

// Marks between whole numbers mean nothing where things are counted.
const wholeSteps = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

const daySteps = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((days) => days * 86_400)

/** What a variable of the page stands for now: a canvas knows neither variables nor schemes. */
const makeReader = (place: HTMLElement) => (name: string) => {
  const probe = document.createElement("span")
  probe.style.color = `var(${name})`
  place.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Values over time. It takes the width that it is given, and the colours of the page, light and dark. */
export const Chart = (props: ChartProps) => {
  let place: HTMLDivElement | undefined
  const [width, setWidth] = createSignal(0)
  onMount(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    if (place !== undefined) observer.observe(place)
    onCleanup(() => observer.disconnect())
  })
  createEffect(() => {
    if (place === undefined || width() === 0) return
    // Read for its changes: the colours are others then.
    isDark()
    const colour = makeReader(place)
    const rule = { stroke: colour("--line") }
    const axis = { labelFont: "12px system-ui, sans-serif", stroke: colour("--quiet"), grid: rule, ticks: rule }
    const lines = props.series.map(({ label }, at) => ({
      label,
      width: 2,
      ...(props.bars === true ? barsIn(colour(colours[at % colours.length] ?? "--accent")) : {}),
      stroke: colour(colours[at % colours.length] ?? "--accent"),
    }))
    const plot = new UPlot(
      {
        width: width(),
        height: props.height ?? 220,
        series: [{}, ...lines],
        axes: [
          { ...axis, label: props.over, labelSize: 20, ...(props.isByDay === true ? { incrs: daySteps } : {}) },
          { ...axis, label: props.of, labelSize: 20, incrs: wholeSteps },
        ],
        scales: { y: { range: fromNothing }, ...(props.bars === true ? { x: { range: aroundBars } } : {}) },
      },
      [[...props.times], ...props.series.map(({ values }) => [...values])],
      place,
    )
    onCleanup(() => plot.destroy())
  })
  return (
    <figure class="chart">
      <figcaption>{props.label}</figcaption>
      {/* Drawn, with a legend that says nothing without a pointer. The values are in the table beside it. */}
      <div ref={place} aria-hidden="true" />
    </figure>
  )
}
