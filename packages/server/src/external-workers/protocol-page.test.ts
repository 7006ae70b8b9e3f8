// What a worker is answered in which situation: every row of the tables in docs/workers.md is brought about here, and the
// page must have exactly these rows. Answers are as the routes give them.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { Job } from './job.ts'
import { LateReports } from './late-reports.ts'
import type { Refusal } from './receipt.ts'
import { digestOf } from './report.ts'
import { WorkerDesk } from './worker-desk.ts'

const page = readFileSync(new URL('../../../../docs/workers.md', import.meta.url), 'utf8')
const mine = 'berlin'
const timeoutMs = 20_000
const startWithinMs = 60_000

interface Offered {
  readonly executionID: string
  readonly leaseID: string
  readonly executionRevision: string
}

/** One job for one worker, in whatever process runs now. */
class Talk {
  readonly service: TestService

  constructor(service: TestService) {
    this.service = service
  }

  static async begin(): Promise<Talk> {
    return new Talk(await TestService.start({ monitors: [] }))
  }

  get #parts() {
    const { engine, external: jobs, store } = this.service
    const late = new LateReports({ jobs, engine, store })
    return { late, desk: new WorkerDesk({ jobs, engine, store, late }) }
  }

  offer(principal = mine): Offered {
    const { external } = this.service
    if (external.table.size === 0) external.table.add(jobAt(external.nowMs), external.nowMs)
    const [offer] = external.offersFor({
      worker: { principal, workerId: 'one' },
      digest: '',
      capabilities: [{ kind: 'notification', jobType: 'any', version: '1' }],
      capacity: 1,
      limit: 1,
    })
    if (offer === undefined) throw new Error('nothing is offered')
    const { open, lease, revision } = offer
    return { executionID: open.job.executionId, leaseID: lease.id, executionRevision: String(revision) }
  }

  /** As the route answers, in short. */
  start(asked: Offered, desk = this.#parts.desk): Promise<string> {
    return desk.start(mine, asked).then((answer) => wordsFor(answer))
  }

  async grant(): Promise<v2.HeartbeatRequest> {
    const { executionID, ...asked } = this.offer()
    const answer = await this.#parts.desk.start(mine, { executionID, ...asked })
    if (!('grantId' in answer)) throw new Error('it is not granted')
    return { executionID, grantID: answer.grantId, workerID: 'one' }
  }

  async beat(granted: v2.HeartbeatRequest): Promise<string> {
    return wordsFor(await this.#parts.desk.heartbeat(mine, granted))
  }

  async report(
    { executionID, grantID }: v2.HeartbeatRequest,
    status: v2.Outcome['status'],
    diagnostic = 'sent',
  ): Promise<string> {
    const outcome = { executionID, grantID, kind: 'notification', status, diagnostic } as const
    return wordsFor(await this.#parts.desk.result(mine, outcome))
  }

  async add({ executionID }: v2.HeartbeatRequest, evidenceID: string, diagnostic: string): Promise<string> {
    const originalReceiptID = `receipt-${executionID}`
    const asked = { executionID, evidenceID, originalReceiptID, diagnostic }
    return wordsFor(await this.#parts.late.evidence(mine, asked))
  }

  /** Two starts of one moment. */
  async startTwice(): Promise<string> {
    const { desk } = this.#parts
    const asked = this.offer()
    const [, second] = await Promise.all([this.start(asked, desk), this.start(asked, desk)])
    return second
  }
}

function jobAt(nowMs: number): Job {
  return {
    executionId: 'job',
    kind: 'notification',
    jobType: 'any',
    type: null,
    version: '1',
    monitorId: null,
    revision: null,
    parameters: {},
    profile: '',
    timeoutMs,
    startByMs: nowMs + startWithinMs,
    check: null,
  }
}

function wordsFor(answer: object | Refusal): string {
  if ('kind' in answer) {
    const codes = { 'not found': '404', conflict: '409', wrong: '422', unavailable: '503' }
    return codes[(answer as Refusal).kind]
  }
  if ('accepted' in answer) return `accepted: ${answer.accepted}`
  if ('receiptId' in answer && 'disposition' in answer) {
    const isStart = 'grantId' in answer
    return isStart ? String(answer.disposition) : `receipt, ${answer.disposition}`
  }
  throw new Error(`an answer of no kind: ${JSON.stringify(answer)}`)
}

type Rows = Readonly<Record<string, (talk: Talk) => Promise<string>>>

const starts: Rows = {
  'the offer is yours, and its 5 s are not over': (talk) => talk.start(talk.offer()),
  'the same start came a moment ago and is not on disk yet': (talk) => talk.startTwice(),
  'the job was granted to your principal before, and runs': async (talk) => {
    const asked = talk.offer()
    await talk.start(asked)
    return talk.start(asked)
  },
  'the same, and the service was restarted since': async (talk) => {
    const asked = talk.offer()
    await talk.start(asked)
    await talk.service.restart()
    return talk.start(asked)
  },
  'another `leaseID` than that of the last offer': (talk) =>
    talk.start({ ...talk.offer(), leaseID: 'another' }),
  'another `executionRevision` than that of the last offer': (talk) =>
    talk.start({ ...talk.offer(), executionRevision: '99' }),
  'the 5 s of the offer are over': async (talk) => {
    const asked = talk.offer()
    await talk.service.advance({ seconds: 6 })
    return talk.start(asked)
  },
  'the job was offered to another principal last': async (talk) => {
    const asked = talk.offer()
    await talk.service.advance({ seconds: 6 })
    talk.offer('paris')
    return talk.start(asked)
  },
  'the offer is from before a restart of the service': async (talk) => {
    const asked = talk.offer()
    await talk.service.restart()
    return talk.start(asked)
  },
  'no worker started the job in time, and it is no longer needed': async (talk) => {
    const asked = talk.offer()
    await talk.service.advance({ ms: startWithinMs + 1_000 })
    return talk.start(asked)
  },
  'the job has ended with a result': async (talk) => {
    const asked = talk.offer()
    const { executionID } = asked
    const started = await talk.start(asked)
    const open = talk.service.external.table.find(executionID)
    await talk.report({ executionID, grantID: open?.grant?.id ?? started, workerID: 'one' }, 'delivered')
    return talk.start(asked)
  },
  'the job ran, and its deadline passed without a result': async (talk) => {
    const asked = talk.offer()
    await talk.start(asked)
    await talk.service.advance({ ms: timeoutMs + 1_000 })
    return talk.start(asked)
  },
}

const others: Rows = {
  '`heartbeat`: the job runs': async (talk) => talk.beat(await talk.grant()),
  '`heartbeat`: the job has ended, or its deadline has passed': async (talk) => {
    const granted = await talk.grant()
    await talk.service.advance({ ms: timeoutMs + 1_000 })
    return talk.beat(granted)
  },
  '`heartbeat`, `result`: another `grantID`, or a job of another principal': async (talk) => {
    const granted = { ...(await talk.grant()), grantID: 'another' }
    expect(await talk.beat(granted)).toBe('404')
    return talk.report(granted, 'delivered')
  },
  '`result`: in time, `delivered`, `completed`, `rejected`, `success`, `failure` or `noData`': async (talk) =>
    talk.report(await talk.grant(), 'delivered'),
  '`result`: in time, `accepted`': async (talk) => talk.report(await talk.grant(), 'accepted'),
  '`result`: in time, `unknown`': async (talk) => talk.report(await talk.grant(), 'unknown'),
  '`result`: the first one after the deadline': async (talk) => {
    const granted = await talk.grant()
    await talk.service.advance({ ms: timeoutMs + 1_000 })
    return talk.report(granted, 'delivered')
  },
  '`result`: the same again': async (talk) => {
    const granted = await talk.grant()
    const first = await talk.report(granted, 'delivered')
    expect(await talk.report(granted, 'delivered')).toBe(first)
    return 'the same receipt'
  },
  '`result`: another one than before': async (talk) => {
    const granted = await talk.grant()
    await talk.report(granted, 'delivered')
    return talk.report(granted, 'rejected')
  },
  '`result`: it does not fit the kind or the schema of the job': async (talk) =>
    talk.report(await talk.grant(), 'success'),
  '`late-evidence`: the same content under the same `evidenceID`': async (talk) => {
    const granted = await talk.grant()
    await talk.report(granted, 'delivered')
    const first = await talk.add(granted, 'log', 'seen')
    expect(await talk.add(granted, 'log', 'seen')).toBe(first)
    return 'the same receipt'
  },
  '`late-evidence`: other content under the same `evidenceID`': async (talk) => {
    const granted = await talk.grant()
    await talk.report(granted, 'delivered')
    await talk.add(granted, 'log', 'seen')
    return talk.add(granted, 'log', 'not seen')
  },
  '`late-evidence`: the job has not ended': async (talk) => talk.add(await talk.grant(), 'log', 'seen'),
}

describe('a report is the same', () => {
  const text = '{"data":{"a":1,"b":"ü"},"status":"success"}'

  it('by the SHA-256 of its canonical text in UTF-8, without escapes', () => {
    const digest = hash('sha256', Buffer.from(text, 'utf8'), 'base64url')
    expect(digest.startsWith(digestOf(JSON.parse(text)))).toBe(true)
  })

  it('whatever the order of its keys, its white space and its escapes', () => {
    const otherwise = '{ "status": "success", "data": { "b": "\\u00fc", "a": 1.0 } }'
    expect(digestOf(JSON.parse(otherwise))).toBe(digestOf(JSON.parse(text)))
  })

  it('unless a member is empty that was absent', () => {
    expect(digestOf({ ...JSON.parse(text), evidence: [] })).not.toBe(digestOf(JSON.parse(text)))
  })
})

/** Situation and answer, as the page has them under this head. */
function rowsUnder(head: string): (readonly [string, string])[] {
  const lines = page.slice(page.indexOf(head)).split('\n')
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(2, end).map((line) => {
    const [, situation = '', answer = ''] = line.split(' | ').join('|').split('|')
    return [situation.trim(), answer.trim().replaceAll('`', '')] as const
  })
}

describe.each([
  ['starts', '| A start, when | is answered |', starts],
  ['other calls', '| A call, when | is answered |', others],
] as const)('the page on workers says of %s', (_, head, rows) => {
  it.each(Object.entries(rows))('%s', async (situation, bringAbout) => {
    const answer = await bringAbout(await Talk.begin())
    expect(rowsUnder(head)).toContainEqual([situation, answer])
  })

  it('nothing else', () => {
    expect(rowsUnder(head).map(([situation]) => situation)).toEqual(Object.keys(rows))
  })
})
