// scripts/debian/installed-service.ts: the service as the Debian package installs it in a booted Debian: what
// systemd reports about it, and what it answers to commands.
import { eventually } from '@pulseward/testing'
import { expect } from 'vitest'
import type { BootedRoot } from '../clean-root/booted-root.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What the API says about the fleet and its history. */
export interface Account {
  readonly monitors: readonly Fields[]
  readonly incidents: readonly Fields[]
  readonly events: readonly Fields[]
}

/** The part that an upgrade must not change. More events may follow. */
export function lastingPart({ monitors, incidents, events }: Account): Account {
  return {
    monitors: monitors.map(({ monitor_id, id, name }) => ({ monitor_id, id, name })),
    incidents: incidents.map(({ id, incident_id, opened_at }) => ({ id, incident_id, opened_at })),
    events,
  }
}

export class InstalledService {
  readonly #debian: BootedRoot
  readonly #transcript: string[] = []

  constructor(debian: BootedRoot) {
    this.#debian = debian
  }

  /** The commands run so far by `shown`, as a terminal would show them. */
  get transcript(): string {
    return this.#transcript.join('')
  }

  /** Runs a command that must succeed. */
  run(command: string): string {
    const { status, output } = this.#debian.run('sh', '-c', command)
    expect({ command, status, output }).toEqual({ command, status: 0, output })
    return output
  }

  /** The same, for the transcript. */
  shown(command: string): string {
    const output = this.run(command)
    this.#transcript.push(`# ${command}\n${output}`)
    return output
  }

  property(name: string): string {
    return this.run(`systemctl show pulseward --value --property=${name}`).trim()
  }

  /** When a line of the journal with these words was written, by the clock of the program that wrote it. */
  loggedAtMs(words: string): number {
    const lines = this.run('journalctl --unit=pulseward --output=json').trim().split('\n')
    const line = lines.map((text) => JSON.parse(text)).find(({ MESSAGE }) => MESSAGE.includes(words))
    expect(line, words).toBeDefined()
    const ours = /"time":"([^"]+)"/.exec(line.MESSAGE)?.[1]
    return ours === undefined ? Number(line._SOURCE_REALTIME_TIMESTAMP) / 1_000 : Date.parse(ours)
  }

  get(...words: readonly string[]): unknown {
    const command = `pulseward get ${words.join(' ')} -o json --token-file /etc/pulseward/token`
    return JSON.parse(this.run(command))
  }

  account(): Account {
    const { monitors } = this.get('monitors') as Pick<Account, 'monitors'>
    const { incidents } = this.get('incidents') as Pick<Account, 'incidents'>
    const { events } = this.get('history', '--limit 500') as Pick<Account, 'events'>
    return lastingPart({ monitors, incidents, events })
  }

  /** Recoveries and notifications of a monitor. */
  actions(monitorId: string): readonly Fields[] {
    return (this.get('state', `--monitor-id ${monitorId}`) as { actions: Fields[] }).actions
  }

  async statusesBecome(statuses: Readonly<Record<string, string>>): Promise<void> {
    await eventually(() => {
      const { monitors } = this.get('monitors') as { monitors: { name: string; status: string }[] }
      expect(Object.fromEntries(monitors.map(({ name, status }) => [name, status]))).toEqual(statuses)
    })
  }
}
