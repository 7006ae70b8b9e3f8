// components/plot.tsx: uPlot with the tokens of the page. The canvas cannot read custom properties, so their values are
// looked up when the theme changes and the plot is recreated; new data only redraws it. Nothing moves by itself.
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatTime } from '../format/time.ts'
import { useIsDark } from '../theme/appearance.ts'
import styles from './chart.module.css'
import type { ChartLine, ChartProps } from './chart-props.ts'
import { loneValues } from './lone-values.ts'
import { drawBands } from './plot-bands.ts'
import { type PlotPointer, pointerOf } from './plot-pointer.ts'
import { followTouch } from './touch-drag.ts'

interface PlotProps extends ChartProps {
  readonly height: number
  /** Gets the pointer of the plot whenever the plot is made anew. */
  readonly onPointer?: (pointer: PlotPointer | null) => void
}

/** A shorter one is a click. */
const leastDragPixels = 6
const axisFont = '11px ui-sans-serif, system-ui, sans-serif'

export default function Plot(props: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot | null>(null)
  const latest = useRef(props)
  latest.current = props
  const isDark = useIsDark()
  const shape = props.lines.map(({ name, hue, look }) => `${name} ${hue} ${look}`).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme and the shape of the lines are what it is made of.
  useEffect(() => {
    const element = box.current!
    const readout = element.appendChild(document.createElement('div'))
    readout.className = styles.readout!
    const made = new UPlot(optionsFor(latest, element, readout), dataOf(latest.current), element)
    plot.current = made
    latest.current.onPointer?.(pointerOf(made))
    const ended = new AbortController()
    const { onSelect } = latest.current
    followTouch(
      made,
      onSelect === undefined ? null : (left, right) => handOver(made, latest.current, left, right),
      ended.signal,
    )
    const resized = new ResizeObserver(() =>
      made.setSize({ width: Math.max(1, element.clientWidth), height: latest.current.height }),
    )
    resized.observe(element)
    return () => {
      ended.abort()
      latest.current.onPointer?.(null)
      resized.disconnect()
      made.destroy()
      readout.remove()
      plot.current = null
    }
  }, [isDark, shape, props.height])

  useEffect(() => {
    plot.current?.setData(dataOf(props))
  }, [props])

  return <div ref={box} />
}

function dataOf({ timesMs, lines }: PlotProps): UPlot.AlignedData {
  return [timesMs.map((ms) => ms / 1000), ...lines.map(({ values }) => [...values])]
}

function optionsFor(
  latest: { readonly current: PlotProps },
  element: HTMLElement,
  readoutElement: HTMLElement,
): UPlot.Options {
  const color = (token: string) => colorOf(element, token)
  const axis = {
    font: axisFont,
    stroke: color('--ink-3'),
    ticks: { show: false },
    grid: { stroke: color('--line'), width: 1 },
  }
  const { format, formatTick = clockOf, height, lines, cursorKey, readout, onSelect } = latest.current
  return {
    width: Math.max(1, element.clientWidth),
    height,
    // Leaves a line for the readout above the plot.
    padding: [readout === undefined ? 10 : 22, 26, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: onSelect !== undefined, y: false, setScale: false, dist: leastDragPixels },
      points: { size: 6 },
      ...(cursorKey !== undefined && { sync: { key: cursorKey } }),
    },
    scales: {
      x: { time: true, range: (_plot, first, last) => periodOf(latest.current) ?? [first, last] },
      y: { range: (_plot, _low, high) => rangeOf(latest.current, high) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (_plot, ticks) => ticks.map((seconds) => formatTick(seconds * 1000)),
      },
      { ...axis, size: 58, space: 34, values: (_plot, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, color(line.hue)))],
    hooks: {
      setSelect: [(plot) => selected(plot, latest.current)],
      drawAxes: [(plot) => drawBands(plot, latest.current.bands ?? [], color)],
      setCursor: [
        ({ cursor: { idx } }) => {
          readoutElement.textContent = idx == null ? '' : readoutOf(latest.current, idx)
        },
      ],
    },
  }
}

/** The dragged stretch is handed over, and its mark goes: the chart is drawn anew for it. */
function selected(plot: UPlot, props: PlotProps): void {
  const { left, width } = plot.select
  if (width < leastDragPixels) return
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  handOver(plot, props, left, left + width)
}

function handOver(plot: UPlot, { onSelect }: PlotProps, left: number, right: number): void {
  onSelect?.(plot.posToVal(left, 'x') * 1000, plot.posToVal(right, 'x') * 1000)
}

function periodOf({ period }: PlotProps): [number, number] | null {
  return period === undefined ? null : [period.fromMs / 1000, period.toMs / 1000]
}

function rangeOf({ range }: PlotProps, high: number): [number, number] {
  return range === undefined ? [0, high > 0 ? high * 1.12 : 1] : [...range]
}

function seriesOf({ look = 'line' }: ChartLine, stroke: string): UPlot.Series {
  if (look === 'points')
    return { paths: () => null, points: { show: true, size: 7, fill: stroke, stroke }, stroke }
  if (look === 'bars' || look === 'solid bars' || look === 'hanging bars') return barsOf(look, stroke)
  const lone: UPlot.Series.Points = {
    show: false,
    size: 4,
    fill: stroke,
    filter: (plot, index) => loneValues(plot.data[index]!),
  }
  const series: UPlot.Series = { stroke, width: 1.6, points: lone, spanGaps: false }
  if (look === 'area') return { ...series, fill: stroke.replace(')', ' / 14%)') }
  if (look === 'dashed') return { ...series, dash: [5, 4], width: 1.2 }
  return look === 'step' ? { ...series, paths: UPlot.paths.stepped!({ align: 1 }) } : series
}

/** As wide as the time between two values. Bars stand on the lower edge, faint or solid, or hang from the upper one. */
function barsOf(look: 'bars' | 'solid bars' | 'hanging bars', stroke: string): UPlot.Series {
  const edge = look === 'hanging bars' ? 'max' : 'min'
  return {
    width: 0,
    stroke,
    fill: look === 'bars' ? stroke.replace(')', ' / 22%)') : stroke,
    fillTo: (plot) => plot.scales['y']?.[edge] ?? 0,
    paths: UPlot.paths.bars!({ size: [1, Number.POSITIVE_INFINITY] }),
    points: { show: false },
  }
}

function readoutOf({ timesMs, lines, format, readout }: PlotProps, index: number): string {
  const at = timesMs[index]
  if (at === undefined) return ''
  if (readout !== undefined) return readout(index)
  const figures = lines.flatMap(({ name, values }) => {
    const value = values[index]
    return value == null ? [] : [`${name} ${format(value)}`]
  })
  return [clockOf(at), ...figures].join(' · ')
}

function clockOf(ms: number): string {
  return formatTime(ms, ms)
}

/** Browsers resolve light-dark() only in a color property. */
function colorOf(element: HTMLElement, token: string): string {
  element.style.color = `var(${token})`
  const [red = '0', green = '0', blue = '0'] = getComputedStyle(element).color.match(/[\d.]+/g) ?? []
  element.style.color = ''
  return `rgb(${red} ${green} ${blue})`
}
