// v1/page.ts: the fields of every numbered page. A page past the end is empty, not an error.
import { Type } from 'typebox'
import { v1Limits } from './limits.ts'
import { staleField } from './stale.ts'
import { Count, field, Timestamp } from './values.ts'

export const pageFields = {
  generated: field(Timestamp, 'The time of the list.'),
  stale: staleField,
  page: field(Type.Integer({ minimum: 1 }), 'The number of this page, from 1.'),
  size: field(
    Type.Integer({ minimum: 1, maximum: v1Limits.sizeCap }),
    `Rows a page holds; less than asked for when that was over ${v1Limits.sizeCap}.`,
  ),
  total: field(Count, 'Everything that matches, over all pages.'),
}
