// components/plot-pointer.ts: the pointer of a plot, moved without a mouse. Plots that share their pointer move together.
import UPlot from 'uplot'

export interface PlotPointer {
  /** To a time, by its index; null takes it away. */
  readonly moveTo: (index: number | null) => void
  /** Marks the times between two indexes; null takes the mark away. */
  readonly mark: (stretch: { readonly from: number; readonly to: number } | null) => void
}

const outside = -10

export function pointerOf(plot: UPlot): PlotPointer {
  const leftOf = (index: number) => plot.valToPos(plot.data[0][index] ?? 0, 'x')
  return {
    moveTo: (index) => moveTogether(plot, index === null ? outside : leftOf(index)),
    mark(stretch) {
      if (stretch === null) markPixels(plot, 0, 0)
      else markPixels(plot, leftOf(stretch.from), leftOf(stretch.to))
    },
  }
}

/** `left`: in pixels of the plot. */
export function moveTogether(plot: UPlot, left: number): void {
  const key = plot.cursor.sync?.key ?? null
  const plots = key === null ? [plot] : UPlot.sync(key).plots
  for (const one of plots) one.setCursor({ left, top: left === outside ? outside : 0 })
}

/** Without telling anybody that something was selected. */
export function markPixels(plot: UPlot, left: number, right: number): void {
  const { clientHeight: height } = plot.over
  plot.setSelect({ left: Math.min(left, right), top: 0, width: Math.abs(right - left), height }, false)
}
