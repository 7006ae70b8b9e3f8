// push-simulation/cron-table.ts: when a cron job runs, minute by minute and without any code of the service: a time
// counts when a clock of the zone first shows it, and one that is skipped counts at the jump.

const minuteMs = 60_000

/** What a clock of a zone shows, for every minute of some hours. */
export class ZoneTable {
  readonly fromMs: number
  /** Local minutes since 1970, as if they were UTC. */
  readonly #shown: readonly number[]

  constructor(timezone: string, fromMs: number, untilMs: number) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    this.fromMs = fromMs
    this.#shown = Array.from({ length: (untilMs - fromMs) / minuteMs }, (_, minute) => {
      const text = format.format(fromMs + minute * minuteMs)
      return Date.parse(`${text.replace(' ', 'T')}Z`) / minuteMs
    })
  }

  /** Whether the clocks are changed in this time. */
  get hasChange(): boolean {
    return this.#shown.at(-1)! - this.#shown[0]! !== this.#shown.length - 1
  }

  /** The instants of an expression. */
  instants(cron: string): number[] {
    const matches = matcherOf(cron)
    const found: number[] = []
    let latest = this.#shown[0]! - 1
    for (const [minute, shown] of this.#shown.entries()) {
      let isNamed = false
      for (let local = latest + 1; local <= shown; local++) isNamed ||= matches(local)
      if (isNamed) found.push(this.fromMs + minute * minuteMs)
      latest = Math.max(latest, shown)
    }
    return found
  }
}

/** Minute, hour and weekday: a number, a list, a step or any; of days and months any. */
function matcherOf(cron: string): (local: number) => boolean {
  const [minute, hour, , , weekday] = cron.split(' ').map(fieldOf)
  return (local) => {
    const date = new Date(local * minuteMs)
    return minute!(date.getUTCMinutes()) && hour!(date.getUTCHours()) && weekday!(date.getUTCDay())
  }
}

function fieldOf(text: string): (value: number) => boolean {
  if (text === '*') return () => true
  const [, step] = /^\*\/(\d+)$/.exec(text) ?? []
  if (step !== undefined) return (value) => value % Number(step) === 0
  const values = text.split(',').map(Number)
  return (value) => values.includes(value)
}
