// components/plot.tsx: uPlot in the house's tokens. The canvas cannot read custom properties, so their values are looked
// up when the theme changes and the plot is made anew; new data only redraws it. Draws nothing that moves by itself.
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatTime } from '../format/time.ts'
import { useIsDark } from '../theme/appearance.ts'
import styles from './chart.module.css'
import type { ChartLine, ChartProps } from './chart-props.ts'

type PlotProps = ChartProps & { readonly height: number }

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
    const resized = new ResizeObserver(() =>
      made.setSize({ width: Math.max(1, element.clientWidth), height: latest.current.height }),
    )
    resized.observe(element)
    return () => {
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
  readout: HTMLElement,
): UPlot.Options {
  const color = (token: string) => colorOf(element, token)
  const axis = {
    font: axisFont,
    stroke: color('--ink-3'),
    ticks: { show: false },
    grid: { stroke: color('--line'), width: 1 },
  }
  const { format, height, lines } = latest.current
  return {
    width: Math.max(1, element.clientWidth),
    height,
    padding: [10, 26, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.12 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, space: 70, values: (_plot, ticks) => ticks.map(clockOf) },
      { ...axis, size: 58, space: 34, values: (_plot, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, color(line.hue)))],
    hooks: {
      setCursor: [
        ({ cursor: { idx } }) => {
          readout.textContent = idx == null ? '' : readoutOf(latest.current, idx)
        },
      ],
    },
  }
}

function seriesOf({ look = 'line' }: ChartLine, stroke: string): UPlot.Series {
  if (look === 'points')
    return { paths: () => null, points: { show: true, size: 7, fill: stroke, stroke }, stroke }
  const series: UPlot.Series = { stroke, width: 1.6, points: { show: false }, spanGaps: false }
  if (look === 'area') return { ...series, fill: stroke.replace(')', ' / 14%)') }
  if (look === 'dashed') return { ...series, dash: [5, 4], width: 1.2 }
  return look === 'step' ? { ...series, paths: UPlot.paths.stepped!({ align: 1 }) } : series
}

function readoutOf({ timesMs, lines, format }: PlotProps, index: number): string {
  const at = timesMs[index]
  if (at === undefined) return ''
  const figures = lines.flatMap(({ name, values }) => {
    const value = values[index]
    return value == null ? [] : [`${name} ${format(value)}`]
  })
  return [clockOf(at / 1000), ...figures].join(' · ')
}

function clockOf(seconds: number): string {
  return formatTime(seconds * 1000, seconds * 1000)
}

/** The style engine resolves light-dark() only in a property that is a color. */
function colorOf(element: HTMLElement, token: string): string {
  element.style.color = `var(${token})`
  const [red = '0', green = '0', blue = '0'] = getComputedStyle(element).color.match(/[\d.]+/g) ?? []
  element.style.color = ''
  return `rgb(${red} ${green} ${blue})`
}
