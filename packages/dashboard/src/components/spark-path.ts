// components/spark-path.ts: a series as the path of a small line. A missing value breaks the line; if there
// are more values than points, they are averaged, so that a quarter of an hour fits a panel.

export interface SparkFrame {
  readonly width: number
  readonly height: number
  readonly points: number
}

export function sparkPath(
  values: readonly (number | null)[],
  range: { readonly least: number; readonly most: number },
  { width, height, points }: SparkFrame,
): string {
  const averages = condense(values, points)
  const stepX = averages.length > 1 ? width / (averages.length - 1) : 0
  const span = range.most - range.least || 1
  let path = ''
  let isDown = false
  for (const [index, value] of averages.entries()) {
    if (value === null) {
      isDown = false
      continue
    }
    const y = height - ((value - range.least) / span) * height
    path += `${isDown ? 'L' : 'M'}${(index * stepX).toFixed(1)} ${y.toFixed(1)}`
    isDown = true
  }
  return path
}

export function condense(values: readonly (number | null)[], points: number): (number | null)[] {
  if (values.length <= points) return [...values]
  return Array.from({ length: points }, (_, index) => {
    const from = Math.floor((index * values.length) / points)
    const to = Math.floor(((index + 1) * values.length) / points)
    const known = values.slice(from, to).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  })
}
