// commands/status.ts: what customers read: writes about incidents and maintenance, and copies a page to static files.
import { v2 } from '@pulseward/contract'
import { UsageError } from '@pulseward/server'
import { clientCommand } from '../client/client-command.ts'
import { exportPage } from '../status-export/export-page.ts'
import { aboutMonitor } from '../status-writing/about-monitor.ts'
import { makeToken } from '../status-writing/page-token.ts'
import { printWords } from '../status-writing/page-words.ts'
import { post, resolve, update } from '../status-writing/write-incident.ts'

const verbs = {
  post,
  update,
  resolve,
  about: aboutMonitor,
  export: exportPage,
  token: makeToken,
  words: printWords,
}
const isVerb = (word: string): word is keyof typeof verbs => Object.hasOwn(verbs, word)

export const status = clientCommand({
  summary: 'write on a status page, copy it, or prepare one',
  usage: `post PAGE TITLE TEXT [--phase PHASE] [--component ID=STATE]… [--from TIME --until TIME]
       update INCIDENT TEXT [--phase PHASE] [--component ID=STATE]…
       resolve INCIDENT [TEXT] [--postmortem TEXT]
       about MONITOR
       export PAGE DIR [--watch]
       token
       words [LANGUAGE]`,
  firstWords: Object.keys(verbs),
  flags: {
    phase: {
      kind: 'value',
      values: v2.incidentPhases,
      summary: 'How far the incident has come. Default of post: investigating; of update: as before.',
    },
    component: {
      kind: 'value',
      valueName: 'ID=STATE',
      summary: `A component that it touches, and what the page says of it meanwhile: ${v2.writtenStates.join(', ')}. Repeatable; maintenance takes the ID alone.`,
    },
    from: { kind: 'value', valueName: 'TIME', summary: 'Of planned maintenance: 2026-03-29T01:00:00Z.' },
    until: { kind: 'value', valueName: 'TIME', summary: 'The end of planned maintenance.' },
    postmortem: { kind: 'value', valueName: 'TEXT', summary: 'What was learned, as Markdown.' },
    'page-token-file': {
      kind: 'value',
      valueName: 'FILE',
      summary: 'A file with a token of the page that is copied, if its access is token.',
    },
    watch: { kind: 'switch', summary: 'Keep the files fresh until it is stopped.' },
    every: { kind: 'value', valueName: 'DURATION', summary: 'How often to look with --watch. Default 15s.' },
  },
  operations: ['CreateStatusIncident', 'GetStatusIncident', 'ReplaceStatusIncident', 'ListStatusIncidents'],
  examples: [
    "pulseward status post shop 'Payments fail' 'We are looking.' --component checkout=partial_outage",
    "pulseward status update payments-fail-1f9c2e 'A disk is full.' --phase identified",
    "pulseward status resolve payments-fail-1f9c2e 'All payments work again.'",
    'pulseward status about checkout-api',
    'pulseward status export shop /srv/status --watch',
    'pulseward status token',
    'pulseward status words > words-to-translate',
  ],
  lookAgain: ({ operands: [verb, name] }) =>
    verb === 'update' || verb === 'resolve'
      ? `pulseward describe status-incident ${name}`
      : 'pulseward get status-incidents',
  async run(parsed, session) {
    const [verb = ''] = parsed.operands
    if (isVerb(verb)) return verbs[verb](parsed, session)
    throw new UsageError(
      'Say what to do: pulseward status post, update, resolve, about, export, token or words; see pulseward status --help.',
    )
  },
})
