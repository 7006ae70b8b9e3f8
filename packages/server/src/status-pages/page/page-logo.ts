// status-pages/page/page-logo.ts: the logo of a page as a file of its own, so that a page of text stays small. A picture that is
// opened alone runs nothing and loads nothing, whatever it holds.
import type { PageLogo } from '../../config/fleet-file/status-page.ts'
import type { PageView } from '../page-view.ts'
import type { Rendered } from '../ready-file.ts'

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

/** Below the address of the page. */
export function logoPath({ type }: PageLogo): string {
  return type === 'image/png' ? 'logo.png' : 'logo.svg'
}

/** Null if there is no logo at this path. */
export function logoAt({ logo }: PageView, path: string): Rendered | null {
  if (logo === null || path !== logoPath(logo)) return null
  return { type: logo.type, body: logo.data, isBase64: true, contentSecurityPolicy: policy }
}
