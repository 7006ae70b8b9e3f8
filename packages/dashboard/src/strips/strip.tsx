// strips/strip.tsx: the place of a strip. It is painted from outside React (use-strips.ts), which also says in words what
// it shows: a row that scrolls by is rendered once.
export interface StripProps {
  readonly id: number
  readonly intervalMs: number
  /** The latency as a line beside the bars. */
  readonly hasSpark?: boolean
  readonly className: string | undefined
}

export function Strip({ id, intervalMs, hasSpark = false, className }: StripProps) {
  return (
    <canvas
      className={className}
      role="img"
      aria-label="The last hours are not known yet"
      data-monitor={id}
      data-interval={intervalMs}
      data-spark={hasSpark ? '' : undefined}
    />
  )
}
