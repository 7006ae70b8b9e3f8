// fleet-map/treemap.ts: divides a rectangle into boxes with areas in proportion to their weights and sides as
// equal as possible (the squarified treemap). The same weights always give the same boxes.

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Boxes in the order of the weights, which must be positive. */
export function treemap(weights: readonly number[], whole: Box): Box[] {
  const order = weights.map((_, index) => index).sort((a, b) => weights[b]! - weights[a]! || a - b)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const areaOfOne = total === 0 ? 0 : (whole.width * whole.height) / total
  const boxes: Box[] = new Array(weights.length)
  let rest = whole
  let next = 0
  while (next < order.length) {
    const strip = stripFrom(
      order,
      next,
      (index) => weights[index]! * areaOfOne,
      Math.min(rest.width, rest.height),
    )
    rest = place(strip, rest, boxes)
    next += strip.members.length
  }
  return boxes
}

interface Strip {
  readonly members: readonly { readonly index: number; readonly area: number }[]
  readonly area: number
}

/** Takes as many as make the strip squarer than it was without them. */
function stripFrom(
  order: readonly number[],
  from: number,
  areaOf: (index: number) => number,
  side: number,
): Strip {
  const members: { index: number; area: number }[] = []
  let area = 0
  let worst = Number.POSITIVE_INFINITY
  for (let place = from; place < order.length; place++) {
    const index = order[place]!
    const added = areaOf(index)
    const largest = members[0]?.area ?? added
    const withIt = worstRatio(largest, added, area + added, side)
    if (withIt > worst) break
    worst = withIt
    area += added
    members.push({ index, area: added })
  }
  return { members, area }
}

function worstRatio(largest: number, smallest: number, area: number, side: number): number {
  const depth = area / side
  return Math.max(largest / depth / depth, (depth * depth) / smallest)
}

/** Places the strip along the shorter side and returns the remaining box. */
function place({ members, area }: Strip, rest: Box, boxes: Box[]): Box {
  const standing = rest.width >= rest.height
  const depth = area / (standing ? rest.height : rest.width)
  let along = standing ? rest.y : rest.x
  for (const member of members) {
    const length = member.area / depth
    boxes[member.index] = standing
      ? { x: rest.x, y: along, width: depth, height: length }
      : { x: along, y: rest.y, width: length, height: depth }
    along += length
  }
  return standing
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) }
}
