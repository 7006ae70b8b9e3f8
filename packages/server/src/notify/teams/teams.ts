// notify/teams/teams.ts: posts an Adaptive Card to a Microsoft Teams workflow. Foreign text is placed in text runs,
// which do not read Markdown, unlike text blocks and facts. The old connectors reported failures in the body of a 200;
// where one still answers, its body is read.
import { type ActionOutcome, gone, rejected, retry } from '../../platform/action-outcome.ts'
import { type OutboundAnswer, shownOrigin } from '../../platform/network/outbound-http.ts'
import { closed } from '../../platform/schema.ts'
import { secretUrl } from '../driver/fields.ts'
import { defineHttpNotifier, jsonPost } from '../driver/http.ts'
import { ackLinkOf, facts, headline } from '../driver/wording.ts'
import type { Color, Notification } from '../driver.ts'

export const teams = defineHttpNotifier({
  summary: 'Posts an Adaptive Card to a Microsoft Teams workflow.',
  needs:
    'A workflow made from the template "Post to a channel when a webhook request is received", and its URL. The connectors of Office 365 are retired.',
  config: closed({ webhook_url: secretUrl('The whole URL of the workflow.') }),
  rate: { maxInFlight: 4, perSecond: 4 },
  limits: { unit: 'bytes', longest: { message: 28_672 } },
  target: ({ webhook_url }) => shownOrigin(webhook_url),
  buildRequest: ({ webhook_url }, notification) => jsonPost(webhook_url, message(notification)),
  classifyResponse,
})

const colors: Readonly<Record<Color, string>> = {
  red: 'Attention',
  yellow: 'Warning',
  green: 'Good',
  cyan: 'Accent',
  gray: 'Default',
}

function message(notification: Notification): unknown {
  const { color, link } = notification
  const head = { text: headline(notification), weight: 'Bolder', size: 'Medium', color: colors[color] }
  const lines = facts(notification).map(({ label, value }) => [
    { text: `${label}: `, weight: 'Bolder' },
    { text: value },
  ])
  const links: readonly (readonly [string, string | null])[] = [
    ['Acknowledge', ackLinkOf(notification)],
    ['Open in Pulseward', link],
  ]
  const actions = links.flatMap(([title, url]) =>
    url === null ? [] : [{ type: 'Action.OpenUrl', title, url }],
  )
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [[head], ...lines].map(paragraph),
    ...(actions.length === 0 ? {} : { actions }),
  }
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { type: 'message', attachments: [attachment] }
}

function paragraph(runs: readonly { readonly text: string }[]): unknown {
  const inlines = runs.map((run) => ({ type: 'TextRun', ...run, text: withoutFunctions(run.text) }))
  return { type: 'RichTextBlock', inlines }
}

/** {{DATE(…)}} and {{TIME(…)}} are expanded even in text without markup. */
function withoutFunctions(text: string): string {
  return text.replaceAll('{{', '{\u200b{')
}

function classifyResponse({ status, body }: OutboundAnswer): ActionOutcome | null {
  if (status === 404) return gone('Teams answered 404: the workflow is gone')
  const failure =
    status === 200 ? /delivery failed with error.*?HTTP error (\d{3})/s.exec(body)?.[1] : undefined
  if (failure === undefined) return null
  const reason = `Teams answered 200, but that it failed with ${failure}`
  return failure === '429' || failure.startsWith('5') ? retry(reason) : rejected(reason)
}
