// views/monitors/page-count.ts: the arithmetic of pages. A fleet without a match still has a first page.
export interface PageFigures {
  readonly page: number
  readonly size: number
  readonly total: number
}

export function pageCount({ size, total }: Omit<PageFigures, 'page'>): number {
  return Math.max(1, Math.ceil(total / size))
}

/** The numbers of the first and last row, from 1; null for a page without rows. */
export function rowsOfPage({
  page,
  size,
  total,
}: PageFigures): { readonly first: number; readonly last: number } | null {
  const first = (page - 1) * size + 1
  return first > total ? null : { first, last: Math.min(page * size, total) }
}
