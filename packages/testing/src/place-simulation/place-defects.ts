// place-simulation/place-defects.ts: planted defects in checks at several places, which the simulation must notice. Each changes
// a method of a part of the service, until it is put back.
import { Ballot } from '@pulseward/server/internal/locations/ballot.ts'
import { ConnectedProbes } from '@pulseward/server/internal/locations/connected-probes.ts'
import { FrameReader } from '@pulseward/server/internal/locations/frame.ts'
import { LentDefinitions } from '@pulseward/server/internal/locations/lent-definitions.ts'
import type { Location } from '@pulseward/server/internal/locations/location.ts'
import { type OpenCheck, OpenTickets } from '@pulseward/server/internal/locations/open-tickets.ts'
import { ProbeSession } from '@pulseward/server/internal/locations/probe-session.ts'
import { RemoteProbes } from '@pulseward/server/internal/locations/remote-probes.ts'

/** Puts back what was planted. */
type PutBack = () => void

interface PlaceDefect {
  readonly summary: string
  /** What the model says of it. */
  readonly by: RegExp
  plant(): PutBack
}

// biome-ignore lint/suspicious/noExplicitAny: a method of any class.
type AnyMethod = (this: any, ...values: any[]) => any

/** Replaces a method of a class, for objects that exist and those to come. */
function planted<Part extends object>(
  part: { readonly prototype: Part },
  name: keyof Part & string,
  change: (method: AnyMethod) => AnyMethod,
): PutBack {
  const { prototype } = part
  const method = Object.getOwnPropertyDescriptor(prototype, name)!
  Object.defineProperty(prototype, name, { ...method, value: change(method.value) })
  return () => Object.defineProperty(prototype, name, method)
}

const castingInstead = (change: (vote: { status: string; location: string }) => object) => () =>
  planted(
    Ballot,
    'cast',
    (cast) =>
      function (vote, startedMs) {
        return cast.call(this, { ...vote, ...change(vote) }, startedMs)
      },
  )

export const placeDefects: Readonly<Record<string, PlaceDefect>> = {
  'majority-of-the-living': {
    summary: 'Failures are counted against the places that answer.',
    by: / is no_data and not (failure|success|timeout)/,
    plant: () =>
      planted(
        Ballot,
        'cast',
        (cast) =>
          function (vote, startedMs) {
            const isCounted = cast.call(this, vote, startedMs)
            if (!this.isClosed || this.places.failsWhen !== 'majority') return isCounted
            const living = this.votes.filter(({ status }: { status: string }) => status !== 'no_data').length
            this.places = { ...this.places, needed: Math.max(1, Math.floor(living / 2) + 1) }
            return isCounted
          },
      ),
  },
  'stale-vote-counted': {
    summary: 'A result that comes after its slot has ended counts in the slot that is open.',
    by: / is \w+ and not \w+|ended without waiting for/,
    plant: () => {
      const given = new WeakMap<OpenTickets, Map<number, OpenCheck>>()
      /** By row, of whatever probe. */
      const latest = new Map<number, OpenCheck>()
      const putBackGive = planted(
        OpenTickets,
        'give',
        (give) =>
          function (check) {
            const ticket = give.call(this, check)
            given.set(this, (given.get(this) ?? new Map()).set(ticket, check))
            latest.set(check.row, check)
            return ticket
          },
      )
      const putBackAnswer = planted(
        OpenTickets,
        'answer',
        (answer) =>
          function (ticket) {
            return answer.call(this, ticket) ?? latest.get(given.get(this)!.get(ticket)!.row)
          },
      )
      return () => {
        putBackAnswer()
        putBackGive()
      }
    },
  },
  'lost-probe-is-a-failure': {
    summary: 'What a probe leaves behind when it goes counts as failed.',
    by: / is \w+ and not failure/,
    plant: () =>
      planted(
        ConnectedProbes,
        'leave',
        (leave) =>
          function (session, how) {
            const lost: readonly { vote: object }[] = leave.call(this, session, how)
            return lost.map((one) => ({ ...one, vote: { ...one.vote, status: 'failure' } }))
          },
      ),
  },
  'silence-is-a-failure': {
    summary: 'A place that does not answer in time counts as failed.',
    by: / is \w+ and not (timeout|failure)/,
    plant: () =>
      planted(
        ConnectedProbes,
        'endExpired',
        (endExpired) =>
          function () {
            const ended: readonly { vote: object }[] = endExpired.call(this)
            return ended.map((one) => ({ ...one, vote: { ...one.vote, status: 'timeout' } }))
          },
      ),
  },
  'silence-is-a-success': {
    summary: 'A place that says nothing counts as a success.',
    by: / is no_data and not success/,
    plant: castingInstead(({ status }) => (status === 'no_data' ? { status: 'success' } : {})),
  },
  'old-definition-run': {
    summary: 'A probe keeps a definition that has changed.',
    by: /was given revision/,
    plant: () => {
      const putBack = [
        planted(LentDefinitions, 'doubt', () => () => {}),
        planted(LentDefinitions, 'doubtAll', () => () => {}),
      ]
      return () => {
        for (const one of putBack) one()
      }
    },
  },
  'old-definition-counted': {
    summary: 'A check whose definition has changed ends with an outcome.',
    by: /without a slot|beside another/,
    plant: () => planted(RemoteProbes, 'cancel', () => () => false),
  },
  'two-probes-run-it': {
    summary: 'All probes of a place run a check.',
    by: /was asked twice/,
    plant: () => {
      let asked: { readonly session: ProbeSession; readonly run: Parameters<ProbeSession['run']> } | null =
        null
      const putBackRun = planted(
        ProbeSession,
        'run',
        (run) =>
          function (...parameters) {
            asked = { session: this, run: parameters as unknown as Parameters<ProbeSession['run']> }
            run.call(this, ...parameters)
          },
      )
      const putBackAsk = planted(
        ConnectedProbes,
        'ask',
        (ask) =>
          function (name, row, generation) {
            const why = ask.call(this, name, row, generation)
            const location = this.locations.find((one: Location) => one.name === name)
            const others = location?.sessions.filter((one: ProbeSession) => one !== asked?.session) ?? []
            if (why === null) for (const other of others) other.run(...asked!.run)
            return why
          },
      )
      return () => {
        putBackAsk()
        putBackRun()
      }
    },
  },
  'repeated-frame-counted': {
    summary: 'A frame that comes twice is taken twice.',
    by: /a frame counts twice|a lost frame is not noticed/,
    plant: () =>
      planted(
        FrameReader,
        'open',
        (open) =>
          function (frame) {
            try {
              return open.call(this, frame)
            } catch {
              return { kind: frame[0], body: frame.subarray(13) }
            }
          },
      ),
  },
  'waits-for-two': {
    summary: 'A slot ends with its second vote.',
    by: /ended without waiting for/,
    plant: () => {
      const closed = Object.getOwnPropertyDescriptor(Ballot.prototype, 'isClosed')!
      Object.defineProperty(Ballot.prototype, 'isClosed', {
        ...closed,
        get(this: Ballot) {
          return this.votes.length >= Math.min(2, this.places.locations.length)
        },
      })
      return () => Object.defineProperty(Ballot.prototype, 'isClosed', closed)
    },
  },
  'waits-for-ever': {
    summary: 'A place that does not answer is waited for without end.',
    by: /does not end/,
    plant: () => planted(ConnectedProbes, 'endExpired', () => () => []),
  },
  'clock-of-the-probe': {
    summary: 'When a check began is computed from the clock of its probe.',
    by: /it began at/,
    plant: () =>
      planted(
        ConnectedProbes,
        'votesIn',
        (votesIn) =>
          function* (session, results) {
            let index = 0
            for (const one of votesIn.call(this, session, results)) {
              const tookMs = results.tookMs[index++] ?? 0
              yield { ...one, startedMs: one.startedMs - tookMs }
            }
          },
      ),
  },
  'timeout-is-a-failure': {
    summary: 'A timeout at every place is told as a failure.',
    by: / is timeout and not failure/,
    plant: castingInstead(({ status }) => (status === 'timeout' ? { status: 'failure' } : {})),
  },
  'one-place-is-believed': {
    summary: 'What one of the places says stands for all of them.',
    by: / is \w+ and not \w+/,
    plant: castingInstead(({ location }) => (location === 'iad' ? {} : { status: 'success' })),
  },
}
