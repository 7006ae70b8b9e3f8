// deciding/actions/page-order.ts: what the escalation wants of the ledger: to send something of a page, or to withdraw what
// is still queued of it. The ledger keeps to it whatever holds back the colors of a monitor.
import type { Because, EndBecause } from '../health/because.ts'
import type { Instant } from '../health/health.ts'
import type { PageNews } from './action.ts'
import type { Later } from './notification-planner.ts'

export type PageOrder =
  | {
      readonly is: 'send'
      readonly news: PageNews
      readonly endpoint: string
      /** Null for pages that were missed. */
      readonly incidentId: string | null
      readonly since: Instant | null
      readonly because: Because
      /** Null: at once. */
      readonly later: Later | null
    }
  | { readonly is: 'withdraw'; readonly page: string; readonly because: EndBecause }
